import { simpleParser } from 'mailparser'
import { expect } from 'vitest'
import type { Ctx } from '../../src/kit/context.ts'
import { trackEvent } from '../../src/modules/contacts/track.ts'
import { createTemplate } from '../../src/modules/templates/templates.ts'
import type { WorkflowStep } from '../../src/modules/workflows/graph/shapes.ts'
import { followEvents } from '../../src/modules/workflows/triggers/triggers.ts'
import { killableWorkers } from './killable.ts'
import { mailServer } from './smtp.ts'
import { until } from './until.ts'
import { drawn, enable, lead, step } from './workflows.ts'
import type { TestWorld } from './world.ts'

/** How large a story of workflows is. */
export interface StoryPlan {
  contacts: number
  kills: number
  /** Seconds for which an execution waits for a click. */
  waitSeconds: number
}

type Steps = Record<'mark' | 'ask' | 'pause' | 'welcome' | 'wait' | 'thank' | 'done' | 'remind', WorkflowStep>

const track = (ctx: Ctx, email: string, event: string) => trackEvent(ctx, { email, event } as Parameters<typeof trackEvent>[1])

/** Sign-up, a pause, an email, and a wait for a click: then the contact is changed and the execution exits; otherwise it is reminded. */
async function onboarding(ctx: Ctx, waitSeconds: number): Promise<{ id: string; steps: Steps }> {
  const template = async (subject: string) => {
    const draft = { name: subject, subject, body: `<p>${subject}</p>`, from: 'hello@demo.test', type: 'TRANSACTIONAL' }
    return (await createTemplate(ctx, draft as Parameters<typeof createTemplate>[1])).id
  }
  const { id } = await drawn(ctx)
  const add = (draft: Parameters<typeof step>[2]) => step(ctx, { id }, draft)
  const steps: Steps = {
    mark: await add({ type: 'UPDATE_CONTACT', config: { updates: { marked: true } } }),
    ask: await add({ type: 'CONDITION', config: { field: 'data.marked', operator: 'equals', value: true } }),
    pause: await add({ type: 'DELAY', config: { amount: 0.01, unit: 'minutes' } }),
    welcome: await add({ type: 'SEND_EMAIL', templateId: await template('Welcome') }),
    wait: await add({ type: 'WAIT_FOR_EVENT', config: { eventName: 'clicked', timeout: waitSeconds } }),
    thank: await add({ type: 'UPDATE_CONTACT', config: { updates: { clicked: true }, subscriptionAction: 'unsubscribe' } }),
    done: await add({ config: { reason: 'clicked' } }),
    remind: await add({ type: 'SEND_EMAIL', templateId: await template('Reminder') }),
  }
  const { mark, ask, pause, welcome, wait, thank, done, remind } = steps
  for (const [from, to, branch] of [
    [mark, ask],
    [ask, pause, 'yes'],
    [pause, welcome],
    [welcome, wait],
    [wait, thank, 'event'],
    [thank, done],
    [wait, remind, 'timeout'],
  ] as const)
    await lead(ctx, { id }, from, to, branch)
  await enable(ctx, { id })
  return { id, steps }
}

/** Takes contacts through a workflow with two workers, one of which is killed again and again, and checks what each has been through. */
export async function killWhileOnboarding(world: TestWorld, { contacts, kills, waitSeconds }: StoryPlan): Promise<void> {
  const workers = killableWorkers(world)
  await followEvents(world)
  const server = await mailServer()
  const { ctx, projectId } = await workers.sender()
  const { steps } = await onboarding(ctx, waitSeconds)
  const addresses = Array.from({ length: contacts }, (_, at) => `c${at}@example.com`)
  await Promise.all(addresses.map((email) => track(ctx, email, 'signed-up')))

  const { prisma } = world.db
  const records = () => prisma.workflowStepExecution.count({ where: { projectId, completedAt: { not: null } } })
  const active = () => prisma.workflowExecution.count({ where: { projectId, completedAt: null } })
  // Every second contact clicks as soon as its execution waits.
  const clicking = new Set(addresses.filter((_, at) => at % 2 === 0))
  const click = async (): Promise<void> => {
    const waits = await prisma.workflowExecution.findMany({ where: { projectId, waitsFor: 'clicked' }, select: { contact: true } })
    for (const { contact } of waits) if (clicking.delete(contact.email)) await track(ctx, contact.email, 'clicked')
  }
  const other = await workers.start(server.url)
  for (let round = 0; round < kills; round++) {
    const worker = await workers.start(server.url)
    const before = await records()
    await until(async () => {
      await click()
      return (await records()) > before + round || (await active()) === 0
    }, 60_000)
    await workers.kill(worker)
  }
  const last = await workers.start(server.url)
  await until(async () => {
    await click()
    const left = await Promise.all([
      active(),
      prisma.workflowLine.count({ where: { projectId } }),
      prisma.delivery.count({ where: { projectId } }),
    ])
    return left.every((count) => count === 0)
  }, 180_000)
  await Promise.all([workers.kill(last), workers.kill(other)])
  await checkPaths(world, projectId, { contacts, steps })
  await checkMails(world, projectId, server)
}

