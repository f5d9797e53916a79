import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { listWorkflowExecutions } from '../../../../src/modules/workflows/executions/executions.ts'
import { startWorkflowExecution } from '../../../../src/modules/workflows/executions/start.ts'
import type { WorkflowStep } from '../../../../src/modules/workflows/graph/shapes.ts'
import { followEvents } from '../../../../src/modules/workflows/triggers/triggers.ts'
import { drawn, enable, lead, runAll, step } from '../../../help/workflows.ts'
import { freshProject, logSettled, testWorld } from '../../../help/world.ts'

const world = await testWorld()
await followEvents(world)

const ada = 'ada@example.com'
const track = async (ctx: Ctx, ...events: string[]) => {
  const contacts: string[] = []
  for (const event of events) contacts.push((await trackEvent(ctx, { email: ada, event } as Parameters<typeof trackEvent>[1])).contact)
  return contacts[0] ?? ''
}

/** How the executions of a workflow are, oldest first. */
async function statesOf(ctx: Ctx, id: string): Promise<string[]> {
  const { data } = await listWorkflowExecutions(ctx, { id, page: 1, pageSize: 100 })
  return data.toReversed().map(({ status, exitReason }) => exitReason ?? status)
}

describe('events of a contact that are read together are handled one after the other', () => {
  async function pausing(ctx: Ctx) {
    const { id } = await drawn(ctx, { allowReentry: true, exitEvents: ['left'] })
    await step(ctx, { id }, { type: 'DELAY', config: { amount: 1, unit: 'hours' } })
    await enable(ctx, { id })
    return id
  }

  test('a start, an exit event and a start leave one execution that ended and one that is active', async () => {
    const { ctx } = await freshProject(world)
    const id = await pausing(ctx)
    await track(ctx, 'signed-up', 'left', 'signed-up')
    await runAll(world)
    expect(await statesOf(ctx, id)).toEqual(['The event "left" happened.', 'WAITING'])
  })

  test('beside an active execution, a start does nothing and the exit event after it ends that one', async () => {
    const { ctx } = await freshProject(world)
    const id = await pausing(ctx)
    await track(ctx, 'signed-up')
    await runAll(world)
    await track(ctx, 'signed-up', 'left')
    await runAll(world)
    expect(await statesOf(ctx, id)).toEqual(['The event "left" happened.'])
  })

  test('a workflow with re-entry whose step takes no time starts for each of them', async () => {
    const { ctx } = await freshProject(world)
    const { id } = await drawn(ctx, { allowReentry: true })
    await step(ctx, { id }, { type: 'UPDATE_CONTACT', config: { updates: { seen: true } } })
    await enable(ctx, { id })
    await track(ctx, ...Array(5).fill('signed-up'))
    await runAll(world)
    expect(await statesOf(ctx, id)).toEqual(Array(5).fill('COMPLETED'))
  })
})

describe('which events end a wait does not depend on how late a worker comes to it', () => {
  /** Steps one after the other; those after a wait for `paid` end with the reason `came` or `late`. */
  async function chain(ctx: Ctx, ...drafts: Parameters<typeof step>[2][]) {
    const { id } = await drawn(ctx)
    const late = await step(ctx, { id }, { name: 'Late', config: { reason: 'late' } })
    let before: WorkflowStep | undefined
    for (const draft of [...drafts, { config: { reason: 'came' } }]) {
      const next = await step(ctx, { id }, draft)
      if (before) await lead(ctx, { id }, before, next)
      if (next.type === 'WAIT_FOR_EVENT') await lead(ctx, { id }, next, late, 'timeout')
      before = next
    }
    await enable(ctx, { id })
    return id
  }
  const wait = { type: 'WAIT_FOR_EVENT' as const, config: { eventName: 'paid', timeout: 60 } }
  const instant = { type: 'UPDATE_CONTACT' as const, config: { updates: { seen: true } } }
  const delay = { type: 'DELAY' as const, config: { amount: 1, unit: 'minutes' } }
  const afterwards = async () => {
    await runAll(world)
    world.clock.turn(61_000)
    await runAll(world)
  }

  test('an event right after the one that started the execution counts, one before it does not', async () => {
    const { ctx } = await freshProject(world)
    const id = await chain(ctx, instant, wait)
    await track(ctx, 'paid', 'signed-up')
    world.clock.turn(1_000)
    await track(ctx, 'paid')
    world.clock.turn(5_000)
    await afterwards()
    expect(await statesOf(ctx, id)).toEqual(['came'])
    const other = await freshProject(world)
    const late = await chain(other.ctx, instant, wait)
    await track(other.ctx, 'paid', 'signed-up')
    world.clock.turn(5_000)
    await afterwards()
    expect(await statesOf(other.ctx, late)).toEqual(['late'])
  })

  test('of two waits for the same event each takes one', async () => {
    const { ctx } = await freshProject(world)
    const id = await chain(ctx, wait, wait)
    await track(ctx, 'signed-up', 'paid', 'paid')
    world.clock.turn(5_000)
    await afterwards()
    expect(await statesOf(ctx, id)).toEqual(['came'])
    const { ctx: other } = await freshProject(world)
    const late = await chain(other, wait, wait)
    await track(other, 'signed-up', 'paid')
    await afterwards()
    expect(await statesOf(other, late)).toEqual(['late'])
  })

  test('the first of them ends it, also where a later one has woken the execution', async () => {
    const { ctx, projectId } = await freshProject(world)
    const id = await chain(ctx, wait, { ...wait, config: { ...wait.config, eventName: 'shipped' } })
    await track(ctx, 'signed-up')
    await runAll(world)
    await track(ctx, 'paid', 'shipped', 'paid')
    await logSettled(world)
    while (await followEvents(world));
    // As if the first one had been handled while the wait was being stored.
    const first = await world.db.prisma.event.findFirstOrThrow({ where: { projectId, name: 'paid' }, orderBy: { id: 'asc' } })
    await world.db.prisma.workflowLine.deleteMany({ where: { projectId, id: first.id } })
    await afterwards()
    expect(await statesOf(ctx, id)).toEqual(['came'])
  })

  test('behind a delay events count from the time on at which it was over', async () => {
    const { ctx } = await freshProject(world)
    const id = await chain(ctx, delay, wait)
    await track(ctx, 'signed-up')
    await runAll(world)
    world.clock.turn(59_000)
    await track(ctx, 'paid')
    world.clock.turn(2_000)
    await afterwards()
    expect(await statesOf(ctx, id)).toEqual(['late'])
    const { ctx: other } = await freshProject(world)
    const soon = await chain(other, delay, wait)
    await track(other, 'signed-up')
    await runAll(world)
    world.clock.turn(60_000)
    await track(other, 'paid')
    world.clock.turn(10_000)
    await afterwards()
    expect(await statesOf(other, soon)).toEqual(['came'])
  })

  test('in an execution that was started by hand, those after the start count', async () => {
    const { ctx } = await freshProject(world)
    const id = await chain(ctx, instant, wait)
    const contactId = await track(ctx, 'paid')
    await startWorkflowExecution(ctx, { id, contactId })
    await afterwards()
    expect(await statesOf(ctx, id)).toEqual(['late'])
    const again = await chain(ctx, instant, wait)
    await startWorkflowExecution(ctx, { id: again, contactId })
    world.clock.turn(1_000)
    await track(ctx, 'paid')
    world.clock.turn(1_000)
    await afterwards()
    expect(await statesOf(ctx, again)).toEqual(['came'])
  })
})
