import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { cancelWorkflowExecutions } from '../../../../src/modules/workflows/executions/cancel.ts'
import { listWorkflowExecutions } from '../../../../src/modules/workflows/executions/executions.ts'
import { takeTurn } from '../../../../src/modules/workflows/lines/turn.ts'
import { handleAll } from '../../../../src/modules/workflows/lines/worker.ts'
import { advanceDue, runnerIdle } from '../../../../src/modules/workflows/run/worker.ts'
import { decidedAfterMs } from '../../../../src/modules/workflows/steps/wait-for-event.ts'
import { followEvents } from '../../../../src/modules/workflows/triggers/triggers.ts'
import { drawn, enable, lead, runAll, step } from '../../../help/workflows.ts'
import { freshProject, logSettled, testWorld } from '../../../help/world.ts'

const world = await testWorld()
await followEvents(world)

const read = async () => {
  await logSettled(world)
  while (await followEvents(world));
}
const advance = async () => {
  while (await advanceDue(world)) await runnerIdle(world)
  await runnerIdle(world)
}
/** Everybody has time, also for what is looked at again a moment later. */
const settle = async () => {
  for (let moments = 0; moments < 4; moments++) {
    await runAll(world)
    world.clock.turn(200)
  }
}

/** A workflow that `signed-up` starts, again and again, and `left` ends: it waits a minute for `paid`, or first a minute for nothing. */
async function waiting({ delayed = false } = {}) {
  const { ctx, projectId } = await freshProject(world)
  const { id } = await drawn(ctx, { allowReentry: true, exitEvents: ['left'] })
  const delay = delayed ? await step(ctx, { id }, { type: 'DELAY', config: { amount: 1, unit: 'minutes' } }) : undefined
  const wait = await step(ctx, { id }, { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 60 } })
  if (delay) await lead(ctx, { id }, delay, wait)
  await lead(ctx, { id }, wait, await step(ctx, { id }, { config: { reason: 'came' } }), 'event')
  await lead(ctx, { id }, wait, await step(ctx, { id }, { config: { reason: 'late' } }), 'timeout')
  await enable(ctx, { id })
  return {
    ...{ ctx, id, projectId },
    track: async (...events: string[]) => {
      for (const event of events) await trackEvent(ctx, { email: 'ada@example.com', event } as Parameters<typeof trackEvent>[1])
    },
    turn: () => takeTurn(world, projectId),
    states: () => statesOf(ctx, id),
  }
}

async function statesOf(ctx: Ctx, id: string): Promise<string[]> {
  const { data } = await listWorkflowExecutions(ctx, { id, page: 1, pageSize: 100 })
  return data.toReversed().map(({ status, exitReason }) => exitReason ?? status)
}

const left = 'The event "left" happened.'