async function checkPaths({ db }: TestWorld, projectId: string, { contacts, steps }: { contacts: number; steps: Steps }): Promise<void> {
  const executions = await db.prisma.workflowExecution.findMany({
    where: { projectId },
    include: { steps: { orderBy: { id: 'asc' } }, contact: true },
  })
  expect([executions.length, new Set(executions.map(({ contactId }) => contactId)).size]).toEqual([contacts, contacts])
  const { mark, ask, pause, welcome, wait, thank, done, remind } = steps
  const common = [mark, ask, pause, welcome, wait]
  for (const { steps: visited, status, reason, contact } of executions) {
    const clicked = !contact.subscribed
    const path = clicked ? [...common, thank, done] : [...common, remind]
    expect(visited.map((one) => [one.stepId, one.status])).toEqual(path.map(({ id }) => [id, 'COMPLETED']))
    expect([status, reason]).toEqual(clicked ? ['EXITED', 'clicked'] : ['COMPLETED', null])
    expect(contact.data).toEqual({ marked: true, ...(clicked && { clicked: true }) })
  }
  const left = executions.filter(({ contact }) => !contact.subscribed).length
  expect([left > 0, left < contacts]).toEqual([true, true])
  const lines = await db.prisma.event.groupBy({ by: ['name'], where: { projectId }, _count: true })
  const count = Object.fromEntries(lines.map(({ name, _count }) => [name, _count]))
  const emails = contacts + (contacts - left)
  expect(count).toMatchObject({ 'workflow.started': contacts, 'workflow.completed': contacts, 'workflow.email.scheduled': emails })
  expect(count['contact.unsubscribed']).toBe(left)
  const visits = await db.prisma.workflowStepCount.groupBy({
    by: ['stepId'],
    where: { projectId },
    _sum: { entered: true, completed: true },
  })
  for (const [at, times] of [
    ...common.map((one) => [one, contacts] as const),
    [thank, left] as const,
    [remind, contacts - left] as const,
  ]) {
    const { entered, completed } = visits.find(({ stepId }) => stepId === at.id)?._sum ?? {}
    expect([Number(entered), Number(completed)]).toEqual([times, times])
  }
}

async function checkMails({ db }: TestWorld, projectId: string, server: Awaited<ReturnType<typeof mailServer>>): Promise<void> {
  const emails = await db.prisma.email.findMany({ where: { projectId } })
  const written = emails.map(({ executionId, subject }) => `${executionId} ${subject}`)
  expect(new Set(written).size).toBe(emails.length)
  const reminders = emails.filter(({ subject }) => subject === 'Reminder').length
  const executions = await db.prisma.workflowExecution.count({ where: { projectId } })
  expect(emails).toHaveLength(executions + reminders)
  expect(new Set(emails.map(({ status }) => status))).toEqual(new Set(['SENT']))
  // What a worker had sent when it was killed may arrive again, with the same id.
  const arrived = await Promise.all(server.mails.map(async ({ raw }) => (await simpleParser(raw)).messageId))
  expect(new Set(arrived)).toEqual(new Set(emails.map(({ id }) => `<${id}@demo.test>`)))
  expect(arrived.length - emails.length).toBeLessThanOrEqual(emails.reduce((sum, { attempts }) => sum + attempts - 1, 0))
  const usage = await db.prisma.billingUsage.findMany({ where: { projectId, category: 'workflows' } })
  expect(usage.reduce((sum, one) => sum + one.count, 0)).toBe(emails.length)
}
