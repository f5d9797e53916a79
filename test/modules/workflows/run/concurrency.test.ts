import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { cancelWorkflowExecution, cancelWorkflowExecutions } from '../../../../src/modules/workflows/executions/cancel.ts'
import { startWorkflowExecution } from '../../../../src/modules/workflows/executions/start.ts'
import { handleAll } from '../../../../src/modules/workflows/lines/worker.ts'
import { advanceDue, runnerIdle } from '../../../../src/modules/workflows/run/worker.ts'
import { decidedAfterMs } from '../../../../src/modules/workflows/steps/wait-for-event.ts'
import { followEvents } from '../../../../src/modules/workflows/triggers/triggers.ts'
import { holder } from '../../../help/holder.ts'
import { sendingProject } from '../../../help/mails.ts'
import { until } from '../../../help/until.ts'
import { drawn, enable, lead, pathOf, runAll, step } from '../../../help/workflows.ts'
import { freshProject, logSettled, type TestWorld, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const other = await testWorld({ databaseUrl: world.databaseUrl })
await followEvents(world)

const track = (ctx: Ctx, event: string, email: string) => trackEvent(ctx, { email, event } as Parameters<typeof trackEvent>[1])
const addresses = (count: number) => Array.from({ length: count }, (_, at) => `c${at}@example.com`)
const work = async (on: TestWorld) => {
  while ((await followEvents(on)) || (await handleAll(on)) > 0 || (await advanceDue(on))) await runnerIdle(on)
}
const turn = (ms: number) => {
  for (const one of [world, other]) one.clock.turn(ms)
}

/** A workflow that counts what it does: waits for `paid` for a minute, sends nothing, and says by which way it went. */
async function waitingFor(ctx: Ctx, draft: object = {}) {
  const { id } = await drawn(ctx, draft)
  const wait = await step(ctx, { id }, { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 60 } })
  await lead(ctx, { id }, wait, await step(ctx, { id }, { config: { reason: 'came' } }), 'event')
  await lead(ctx, { id }, wait, await step(ctx, { id }, { config: { reason: 'late' } }), 'timeout')
  await enable(ctx, { id })
  return id
}

const executionsOf = (projectId: string) => world.db.prisma.workflowExecution.findMany({ where: { projectId }, include: { steps: true } })

describe('two processes', () => {
  test('take each execution through each of its steps once', async () => {
    const { ctx, projectId } = await freshProject(world)
    const { id } = await drawn(ctx)
    const steps = []
    for (const n of [1, 2, 3]) {
      const config = { updates: { [`step${n}`]: true } }
      steps.push(await step(ctx, { id }, { type: 'UPDATE_CONTACT', config, autoConnect: true }))
    }
    await enable(ctx, { id })
    await Promise.all(addresses(60).map((email) => track(ctx, 'signed-up', email)))
    await logSettled(world)
    for (let round = 0; round < 3; round++) await Promise.all([work(world), work(other)])
    await runAll(world)
    const all = await executionsOf(projectId)
    expect([all.length, new Set(all.map(({ contactId }) => contactId)).size]).toEqual([60, 60])
    for (const { status, steps: done } of all)
      expect([status, done.map(({ stepId }) => stepId).sort()]).toEqual(['COMPLETED', steps.map((one) => one.id).sort()])
    const lines = await world.db.prisma.event.groupBy({
      by: ['name'],
      where: { projectId, name: { startsWith: 'workflow.' } },
      _count: true,
    })
    expect(lines.map(({ name, _count }) => [name, _count]).sort()).toEqual([
      ['workflow.completed', 60],
      ['workflow.started', 60],
    ])
    expect((await world.db.prisma.contact.findFirst({ where: { projectId } }))?.data).toEqual({ step1: true, step2: true, step3: true })
  })

  test('end each wait once when the event and the timeout come together, and each by one of its ways', async () => {
    const { ctx, projectId } = await freshProject(world)
    await waitingFor(ctx)
    await Promise.all(addresses(20).map((email) => track(ctx, 'signed-up', email)))
    await runAll(world)
    turn(60_000)
    // Two at once for each of half of the contacts.
    const paying = addresses(10)
    await Promise.all([...paying, ...paying].map((email) => track(ctx, 'paid', email)))
    await logSettled(world)
    turn(decidedAfterMs)
    await Promise.all([work(world), work(other)])
    await runAll(world)
    const all = await executionsOf(projectId)
    expect(all.map(({ reason }) => reason).sort()).toEqual([...Array(10).fill('came'), ...Array(10).fill('late')])
    for (const { steps } of all) expect(steps.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED'])
  })
})

test('cancelling all executions beside triggers leaves none half ended: each is cancelled, or began later and waits', async () => {
  const { ctx, projectId } = await freshProject(world)
  const id = await waitingFor(ctx, { allowReentry: true })
  const emails = addresses(12)
  let cancelled = 0
  for (let round = 0; round < 6; round++) {
    world.clock.turn(1)
    await Promise.all(emails.map((email) => track(ctx, 'signed-up', email)))
    await logSettled(world)
    const [, , all] = await Promise.all([work(world), work(other), cancelWorkflowExecutions(ctx, { id })])
    cancelled += all.cancelled
  }
  await runAll(world)
  cancelled += (await cancelWorkflowExecutions(ctx, { id })).cancelled
  const all = await executionsOf(projectId)
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['CANCELLED']))
  expect(all).toHaveLength(cancelled)
  expect(all.flatMap(({ steps }) => steps.map(({ status }) => status)).filter((status) => status !== 'CANCELLED')).toEqual([])
  expect(await world.db.prisma.workflowEntry.count({ where: { projectId, executionId: { not: null } } })).toBe(0)
  const ends = await world.db.prisma.event.count({ where: { projectId, name: 'workflow.completed' } })
  expect(ends).toBe(cancelled)
})

