import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { deleteContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { updateWorkflow } from '../../../../src/modules/workflows/changes.ts'
import { listWorkflowExecutions } from '../../../../src/modules/workflows/executions/executions.ts'
import { advanceDue, runnerIdle } from '../../../../src/modules/workflows/run/worker.ts'
import type { ExecutionStatus } from '../../../../src/modules/workflows/shapes.ts'
import { decidedAfterMs } from '../../../../src/modules/workflows/steps/wait-for-event.ts'
import { followEvents } from '../../../../src/modules/workflows/triggers/triggers.ts'
import { logOf } from '../../../help/mails.ts'
import { drawn, enable, lead, pathOf, runAll, step } from '../../../help/workflows.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
await followEvents(world)

const ada = 'ada@example.com'
const track = (ctx: Ctx, event: string, data: Record<string, unknown> = {}, email = ada) =>
  trackEvent(ctx, { email, event, data } as Parameters<typeof trackEvent>[1])

async function executionsOf(ctx: Ctx, id: string, status?: ExecutionStatus) {
  return (await listWorkflowExecutions(ctx, { id, status, page: 1, pageSize: 100 })).data
}

async function waiting(ctx: Ctx, config: Record<string, unknown>, draft: object = {}) {
  const { id } = await drawn(ctx, { allowReentry: true, ...draft })
  const wait = await step(ctx, { id }, { type: 'WAIT_FOR_EVENT', config })
  const came = await step(ctx, { id }, { config: { reason: 'came' } })
  const late = await step(ctx, { id }, { config: { reason: 'late' } })
  await lead(ctx, { id }, wait, came, 'event')
  await lead(ctx, { id }, wait, late, 'timeout')
  await enable(ctx, { id })
  return id
}

describe('a trigger', () => {
  test('starts one execution per event and workflow, with the data of the event, and logs it', async () => {
    const { ctx } = await freshProject(world)
    const { id } = await drawn(ctx)
    const other = await drawn(ctx, { name: 'Another' })
    for (const one of [id, other.id]) {
      await step(ctx, { id: one })
      await enable(ctx, { id: one })
    }
    await track(ctx, 'signed-up', { plan: 'pro' })
    await track(ctx, 'signed-up-not', {})
    await runAll(world)
    expect([await executionsOf(ctx, id), await executionsOf(ctx, other.id)].map(({ length }) => length)).toEqual([1, 1])
    expect((await executionsOf(ctx, id))[0]).toMatchObject({ status: 'EXITED', exitReason: 'exit_step', contact: { email: ada } })
    const mine = (await logOf(ctx)).filter(({ data }) => data.workflowId === id)
    expect(mine).toMatchObject([
      { name: 'workflow.started', data: { workflowName: 'Onboarding', depth: 1 } },
      { name: 'workflow.completed', data: { status: 'EXITED', reason: 'exit_step', depth: 1 } },
    ])
  })

  test('two readers at once, and two events of a contact at once, start one execution', async () => {
    const { ctx } = await freshProject(world)
    const id = await waiting(ctx, { eventName: 'paid' })
    await Promise.all([track(ctx, 'signed-up'), track(ctx, 'signed-up'), track(ctx, 'signed-up', {}, 'bob@example.com')])
    await Promise.all([followEvents(world), followEvents(world)])
    await runAll(world)
    expect(await executionsOf(ctx, id)).toHaveLength(2)
  })

  test('starts nothing in a disabled workflow, for MANUAL, or without re-entry again', async () => {
    const { ctx } = await freshProject(world)
    const { id } = await drawn(ctx)
    await step(ctx, { id })
    await track(ctx, 'signed-up')
    await runAll(world)
    expect(await executionsOf(ctx, id)).toHaveLength(0)
    await enable(ctx, { id })
    await track(ctx, 'signed-up')
    await runAll(world)
    await track(ctx, 'signed-up')
    await runAll(world)
    expect(await executionsOf(ctx, id)).toHaveLength(1)
    const manual = await drawn(ctx)
    await step(ctx, manual)
    await enable(ctx, manual)
    await updateWorkflow(ctx, { id: manual.id, triggerType: 'MANUAL' })
    await track(ctx, 'signed-up', {}, 'bob@example.com')
    await runAll(world)
    expect([await executionsOf(ctx, id), await executionsOf(ctx, manual.id)].map(({ length }) => length)).toEqual([2, 0])
  })
})

describe('WAIT_FOR_EVENT', () => {
  test('goes on with the event, and not with one before the wait, or of another contact', async () => {
    const { ctx } = await freshProject(world)
    const id = await waiting(ctx, { eventName: 'paid', timeout: 60 })
    await track(ctx, 'paid')
    world.clock.turn(1)
    await track(ctx, 'signed-up')
    await runAll(world)
    await track(ctx, 'paid', {}, 'bob@example.com')
    await runAll(world)
    expect(await executionsOf(ctx, id, 'WAITING')).toHaveLength(1)
    await track(ctx, 'paid', { amount: 5 })
    await runAll(world)
    const [ended] = await executionsOf(ctx, id)
    expect(ended?.exitReason).toBe('came')
    world.clock.turn(60_000)
    await runAll(world)
    expect(await pathOf(ctx, { id, executionId: ended?.id ?? '' })).toEqual(['WAIT_FOR_EVENT COMPLETED', 'EXIT COMPLETED'])
  })

  test('an event at the very instant of the timeout counts, also when the timeout is looked at first; one after it does not', async () => {
    const { ctx } = await freshProject(world)
    const id = await waiting(ctx, { eventName: 'paid', timeout: 60 })
    for (const email of [ada, 'bob@example.com']) await track(ctx, 'signed-up', {}, email)
    await runAll(world)
    world.clock.turn(60_000)
    await track(ctx, 'paid')
    world.clock.turn(1)
    await track(ctx, 'paid', {}, 'bob@example.com')
    world.clock.turn(decidedAfterMs)
    while (await advanceDue(world)) await runnerIdle(world)
    await runAll(world)
    const ended = await executionsOf(ctx, id)
    expect(ended.map(({ contact, exitReason }) => [contact?.email, exitReason]).sort()).toEqual([
      [ada, 'came'],
      ['bob@example.com', 'late'],
    ])
  })
})

test('an event that happens in time counts, also when its wait is looked at before it is in the log', async () => {
  const { ctx } = await freshProject(world)
  const id = await waiting(ctx, { eventName: 'paid', timeout: 60 })
  for (const email of [ada, 'bob@example.com']) await track(ctx, 'signed-up', {}, email)
  await runAll(world)
  world.clock.turn(60_000)
  while (await advanceDue(world)) await runnerIdle(world)
  // Logged at the instant of the timeout, and seen by nobody before.
  await track(ctx, 'paid')
  await runAll(world)
  expect((await executionsOf(ctx, id, 'EXITED')).map(({ exitReason }) => exitReason)).toEqual(['came'])
  world.clock.turn(decidedAfterMs)
  await runAll(world)
  expect((await executionsOf(ctx, id)).map(({ exitReason }) => exitReason).sort()).toEqual(['came', 'late'])
})

describe('exit events', () => {
  test('end the execution of the contact at once, which may then enter again', async () => {
    const { ctx } = await freshProject(world)
    const id = await waiting(ctx, { eventName: 'paid' }, { exitEvents: ['left'] })
    for (const email of [ada, 'bob@example.com']) await track(ctx, 'signed-up', {}, email)
    await runAll(world)
    world.clock.turn(1)
    await track(ctx, 'left')
    await runAll(world)
    const [ended] = await executionsOf(ctx, id, 'EXITED')
    expect(ended).toMatchObject({ exitReason: 'The event "left" happened.', contact: { email: ada } })
    expect(await pathOf(ctx, { id, executionId: ended?.id ?? '' })).toEqual(['WAIT_FOR_EVENT CANCELLED'])
    expect(await executionsOf(ctx, id, 'WAITING')).toHaveLength(1)
    await track(ctx, 'signed-up')
    await runAll(world)
    expect(await executionsOf(ctx, id, 'WAITING')).toHaveLength(2)
  })

  test('end what an event of the same batch has started', async () => {
    const { ctx } = await freshProject(world)
    const id = await waiting(ctx, { eventName: 'paid' }, { exitEvents: ['left'] })
    await track(ctx, 'left')
    await track(ctx, 'signed-up')
    await track(ctx, 'left')
    await runAll(world)
    expect((await executionsOf(ctx, id)).map(({ status }) => status)).toEqual(['EXITED'])
  })
})

test('executions that start each other end at the tenth, by the guard against loops', async () => {
  const { ctx } = await freshProject(world)
  const names = ['contact.subscribed', 'contact.unsubscribed']
  const ids: string[] = []
  for (const [at, eventName] of names.entries()) {
    const { id } = await drawn(ctx, { eventName, allowReentry: true })
    await step(ctx, { id }, { type: 'UPDATE_CONTACT', config: { subscriptionAction: at === 0 ? 'unsubscribe' : 'subscribe' } })
    await enable(ctx, { id })
    ids.push(id)
  }
  await upsertContact(ctx, { email: ada })
  await upsertContact(ctx, { email: ada, subscribed: false })
  for (let round = 0; round < 14; round++) await runAll(world)
  const all = (await Promise.all(ids.map((id) => executionsOf(ctx, id)))).flat()
  expect(all.filter(({ status }) => status === 'COMPLETED')).toHaveLength(10)
  expect(all.filter(({ status }) => status !== 'COMPLETED')).toMatchObject([{ status: 'EXITED', exitReason: 'loop guard' }])
})

test('executions of a deleted contact, and of a suspended project, are cancelled at their next step', async () => {
  const { ctx, projectId } = await freshProject(world)
  const { id } = await drawn(ctx)
  const delay = await step(ctx, { id }, { type: 'DELAY', config: { amount: 1, unit: 'hours' } })
  await lead(ctx, { id }, delay, await step(ctx, { id }))
  await enable(ctx, { id })
  const gone = await upsertContact(ctx, { email: 'gone@example.com' })
  for (const email of [ada, 'gone@example.com']) await track(ctx, 'signed-up', {}, email)
  await runAll(world)
  await deleteContact(ctx, { id: gone.id })
  world.clock.turn(3_600_000)
  await ctx.db.prisma.project.update({ where: { id: projectId }, data: { disabled: true } })
  await runAll(world)
  const all = await executionsOf(ctx, id)
  expect(all.map(({ status, exitReason }) => [status, exitReason]).sort()).toEqual([
    ['CANCELLED', 'Contact deleted'],
    ['CANCELLED', 'Project disabled'],
  ])
})
