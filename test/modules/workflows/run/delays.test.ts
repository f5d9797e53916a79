import { afterAll, expect, test } from 'vitest'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { getWorkflowExecution, listWorkflowExecutions } from '../../../../src/modules/workflows/executions/executions.ts'
import { startWorkflowExecution } from '../../../../src/modules/workflows/executions/start.ts'
import { updateWorkflowStep } from '../../../../src/modules/workflows/graph/steps.ts'
import { advanceDue, runnerIdle } from '../../../../src/modules/workflows/run/worker.ts'
import { followEvents } from '../../../../src/modules/workflows/triggers/triggers.ts'
import { drawn, enable, lead, pathOf, runAll, step } from '../../../help/workflows.ts'
import { freshProject, logSettled, testWorld } from '../../../help/world.ts'

const world = await testWorld()
// A zone whose clocks change, so that a delay counted in days of a calendar would be an hour off.
const zone = process.env.TZ
process.env.TZ = 'Europe/Berlin'
afterAll(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

test.each([
  ['the night in which clocks go forward', '2027-03-27T12:00:00.000Z', { amount: 1, unit: 'days' }, '2027-03-28T12:00:00.000Z'],
  ['the night in which clocks go back', '2027-10-30T12:00:00.000Z', { amount: 1, unit: 'days' }, '2027-10-31T12:00:00.000Z'],
  ['the hour that exists twice', '2027-10-31T00:30:00.000Z', { amount: 1, unit: 'hours' }, '2027-10-31T01:30:00.000Z'],
  ['a leap day', '2028-02-28T23:59:59.999Z', { amount: 1, unit: 'days' }, '2028-02-29T23:59:59.999Z'],
  ['from a leap day, by the longest delay', '2028-02-29T06:00:00.000Z', { amount: 365, unit: 'days' }, '2029-02-28T06:00:00.000Z'],
])('a delay over %s has its length, and ends at that very millisecond', async (_what, from, config, end) => {
  const { ctx } = await freshProject(world)
  const { id } = await drawn(ctx)
  const delay = await step(ctx, { id }, { type: 'DELAY', config })
  await lead(ctx, { id }, delay, await step(ctx, { id }))
  await enable(ctx, { id })
  const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
  world.clock.turn(Date.parse(from) - world.clock.now().getTime())
  const { id: executionId } = await startWorkflowExecution(ctx, { id, contactId })
  await runAll(world)
  const { stepExecutions } = await getWorkflowExecution(ctx, { id, executionId })
  expect(stepExecutions).toMatchObject([{ status: 'WAITING', scheduledFor: new Date(end), output: { resumeAt: end } }])
  world.clock.turn(Date.parse(end) - Date.parse(from) - 1)
  await runAll(world)
  expect(await pathOf(ctx, { id, executionId })).toEqual(['DELAY WAITING'])
  world.clock.turn(1)
  await runAll(world)
  expect(await pathOf(ctx, { id, executionId })).toEqual(['DELAY COMPLETED', 'EXIT COMPLETED'])
})

test('a delay whose workflow is changed while it waits ends when it was to end, on the steps it began on', async () => {
  const { ctx } = await freshProject(world)
  const { id } = await drawn(ctx)
  const delay = await step(ctx, { id }, { type: 'DELAY', config: { amount: 2, unit: 'hours' } })
  await lead(ctx, { id }, delay, await step(ctx, { id }, { config: { reason: 'first' } }))
  await enable(ctx, { id })
  const start = async (email: string) => {
    const { id: contactId } = await upsertContact(ctx, { email })
    return (await startWorkflowExecution(ctx, { id, contactId })).id
  }
  const before = await start('ada@example.com')
  await runAll(world)
  await updateWorkflowStep(ctx, { id, stepId: delay.id, config: { amount: 4, unit: 'hours' } })
  const after = await start('bob@example.com')
  await runAll(world)
  const statuses = async () =>
    (await Promise.all([before, after].map((executionId) => getWorkflowExecution(ctx, { id, executionId })))).map(({ status, version }) => [
      version,
      status,
    ])
  world.clock.turn(2 * 3_600_000)
  await runAll(world)
  expect(await statuses()).toEqual([
    [1, 'EXITED'],
    [2, 'WAITING'],
  ])
  world.clock.turn(2 * 3_600_000)
  await runAll(world)
  expect(await statuses()).toEqual([
    [1, 'EXITED'],
    [2, 'EXITED'],
  ])
})

test('delays and timeouts run from when the execution came to them, however late a worker is; a step in between is an end of its own', async () => {
  const { ctx } = await freshProject(world)
  const { id } = await drawn(ctx)
  const steps = []
  for (const draft of [
    { type: 'DELAY', config: { amount: 1, unit: 'hours' } },
    { type: 'DELAY', config: { amount: 2, unit: 'hours' } },
    { type: 'UPDATE_CONTACT', config: { updates: { seen: true } } },
    { type: 'DELAY', config: { amount: 1, unit: 'hours' } },
    { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 60 } },
  ] as const)
    steps.push(await step(ctx, { id }, { ...draft, autoConnect: true } as Parameters<typeof step>[2]))
  await enable(ctx, { id })
  const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
  const begun = world.clock.now().getTime()
  const { id: executionId } = await startWorkflowExecution(ctx, { id, contactId })
  const ends = async () => {
    await runAll(world)
    const { stepExecutions } = await getWorkflowExecution(ctx, { id, executionId })
    return stepExecutions.map(({ scheduledFor }) => scheduledFor && (scheduledFor.getTime() - begun) / 60_000)
  }
  const turn = (minutes: number) => world.clock.turn(minutes * 60_000)
  turn(30)
  expect(await ends()).toEqual([60])
  turn(60)
  expect(await ends()).toEqual([60, 180])
  turn(120)
  expect(await ends()).toEqual([60, 180, null, 270])
  turn(60.5)
  expect(await ends()).toEqual([60, 180, null, 270, 271])
})

test.each([true, false])(
  'a delay that is over lets exit events go first that happened before its end, read (%s) or not',
  async (isRead) => {
    const { ctx } = await freshProject(world)
    const { id } = await drawn(ctx, { exitEvents: ['left'] })
    await step(ctx, { id }, { type: 'DELAY', config: { amount: 1, unit: 'minutes' } })
    await step(ctx, { id }, { config: { reason: 'over' }, autoConnect: true })
    await enable(ctx, { id })
    await followEvents(world)
    const track = (event: string, email: string) => trackEvent(ctx, { email, event } as Parameters<typeof trackEvent>[1])
    await track('signed-up', 'ada@example.com')
    await track('signed-up', 'bob@example.com')
    await runAll(world)
    world.clock.turn(60_000)
    await track('left', 'ada@example.com')
    world.clock.turn(1)
    await track('left', 'bob@example.com')
    await logSettled(world)
    if (isRead) while (await followEvents(world));
    while (await advanceDue(world)) await runnerIdle(world)
    const reasons = async () => (await listWorkflowExecutions(ctx, { id, page: 1, pageSize: 2 })).data.map(({ exitReason }) => exitReason)
    expect(await reasons()).toEqual(['over', null])
    await runAll(world)
    expect(await reasons()).toEqual(['over', 'The event "left" happened.'])
  },
)
