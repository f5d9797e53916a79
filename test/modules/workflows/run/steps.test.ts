import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { updateBillingLimits } from '../../../../src/modules/billing/limits.ts'
import { getContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { deleteField } from '../../../../src/modules/contacts/fields/delete.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { deleteEventName } from '../../../../src/modules/events/events.ts'
import { findLastEvents } from '../../../../src/modules/filters/sql.ts'
import { createSegment, updateSegment } from '../../../../src/modules/segments/segments.ts'
import { createTemplate, updateTemplate } from '../../../../src/modules/templates/templates.ts'
import { getWorkflowExecution } from '../../../../src/modules/workflows/executions/executions.ts'
import { startWorkflowExecution } from '../../../../src/modules/workflows/executions/start.ts'
import type { StepDraft } from '../../../../src/modules/workflows/graph/shapes.ts'
import { summariseWholeLog } from '../../../help/counted.ts'
import { sendingProject } from '../../../help/mails.ts'
import { drawn, enable, runAll, step } from '../../../help/workflows.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()

/** Runs a workflow of one step for a contact. */
async function ran(ctx: Ctx, draft: Partial<StepDraft>, { context, data = {} }: { context?: Record<string, unknown>; data?: object } = {}) {
  const { id } = await drawn(ctx)
  await step(ctx, { id }, draft)
  await enable(ctx, { id })
  const contact = await upsertContact(ctx, { email: 'ada@example.com', data } as Parameters<typeof upsertContact>[1])
  const { id: executionId } = await startWorkflowExecution(ctx, { id, contactId: contact.id, context })
  await runAll(world)
  const execution = await getWorkflowExecution(ctx, { id, executionId })
  return { ...execution, did: execution.stepExecutions[0] }
}

describe('CONDITION', () => {
  const plan = { field: 'data.plan', operator: 'equals', value: 'pro' }
  const multi = {
    mode: 'multi',
    field: 'event.amount',
    branches: [
      { id: 'big', operator: 'greaterThan', value: 100 },
      { id: 'some', operator: 'greaterThan', value: 1 },
    ],
  }
  test.each([
    ['a field of the contact', plan, 'yes'],
    ['the long name of a field', { ...plan, field: 'contact.data.plan' }, 'yes'],
    ['what does not match', { ...plan, value: 'free' }, 'no'],
    ['the context', { field: 'event.amount', operator: 'greaterThan', value: 10 }, 'yes'],
    ['the context by its other name', { field: 'workflow.amount', operator: 'equals', value: 11 }, 'no'],
    ['the first branch that matches', multi, 'some'],
    ['no branch', { ...multi, branches: [multi.branches[0]] }, 'default'],
    [
      'the language of segments',
      { condition: { logic: 'AND', groups: [{ filters: [plan, { field: 'subscribed', operator: 'equals', value: true }] }] } },
      'yes',
    ],
  ])('asks %s', async (_what, config, branch) => {
    const { ctx } = await freshProject(world)
    const { status, did } = await ran(ctx, { type: 'CONDITION', config }, { context: { amount: 50 }, data: { plan: 'pro' } })
    expect([status, did?.branch, did?.output]).toEqual(['COMPLETED', branch, expect.objectContaining({ branch })])
  })
})

test('CONDITION fails where everybody would be a member of a segment by now, because what it asks to be missing was deleted', async () => {
  const { ctx } = await freshProject(world)
  await upsertContact(ctx, { email: 'bob@example.com', data: { plan: 'pro' } })
  const absent = { field: 'data.plan', operator: 'notExists' } as const
  const segment = await createSegment(ctx, { name: 'Without', condition: absent })
  world.clock.turn(60_000)
  await deleteField(ctx, { field: 'plan' })
  world.clock.turn(60_000)
  const config = { field: `segment.${segment.id}`, operator: 'memberOfSegment' }
  const { status, did } = await ran(ctx, { type: 'CONDITION', config })
  expect([status, did?.error]).toEqual(['FAILED', expect.stringContaining('deleted after its condition was chosen')])
  const multi = {
    mode: 'multi',
    field: config.field,
    branches: [
      { id: 'outside', operator: 'notMemberOfSegment' },
      { id: 'inside', operator: 'memberOfSegment' },
    ],
  }
  expect(await ran(ctx, { type: 'CONDITION', config: multi })).toMatchObject({ status: 'FAILED' })
  const others = { ...config, operator: 'notMemberOfSegment' }
  expect(await ran(ctx, { type: 'CONDITION', config: others })).toMatchObject({ status: 'FAILED' })
  for (const condition of [{ field: 'email', operator: 'contains', value: '@' } as const, absent])
    await updateSegment(ctx, { id: segment.id, condition })
  expect(await ran(ctx, { type: 'CONDITION', config })).toMatchObject({ status: 'COMPLETED', did: { branch: 'yes' } })
})

test('CONDITION leads nobody to "yes" by a segment of those to whom an event has not happened, when that is deleted while it is asked', async () => {
  const { ctx } = await freshProject(world)
  await trackEvent(ctx, { email: 'ada@example.com', event: 'paid' } as Parameters<typeof trackEvent>[1])
  await summariseWholeLog(world)
  const { id } = await createSegment(ctx, { name: 'Unpaid', condition: { field: 'event.paid', operator: 'notTriggered' } })
  world.clock.turn(60_000)
  const { run } = world.db
  world.db.run = async (statement, values) => {
    if (statement.name !== findLastEvents.name) return run(statement, values)
    world.db.run = run
    await deleteEventName(ctx, { eventName: 'paid' })
    return run(statement, values)
  }
  const { did } = await ran(ctx, { type: 'CONDITION', config: { field: `segment.${id}`, operator: 'memberOfSegment' } })
  expect([world.db.run === run, did?.branch]).toEqual([true, null])
})

test('CONDITION with a condition and a filter beside it asks the condition, and shows that', async () => {
  const { ctx } = await freshProject(world)
  const condition = { field: 'data.plan', operator: 'equals', value: 'pro' }
  const config = { field: 'data.age', operator: 'greaterThan', value: 3, condition }
  const { did } = await ran(ctx, { type: 'CONDITION', config }, { data: { plan: 'pro', age: 1 } })
  const filters = [{ field: 'data.plan', operator: 'equals', actualValue: 'pro', result: true }]
  expect(did?.output).toEqual({ filters, result: true, branch: 'yes' })
})

describe('UPDATE_CONTACT', () => {
  test('merges by the rules of data, and logs a changed subscription with its source', async () => {
    const { ctx, projectId } = await freshProject(world)
    const config = { updates: { plan: 'pro', old: null, empty: '' }, subscriptionAction: 'unsubscribe' }
    const { contactId, id, did } = await ran(ctx, { type: 'UPDATE_CONTACT', config }, { data: { old: 1, empty: 'stays' } })
    expect(await getContact(ctx, { id: contactId })).toMatchObject({ subscribed: false, data: { plan: 'pro', empty: 'stays' } })
    expect(did?.output).toMatchObject({ updated: true, subscribed: false })
    const line = await ctx.db.prisma.event.findFirst({ where: { projectId, name: 'contact.unsubscribed' } })
    expect(line?.data).toEqual({ source: 'workflow', executionId: id, depth: 1 })
  })

  test('fails when the contact would pass a bound, and changes nothing', async () => {
    const { ctx } = await freshProject(world)
    const full = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, at]))
    const { status, exitReason, contactId, did } = await ran(
      ctx,
      { type: 'UPDATE_CONTACT', config: { updates: { one: 1 } } },
      { data: full },
    )
    expect([status, did?.status, did?.error]).toEqual(['FAILED', 'FAILED', exitReason])
    expect(exitReason).toContain('at most 500 stored keys')
    expect((await getContact(ctx, { id: contactId })).data).toEqual(full)
  })
})