test('cancelling an execution while a step of it is being stored leaves no step open', async () => {
  const { ctx, projectId } = await freshProject(world)
  const id = await waitingFor(ctx)
  const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
  const { id: executionId } = await startWorkflowExecution(ctx, { id, contactId })
  const key = [projectId, executionId]
  const storing = await holder(world)
  await storing.run(`update workflow_executions set status = 'WAITING', wake_at = null where project_id = $1 and id = $2`, key)
  await storing.run(
    `insert into workflow_step_executions (project_id, execution_id, id, step_id, status, started_at)
     select project_id, id, 'stx_' || id, current_step_id, 'WAITING', started_at from workflow_executions where project_id = $1 and id = $2`,
    key,
  )
  const cancelling = cancelWorkflowExecution(ctx, { id, executionId })
  await storing.waitedFor()
  await storing.commit()
  expect(await cancelling).toMatchObject({ status: 'CANCELLED', stepExecutions: [{ status: 'CANCELLED', completedAt: expect.any(Date) }] })
})

test('a step whose connection is lost is done again a second later, once', async () => {
  const { ctx, projectId } = await freshProject(world)
  const { id } = await drawn(ctx)
  await step(ctx, { id }, { type: 'UPDATE_CONTACT', config: { updates: { seen: true }, subscriptionAction: 'unsubscribe' } })
  await enable(ctx, { id })
  const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
  const { id: executionId } = await startWorkflowExecution(ctx, { id, contactId })
  const held = await holder(world)
  await held.run('select 1 from contacts where project_id = $1 and id = $2 for update', [projectId, contactId])
  await advanceDue(world)
  await held.terminate(await held.waitedFor())
  await runnerIdle(world)
  await held.commit()
  expect(await pathOf(ctx, { id, executionId })).toEqual([])
  await runAll(world)
  expect(await pathOf(ctx, { id, executionId })).toEqual([])
  world.clock.turn(1_000)
  await runAll(world)
  expect(await pathOf(ctx, { id, executionId })).toEqual(['UPDATE_CONTACT COMPLETED'])
  expect(await world.db.prisma.event.count({ where: { projectId, name: 'contact.unsubscribed' } })).toBe(1)
})

test.each(['UPDATE_CONTACT', 'SEND_EMAIL'] as const)(
  '%s of a contact that is deleted meanwhile cancels, and charges nothing',
  async (type) => {
    const { ctx, projectId } = await sendingProject(world)
    const draft = { subject: 'Hi', body: '<p>Hi</p>', from: 'hello@demo.test' } as Parameters<typeof createTemplate>[1]
    const { id } = await drawn(ctx)
    if (type === 'SEND_EMAIL') await step(ctx, { id }, { type, templateId: (await createTemplate(ctx, draft)).id })
    else await step(ctx, { id }, { type, config: { updates: { seen: true } } })
    await enable(ctx, { id })
    const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
    await startWorkflowExecution(ctx, { id, contactId })
    const deletion = await holder(world)
    const key = [projectId, contactId]
    await deletion.run('select 1 from contacts where project_id = $1 and id = $2 for update', key)
    await advanceDue(world)
    await deletion.waitedFor()
    await deletion.run('update contacts set deleted_at = now() where project_id = $1 and id = $2', key)
    await deletion.commit()
    await runnerIdle(world)
    expect(await executionsOf(projectId)).toMatchObject([{ status: 'CANCELLED', reason: 'Contact deleted', steps: [] }])
    const usage = await world.db.prisma.billingUsage.findMany({ where: { projectId } })
    expect(usage.reduce((sum, { count }) => sum + count, 0)).toBe(0)
  },
)

// The last one: what it leaves is due before everything else.
test('a project with 20,000 executions that are due delays one of another project by two batches', async () => {
  const busy = await freshProject(world)
  const { id } = await drawn(busy.ctx)
  const exit = await step(busy.ctx, { id })
  const { version } = await enable(busy.ctx, { id })
  const fill = await holder(world)
  await fill.run(
    `insert into workflow_executions (project_id, id, workflow_id, version, contact_id, current_step_id, wake_at, started_at, updated_at)
     select $1, 'exe_' || n, $2, $3, 'cnt_' || n, $4, $5::timestamptz - interval '1 hour', $5, $5 from generate_series(1, 20000) n`,
    [busy.projectId, id, version, exit.id, world.clock.now()],
  )
  await fill.commit()
  const { ctx, projectId } = await freshProject(world)
  const workflow = await drawn(ctx)
  await step(ctx, workflow)
  await enable(ctx, workflow)
  const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
  await startWorkflowExecution(ctx, { id: workflow.id, contactId })
  for (let taken = 0; taken < 3; taken++) await advanceDue(world)
  await until(async () => (await world.db.prisma.workflowExecution.count({ where: { projectId, status: 'EXITED' } })) === 1)
  const left = await world.db.prisma.workflowExecution.count({ where: { projectId: busy.projectId, status: 'RUNNING' } })
  expect(left).toBeGreaterThan(19_000)
})
