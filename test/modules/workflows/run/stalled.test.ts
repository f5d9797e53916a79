import { expect, test } from 'vitest'
import { callIn } from '../../../../src/kit/context.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { getWorkflowExecution } from '../../../../src/modules/workflows/executions/executions.ts'
import { startWorkflowExecution } from '../../../../src/modules/workflows/executions/start.ts'
import { takeDue } from '../../../../src/modules/workflows/run/sql.ts'
import { wakeStalled } from '../../../../src/modules/workflows/run/stalled.ts'
import { drawn, enable, runAll, step } from '../../../help/workflows.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
/** A machine whose clock is five hours ahead. */
const ahead = await testWorld({ databaseUrl: world.databaseUrl })
const hourMs = 3_600_000
ahead.clock.turn(5 * hourMs)

test('what a machine has started or claimed whose clock was ahead goes on when a process begins, or its clock was set back', async () => {
  const { ctx, projectId } = await freshProject(world)
  const { id } = await drawn(ctx, { allowReentry: true })
  await step(ctx, { id }, { type: 'DELAY', config: { amount: 1, unit: 'days' } })
  await enable(ctx, { id })
  const start = async (n: number, on = callIn(ahead, { projectId, actor: ctx.actor })) => {
    const contact = await upsertContact(ctx, { email: `c${n}@example.com` })
    return (await startWorkflowExecution(on, { id, contactId: contact.id })).id
  }
  const statusOf = async (executionId: string) => (await getWorkflowExecution(ctx, { id, executionId })).status
  const before = await start(1)
  const waiting = await start(2, ctx)
  await runAll(world)
  expect([await statusOf(before), await statusOf(waiting)]).toEqual(['RUNNING', 'WAITING'])
  const { wakeAt } = await world.db.prisma.workflowExecution.findFirstOrThrow({ where: { projectId, id: waiting } })
  expect(await wakeStalled(world)).toBe(false)
  await runAll(world)
  expect(await statusOf(before)).toBe('WAITING')
  // A delay is as long as it is.
  const after = await world.db.prisma.workflowExecution.findFirstOrThrow({ where: { projectId, id: waiting } })
  expect(after.wakeAt).toEqual(wakeAt)
  const later = await start(3)
  world.clock.turn(hourMs)
  await wakeStalled(world)
  await runAll(world)
  expect(await statusOf(later)).toBe('RUNNING')
  world.clock.turn(-hourMs)
  await wakeStalled(world)
  await runAll(world)
  expect(await statusOf(later)).toBe('WAITING')
})

test('one that waits, and that a machine has claimed whose clock was ahead, goes on as well', async () => {
  const { ctx, projectId } = await freshProject(world)
  const { id } = await drawn(ctx)
  await step(ctx, { id }, { type: 'DELAY', config: { amount: 1, unit: 'hours' } })
  await step(ctx, { id }, { autoConnect: true })
  await enable(ctx, { id })
  const contact = await upsertContact(ctx, { email: 'ada@example.com' })
  const { id: executionId } = await startWorkflowExecution(ctx, { id, contactId: contact.id })
  await runAll(world)
  const due = new Date(+world.clock.now() + hourMs)
  const lease = new Date(+due + 4 * hourMs)
  await world.db.run(takeDue, [due, 1_000, 'a machine ahead', lease])
  world.clock.turn(2 * hourMs)
  await wakeStalled(world)
  world.clock.turn(-hourMs)
  await wakeStalled(world)
  await runAll(world)
  expect((await getWorkflowExecution(ctx, { id, executionId })).status).toBe('EXITED')
  expect(await world.db.prisma.workflowExecution.count({ where: { projectId, claim: { not: null } } })).toBe(0)
})
