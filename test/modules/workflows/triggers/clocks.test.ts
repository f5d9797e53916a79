import { describe, expect, test } from 'vitest'
import { type Ctx, callIn } from '../../../../src/kit/context.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { listWorkflowExecutions } from '../../../../src/modules/workflows/executions/executions.ts'
import { startWorkflowExecution } from '../../../../src/modules/workflows/executions/start.ts'
import { advanceDue, runnerIdle } from '../../../../src/modules/workflows/run/worker.ts'
import { decidedAfterMs } from '../../../../src/modules/workflows/steps/wait-for-event.ts'
import { followEvents } from '../../../../src/modules/workflows/triggers/triggers.ts'
import { drawn, enable, lead, runAll, step } from '../../../help/workflows.ts'
import { freshProject, logSettled, testWorld } from '../../../help/world.ts'

const world = await testWorld()
/** A second machine, whose clock is three seconds behind. */
const behind = await testWorld({ databaseUrl: world.databaseUrl })
world.clock.turn(3_000)
await followEvents(world)

const track = (ctx: Ctx, event: string) => trackEvent(ctx, { email: 'ada@example.com', event } as Parameters<typeof trackEvent>[1])

/** A workflow that waits a minute for `paid`, and that `left` ends. */
async function waiting() {
  const { ctx, projectId } = await freshProject(world)
  const { id } = await drawn(ctx, { allowReentry: true, exitEvents: ['left'] })
  const wait = await step(ctx, { id }, { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 60 } })
  await lead(ctx, { id }, wait, await step(ctx, { id }, { config: { reason: 'came' } }), 'event')
  await lead(ctx, { id }, wait, await step(ctx, { id }, { config: { reason: 'late' } }), 'timeout')
  await enable(ctx, { id })
  const ended = async () => {
    const { data } = await listWorkflowExecutions(ctx, { id, page: 1, pageSize: 10 })
    return data.map(({ status, exitReason }) => exitReason ?? status)
  }
  return { ctx, id, ended, elsewhere: callIn(behind, { projectId, actor: ctx.actor }) }
}

describe('an event that a machine logs whose clock is behind', () => {
  test('ends a wait that was stored before', async () => {
    const { ctx, elsewhere, ended } = await waiting()
    await track(ctx, 'signed-up')
    await runAll(world)
    expect(await ended()).toEqual(['WAITING'])
    await track(elsewhere, 'paid')
    await runAll(world)
    expect(await ended()).toEqual(['came'])
  })

  test('goes before a timeout that is looked at first', async () => {
    const { ctx, elsewhere, ended } = await waiting()
    await track(ctx, 'signed-up')
    await runAll(world)
    await track(elsewhere, 'paid')
    await logSettled(world)
    world.clock.turn(60_000 + decidedAfterMs)
    behind.clock.turn(60_000 + decidedAfterMs)
    while (await advanceDue(world)) await runnerIdle(world)
    expect(await ended()).toEqual(['WAITING'])
    await runAll(world)
    expect(await ended()).toEqual(['came'])
  })

  test('before the wait does not end it, whatever the clocks say', async () => {
    const { ctx, elsewhere, ended } = await waiting()
    // Dated three seconds after the wait begins.
    await track(ctx, 'paid')
    await track(elsewhere, 'signed-up')
    await runAll(behind)
    behind.clock.turn(3_000)
    await runAll(behind)
    expect(await ended()).toEqual(['WAITING'])
    behind.clock.turn(-3_000)
  })

  test('ends an execution that an event of another machine started before', async () => {
    const { ctx, elsewhere, ended } = await waiting()
    await track(ctx, 'signed-up')
    await runAll(world)
    await track(elsewhere, 'left')
    await runAll(world)
    expect(await ended()).toEqual(['The event "left" happened.'])
  })

  test('ends an execution that was started by hand before, and not one that was started after it', async () => {
    const { ctx, id, elsewhere, ended } = await waiting()
    const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
    await track(ctx, 'left')
    await startWorkflowExecution(elsewhere, { id, contactId })
    await runAll(world)
    expect(await ended()).toEqual(['WAITING'])
    await track(elsewhere, 'left')
    await runAll(world)
    expect(await ended()).toEqual(['The event "left" happened.'])
  })
})
