import { expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { startWorkflowExecution } from '../../../../src/modules/workflows/executions/start.ts'
import { advanceExecution, newClaim } from '../../../../src/modules/workflows/run/advance.ts'
import { takeDue } from '../../../../src/modules/workflows/run/sql.ts'
import { startRunner } from '../../../../src/modules/workflows/run/worker.ts'
import { holder } from '../../../help/holder.ts'
import { until } from '../../../help/until.ts'
import { drawn, enable, runAll, step } from '../../../help/workflows.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()

const change = { type: 'UPDATE_CONTACT', config: { updates: { seen: true } } } as const

/** Starts an execution of a workflow that changes its contact so often, for each of some contacts. */
async function started(ctx: Ctx, { steps = 1, contacts = 1 }: { steps?: number; contacts?: number }): Promise<void> {
  const { id } = await drawn(ctx)
  for (let n = 0; n < steps; n++) await step(ctx, { id }, { ...change, autoConnect: true })
  await enable(ctx, { id })
  for (let n = 0; n < contacts; n++) {
    const { id: contactId } = await upsertContact(ctx, { email: `c${n}@example.com` })
    await startWorkflowExecution(ctx, { id, contactId })
  }
}

const ended = (projectId: string) => world.db.prisma.workflowExecution.count({ where: { projectId, status: 'COMPLETED' } })
const visits = (projectId: string) => world.db.prisma.workflowStepExecution.count({ where: { projectId } })

test('an execution with many steps gives its place up after 10 of them, stays claimed, and takes each step once', async () => {
  const { ctx, projectId } = await freshProject(world)
  await started(ctx, { steps: 25 })
  const claim = newClaim(world)
  const now = world.clock.now()
  const [taken] = await world.db.run(takeDue, [now, 32, claim, new Date(now.getTime() + 30_000)])
  if (!taken) throw new Error('nothing is due')
  const next = await advanceExecution(world, claim, taken)
  expect(await visits(projectId)).toBeLessThanOrEqual(10)
  expect(next).toMatchObject({ id: taken.id, record: null })
  expect(next?.stepId).not.toBe(taken.stepId)
  const stored = await world.db.prisma.workflowExecution.findFirst({ where: { projectId } })
  expect(stored).toMatchObject({ claim, currentStepId: next?.stepId, status: 'RUNNING' })
  for (let at = next; at; ) at = await advanceExecution(world, claim, at)
  expect([await ended(projectId), await visits(projectId)]).toEqual([1, 25])
})

test('executions with many steps, of which each gives its place up, end with each step done once', async () => {
  const { ctx, projectId } = await freshProject(world)
  await started(ctx, { steps: 23, contacts: 12 })
  await runAll(world)
  expect([await ended(projectId), await visits(projectId)]).toEqual([12, 12 * 23])
})

test('an account whose steps take long, in whichever of its projects, leaves places to others', async () => {
  const [one, other] = [await freshProject(world), await freshProject(world)]
  const { id: userId } = await world.db.prisma.user.create({
    data: { id: 'usr_slow', email: 'slow@example.com', createdAt: world.clock.now(), updatedAt: world.clock.now() },
  })
  const slow = [one, other]
  for (const { ctx, projectId } of slow) {
    await world.db.prisma.membership.create({ data: { projectId, userId, role: 'OWNER', createdAt: world.clock.now() } })
    await started(ctx, { contacts: 10 })
  }
  const locks = await holder(world)
  for (const { projectId } of slow) await locks.run('select 1 from contacts where project_id = $1 for update', [projectId])
  startRunner(world)
  await locks.waitedFor()
  const { ctx, projectId } = await freshProject(world)
  await started(ctx, { contacts: 2 })
  await until(async () => (await ended(projectId)) === 2)
  for (const each of slow) expect(await ended(each.projectId)).toBe(0)
  await locks.commit()
  for (const each of slow) {
    await until(async () => (await ended(each.projectId)) === 10)
    expect(await visits(each.projectId)).toBe(10)
  }
})