describe('an event ends a wait when its turn has come', () => {
  test('behind a start of the contact that waits to be handled', async () => {
    const { track, turn, states } = await waiting()
    await track('signed-up', 'signed-up', 'paid')
    await read()
    expect(await turn()).toMatchObject({ handled: 1 })
    await advance()
    expect(await states()).toEqual(['WAITING'])
    expect(await turn()).toMatchObject({ handled: 1 })
    await settle()
    expect(await states()).toEqual(['came'])
  })

  test('behind a start that the reader of the log has not passed', async () => {
    const { track, turn, states } = await waiting()
    await track('signed-up')
    await read()
    await turn()
    await track('signed-up', 'paid')
    await advance()
    expect(await states()).toEqual(['WAITING'])
    await settle()
    expect(await states()).toEqual(['came'])
  })

  test.each([
    ['that waits to be handled', true],
    ['that the reader of the log has not passed', false],
  ])('behind an exit event %s, which ends the execution', async (_what, isRead) => {
    const { track, turn, states } = await waiting()
    await track('signed-up')
    await read()
    await turn()
    await track('left', 'paid')
    if (isRead) await read()
    await advance()
    expect(await states()).toEqual(['WAITING'])
    await settle()
    expect(await states()).toEqual([left])
  })

  test('behind an exit event of a project of which too many events wait', async () => {
    const { track, turn, states, projectId } = await waiting()
    await track('signed-up')
    await read()
    await turn()
    // As if there were as many between them.
    const others = [10, 100_010].map((place) => ({ projectId, place, id: `evt_${place}`, contactId: 'cnt_x' }))
    await world.db.prisma.workflowLine.createMany({ data: others })
    await track('left', 'paid')
    await read()
    expect(await world.db.prisma.workflowBacklog.count({ where: { projectId } })).toBe(1)
    await advance()
    expect(await states()).toEqual(['WAITING'])
    await handleAll(world)
    await settle()
    expect(await states()).toEqual([left])
  })

  test('behind those of other workflows, and not behind those of other contacts', async () => {
    const { ctx, track, turn, states, projectId } = await waiting()
    const other = await drawn(ctx, { eventName: 'looked' })
    await step(ctx, other)
    await enable(ctx, other)
    await trackEvent(ctx, { email: 'bob@example.com', event: 'looked' } as Parameters<typeof trackEvent>[1])
    await track('signed-up', 'paid')
    await read()
    const lines = await world.db.prisma.workflowLine.findMany({ where: { projectId }, orderBy: { place: 'asc' } })
    expect(lines).toHaveLength(2)
    // Bob's waits longer.
    await world.db.prisma.workflowLine.update({
      where: { projectId_place: { projectId, place: lines[0]?.place ?? 0n } },
      data: { place: 1_000_000n },
    })
    await takeTurn(world, projectId, 1)
    await advance()
    expect(await states()).toEqual(['came'])
    await track('signed-up')
    await read()
    await turn()
    await track('looked', 'paid')
    await read()
    await advance()
    expect((await states()).at(-1)).toBe('WAITING')
    await settle()
    expect(await states()).toEqual(['came', 'came'])
  })

  test('before a start that begins again, however late the workers are', async () => {
    const { track, states } = await waiting()
    await track('signed-up', 'signed-up', 'paid', 'signed-up', 'paid', 'paid')
    await settle()
    expect(await states()).toEqual(['came', 'came'])
    const { track: soon, states: others } = await waiting()
    for (const event of ['signed-up', 'signed-up', 'paid', 'signed-up', 'paid', 'paid']) {
      await soon(event)
      await settle()
    }
    expect(await others()).toEqual(['came', 'came'])
  })

  test('which stays so while another worker holds the execution, until all are cancelled: then the start before it begins again', async () => {
    const { ctx, id, track, turn, states, projectId } = await waiting()
    await track('signed-up')
    await read()
    await turn()
    await world.db.prisma.workflowExecution.updateMany({
      where: { projectId },
      data: { claim: 'clm_other', wakeAt: new Date(world.clock.now().getTime() + 30_000) },
    })
    await track('signed-up', 'paid')
    await settle()
    expect(await states()).toEqual(['RUNNING'])
    expect(await cancelWorkflowExecutions(ctx, { id })).toMatchObject({ cancelled: 1 })
    await settle()
    expect(await states()).toEqual(['Cancelled by user (bulk cancel)', 'came'])
  })
})

describe('a timeout', () => {
  const over = 60_000 + decidedAfterMs

  test.each([
    ['an exit event', 'left', left],
    ['the awaited event', 'paid', 'came'],
  ])('lets %s go first that has happened in time, read or not', async (_what, event, expected) => {
    for (const isRead of [false, true]) {
      const { track, states } = await waiting()
      await track('signed-up')
      await runAll(world)
      await track(event)
      if (isRead) await read()
      world.clock.turn(over)
      await advance()
      expect(await states()).toEqual(['WAITING'])
      await settle()
      expect(await states()).toEqual([expected])
    }
  })

  test('fires while the reader of the log stands still, where nothing has happened in time that decides', async () => {
    const { track, states } = await waiting()
    await track('signed-up')
    await runAll(world)
    await track('looked')
    world.clock.turn(60_001)
    await track('paid', 'left')
    world.clock.turn(decidedAfterMs)
    await advance()
    expect(await states()).toEqual(['late'])
  })

  test('does not take the starts behind it, however late it is decided', async () => {
    const { track, turn, states } = await waiting()
    await track('signed-up')
    await runAll(world)
    world.clock.turn(60_000)
    await track('signed-up')
    world.clock.turn(1)
    await track('signed-up')
    await read()
    expect(await turn()).toMatchObject({ handled: 1 })
    expect(await turn()).toEqual({ handled: 0, left: 'later' })
    world.clock.turn(decidedAfterMs)
    await settle()
    expect(await states()).toEqual(['late', 'WAITING'])
  })

  test('of a wait behind a delay: each lets go first what happened before it', async () => {
    const { track, states } = await waiting({ delayed: true })
    await track('signed-up')
    await runAll(world)
    await track('left', 'signed-up')
    world.clock.turn(60_000)
    await advance()
    expect(await states()).toEqual(['WAITING'])
    await settle()
    expect(await states()).toEqual([left, 'WAITING'])
    world.clock.turn(50_000)
    await track('paid')
    await settle()
    expect(await states()).toEqual([left, 'came'])
  })
})

test('an exit event ends what is under way at once, also behind starts that would wait for it, which do nothing then', async () => {
  const { track, turn, states } = await waiting()
  await track('signed-up', 'signed-up', 'signed-up', 'left', 'signed-up', 'signed-up')
  await read()
  expect(await turn()).toMatchObject({ handled: 5 })
  expect(await states()).toEqual([left, 'RUNNING'])
  await settle()
  expect(await states()).toEqual([left, 'WAITING'])
})