describe('SEND_EMAIL', () => {
  const template = { subject: 'Hello {{ event.plan }}', body: '<p>{{ plan }} {{ name }}</p>', from: 'hello@demo.test' }

  test('accepts one email in the lane of workflows, with the context, counted as workflow email', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id: templateId } = await createTemplate(ctx, template as Parameters<typeof createTemplate>[1])
    const { contactId, id, did } = await ran(ctx, { type: 'SEND_EMAIL', templateId }, { context: { plan: 'pro' }, data: { name: 'Ada' } })
    const emails = await ctx.db.prisma.email.findMany({ where: { projectId }, include: { delivery: true, content: true } })
    expect(emails).toMatchObject([
      { contactId, executionId: id, source: 'WORKFLOW', toAddress: 'ada@example.com', delivery: { lane: 1 }, content: { templateId } },
    ])
    expect(did?.output).toMatchObject({ emailId: emails[0]?.id, recipientType: 'CONTACT', recipientEmail: 'ada@example.com' })
    const usage = await ctx.db.prisma.billingUsage.findMany({ where: { projectId } })
    expect(usage).toMatchObject([{ category: 'workflows', count: 1 }])
  })

  test('stores a content once for the emails of a contact, until the template or the data change', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id: templateId } = await createTemplate(ctx, template as Parameters<typeof createTemplate>[1])
    const { id } = await drawn(ctx, { allowReentry: true })
    for (let n = 0; n < 3; n++) await step(ctx, { id }, { type: 'SEND_EMAIL', templateId, autoConnect: true })
    await enable(ctx, { id })
    const [ada, bob] = [await upsertContact(ctx, { email: 'ada@example.com' }), await upsertContact(ctx, { email: 'bob@example.com' })]
    const run = async (contactId: string, context: Record<string, unknown>) => {
      await startWorkflowExecution(ctx, { id, contactId, context })
      await runAll(world)
      const emails = await ctx.db.prisma.email.findMany({
        where: { projectId, contactId },
        include: { content: true },
        orderBy: { id: 'asc' },
      })
      return { emails: emails.length, contents: new Set(emails.map(({ contentId }) => contentId)).size, last: emails.at(-1)?.content }
    }
    expect(await run(ada.id, { plan: 'pro' })).toMatchObject({ emails: 3, contents: 1, last: { data: { event: { plan: 'pro' } } } })
    expect(await run(ada.id, { plan: 'pro' })).toMatchObject({ emails: 6, contents: 1 })
    expect(await run(bob.id, { plan: 'pro' })).toMatchObject({ emails: 3, contents: 1 })
    expect(await ctx.db.prisma.emailContent.count({ where: { projectId } })).toBe(2)
    expect(await run(ada.id, { plan: 'free' })).toMatchObject({ emails: 9, contents: 2, last: { data: { event: { plan: 'free' } } } })
    await updateTemplate(ctx, { id: templateId, body: '<p>Changed</p>' })
    expect(await run(ada.id, { plan: 'pro' })).toMatchObject({ emails: 12, contents: 3, last: { html: '<p>Changed</p>' } })
    await ctx.db.prisma.email.deleteMany({ where: { projectId } })
    await ctx.db.prisma.emailContent.deleteMany({ where: { projectId } })
    expect(await run(ada.id, { plan: 'pro' })).toMatchObject({ emails: 3, contents: 1, last: { html: '<p>Changed</p>' } })
  })

  test('sends to another address, for the contact', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id: templateId } = await createTemplate(ctx, template as Parameters<typeof createTemplate>[1])
    const config = { recipient: { type: 'CUSTOM', customEmail: 'boss@example.com' } }
    const { contactId } = await ran(ctx, { type: 'SEND_EMAIL', templateId, config })
    expect(await ctx.db.prisma.email.findMany({ where: { projectId } })).toMatchObject([{ contactId, toAddress: 'boss@example.com' }])
    expect(await ctx.db.prisma.contact.count({ where: { projectId } })).toBe(1)
  })

  test('fails over the cap of workflows, and sends nothing', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id: templateId } = await createTemplate(ctx, template as Parameters<typeof createTemplate>[1])
    await updateBillingLimits(ctx, { id: projectId, workflows: 0 } as Parameters<typeof updateBillingLimits>[1])
    const { status, exitReason, did } = await ran(ctx, { type: 'SEND_EMAIL', templateId })
    expect([status, did?.error]).toEqual(['FAILED', exitReason])
    expect(exitReason).toContain('The cap for workflows email is 0 per month')
    expect(await ctx.db.prisma.email.count({ where: { projectId } })).toBe(0)
  })
})
