import { expect, test } from 'vitest'
import { trackEvent } from '../../src/modules/contacts/track.ts'
import { createTemplate } from '../../src/modules/templates/templates.ts'
import { followEvents } from '../../src/modules/workflows/triggers/triggers.ts'
import { killableWorkers } from '../help/killable.ts'
import { mailServer } from '../help/smtp.ts'
import { until } from '../help/until.ts'
import { drawn, enable, lead, step } from '../help/workflows.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld({ running: true })
const workers = killableWorkers(world)
const contacts = 60
const kills = 8

test('eight kills while two workers take 60 contacts through a workflow: each walks its path exactly once', async () => {
  await followEvents(world)
  const server = await mailServer()
  const { ctx, projectId } = await workers.sender()
  const { id: templateId } = await createTemplate(ctx, {
    name: 'Hi',
    subject: 'Hi',
    body: '<p>Hi</p>',
    from: 'hello@demo.test',
    type: 'TRANSACTIONAL',
  } as Parameters<typeof createTemplate>[1])
  const { id } = await drawn(ctx)
  const mark = await step(ctx, { id }, { type: 'UPDATE_CONTACT', config: { updates: { marked: true } } })
  const ask = await step(ctx, { id }, { type: 'CONDITION', config: { field: 'data.marked', operator: 'equals', value: true } })
  const pause = await step(ctx, { id }, { type: 'DELAY', config: { amount: 0.01, unit: 'minutes' } })
  const send = await step(ctx, { id }, { type: 'SEND_EMAIL', templateId })
  const wait = await step(ctx, { id }, { type: 'WAIT_FOR_EVENT', config: { eventName: 'clicked', timeout: 15 } })
  const leave = await step(ctx, { id }, { type: 'UPDATE_CONTACT', config: { subscriptionAction: 'unsubscribe' } })
  const late = await step(ctx, { id }, { config: { reason: 'late' } })
  for (const [from, to, branch] of [
    [mark, ask],
    [ask, pause, 'yes'],
    [pause, send],
    [send, wait],
    [wait, leave, 'event'],
    [wait, late, 'timeout'],
  ] as const)
    await lead(ctx, { id }, from, to, branch)
  await enable(ctx, { id })
  const addresses = Array.from({ length: contacts }, (_, at) => `c${at}@example.com`)
  await Promise.all(addresses.map((email) => trackEvent(ctx, { email, event: 'signed-up' } as Parameters<typeof trackEvent>[1])))

  const records = () => world.db.prisma.workflowStepExecution.count({ where: { projectId, completedAt: { not: null } } })
  const active = () => world.db.prisma.workflowExecution.count({ where: { projectId, completedAt: null } })
  const other = await workers.start(server.url)
  for (let round = 0; round < kills; round++) {
    const worker = await workers.start(server.url)
    const before = await records()
    await until(async () => (await records()) > before + round || (await records()) >= contacts * 4, 30_000)
    await workers.kill(worker)
  }
  const last = await workers.start(server.url)
  await until(async () => (await world.db.prisma.email.count({ where: { projectId } })) === contacts, 60_000)
  const clicking = addresses.slice(0, contacts / 2)
  await Promise.all(clicking.map((email) => trackEvent(ctx, { email, event: 'clicked' } as Parameters<typeof trackEvent>[1])))
  await until(async () => (await active()) === 0 && (await world.db.prisma.delivery.count({ where: { projectId } })) === 0, 90_000)
  await Promise.all([workers.kill(last), workers.kill(other)])

  const executions = await world.db.prisma.workflowExecution.findMany({
    where: { projectId },
    include: { steps: { orderBy: { id: 'asc' } }, contact: true },
  })
  expect(new Set(executions.map(({ contactId }) => contactId)).size).toBe(contacts)
  const common = [mark, ask, pause, send, wait]
  for (const { steps, status, contact } of executions) {
    const clicked = !contact.subscribed
    expect(steps.map((one) => [one.stepId, one.status])).toEqual([...common, clicked ? leave : late].map((one) => [one.id, 'COMPLETED']))
    expect(status).toBe(clicked ? 'COMPLETED' : 'EXITED')
    expect(contact.data).toEqual({ marked: true })
  }
  const emails = await world.db.prisma.email.findMany({ where: { projectId } })
  expect([emails.length, new Set(emails.map(({ executionId }) => executionId)).size]).toEqual([contacts, contacts])
  const lines = await world.db.prisma.event.groupBy({ by: ['name'], where: { projectId }, _count: true })
  const count = Object.fromEntries(lines.map(({ name, _count }) => [name, _count]))
  const left = executions.filter(({ contact }) => !contact.subscribed).length
  expect(count).toMatchObject({ 'workflow.started': contacts, 'workflow.completed': contacts, 'workflow.email.scheduled': contacts })
  expect(count['contact.unsubscribed'] ?? 0).toBe(left)
  const usage = await world.db.prisma.billingUsage.findMany({ where: { projectId, category: 'workflows' } })
  expect(usage.reduce((sum, one) => sum + one.count, 0)).toBe(contacts)
  const entered = await world.db.prisma.workflowStepCount.aggregate({
    where: { projectId, stepId: send.id },
    _sum: { entered: true, completed: true },
  })
  expect([Number(entered._sum.entered), Number(entered._sum.completed)]).toEqual([contacts, contacts])
}, 300_000)
