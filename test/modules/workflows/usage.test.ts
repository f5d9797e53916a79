import { expect, test } from 'vitest'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { createSegment } from '../../../src/modules/segments/segments.ts'
import { createTemplate } from '../../../src/modules/templates/templates.ts'
import { updateWorkflow } from '../../../src/modules/workflows/changes.ts'
import { deleteWorkflowStep } from '../../../src/modules/workflows/graph/steps.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/gql.ts'
import { sendingProject } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'
import { drawn, enable, step, withExecution } from '../../help/workflows.ts'
import { freshProject } from '../../help/world.ts'

// What other resources say about the workflows that need them.
const { call, url, world } = await testServer()

const Uses = graphql(`
  query UsesInWorkflows($event: String!) {
    contactFields(first: 50) { nodes { field usage { isUsed workflows(first: 5) { totalCount nodes { name } } } } }
    eventUsage(name: $event) { isUsed workflows(first: 5) { nodes { id name } } }
  }
`)
const Steps = graphql(`
  query StepsOfTemplate($id: ID!) { template(id: $id) { workflowSteps(first: 5) { totalCount nodes { id name workflow { name } } } } }
`)

async function withAsking() {
  const project = await freshProject(world)
  const { ctx, secret: key } = project
  await call('POST /contacts', { email: 'ada@example.com', data: { plan: 'pro', tier: 1, other: 1 } }, { key })
  const asking = await drawn(ctx, { name: 'Asking', exitEvents: ['left'] })
  await step(ctx, asking, { type: 'CONDITION', config: { field: 'contact.data.plan', operator: 'equals', value: 'pro' } })
  await step(ctx, asking, { type: 'CONDITION', config: { field: 'event.other', operator: 'exists' } })
  await step(ctx, asking, { type: 'UPDATE_CONTACT', config: { updates: { tier: 2 } } })
  await step(ctx, asking, { type: 'WAIT_FOR_EVENT', config: { eventName: 'email.open' } })
  const manual = await drawn(ctx, { name: 'Manual', eventName: 'unused' })
  await updateWorkflow(ctx, { id: manual.id, triggerType: 'MANUAL' })
  const field = async (name: string) => (await call(`GET /contacts/fields/${name}/usage`, undefined, { key })).body
  const event = async (name: string) => (await call(`GET /events/${name}/usage`, undefined, { key })).body
  return { ...project, key, asking, field, event, used: [{ id: asking.id, name: 'Asking' }] }
}

test('GET /contacts/fields/:field/usage lists workflows whose steps ask or change the field, not those that ask the event', async () => {
  const { field, used } = await withAsking()
  expect(await field('plan')).toMatchObject({ usedInWorkflows: used, canDelete: false })
  expect(await field('data.tier')).toMatchObject({ usedInWorkflows: used, canDelete: false })
  expect(await field('other')).toMatchObject({ usedInWorkflows: [], canDelete: true })
})

test('GET /events/:eventName/usage lists workflows that the event starts or ends, or whose steps wait for it', async () => {
  const { event, used } = await withAsking()
  expect(await event('signed-up')).toMatchObject({ usedInWorkflows: used, canDelete: false })
  expect(await event('left')).toMatchObject({ usedInWorkflows: used, canDelete: false })
  expect(await event('email.open')).toMatchObject({ usedInWorkflows: used, canDelete: false })
  // It does not start the workflow whose trigger is MANUAL.
  expect(await event('unused')).toMatchObject({ usedInWorkflows: [], canDelete: true })
  expect(await event('other')).toMatchObject({ usedInWorkflows: [], canDelete: true })
})

test('GraphQL leads from fields and events to the same workflows', async () => {
  const { secret, asking } = await withAsking()
  const { data, errors } = await asker(url, secret)(Uses, { event: 'signed-up' })
  expect(errors).toEqual([])
  const usage = (name: string) => data?.contactFields.nodes.find(({ field }) => field === name)?.usage
  expect(usage('data.plan')).toEqual({ isUsed: true, workflows: { totalCount: 1, nodes: [{ name: 'Asking' }] } })
  expect(usage('data.other')).toEqual({ isUsed: false, workflows: { totalCount: 0, nodes: [] } })
  expect(data?.eventUsage).toEqual({ isUsed: true, workflows: { nodes: [{ id: asking.id, name: 'Asking' }] } })
})

test('a template that a step sends says so, and is not deleted: 409 TEMPLATE_IN_USE', async () => {
  const { ctx, secret: key, projectId } = await sendingProject(world)
  const { id } = await createTemplate(ctx, { subject: 'Hi', body: 'Hi', from: 'hello@demo.test' })
  const workflow = await drawn(ctx)
  const send = await step(ctx, workflow, { type: 'SEND_EMAIL', name: 'Welcome', templateId: id })
  const usage = { id: send.id, name: 'Welcome', workflowId: workflow.id, workflowName: 'Onboarding' }
  expect((await call(`GET /templates/${id}/usage`, undefined, { key })).body.workflowSteps).toEqual([usage])
  const { data } = await asker(url, key)(Steps, { id })
  expect(data?.template?.workflowSteps).toEqual({
    totalCount: 1,
    nodes: [{ id: send.id, name: 'Welcome', workflow: { name: 'Onboarding' } }],
  })
  const refused = await call(`DELETE /templates/${id}`, undefined, { key })
  expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
    409,
    'TEMPLATE_IN_USE',
    'The step "Welcome" of the workflow "Onboarding" sends this template.',
  ])
  // Its sender is that of the step as well.
  const [domain] = (await call(`GET /domains/project/${projectId}`, undefined, { key })).body
  expect((await call(`DELETE /domains/${domain.id}`, undefined, { key })).body.error.code).toBe('DOMAIN_IN_USE')
  await deleteWorkflowStep(ctx, { id: workflow.id, stepId: send.id })
  expect((await call(`DELETE /templates/${id}`, undefined, { key })).status).toBe(204)
  expect((await call(`DELETE /templates/${id}`, undefined, { key })).body.error.code).toBe('TEMPLATE_NOT_FOUND')
})

test('a template of a version that is in use is not deleted, although the steps have changed since', async () => {
  const { ctx, projectId, secret: key } = await sendingProject(world)
  const { id } = await createTemplate(ctx, { subject: 'Hi', body: 'Hi', from: 'hello@demo.test' })
  const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
  const { workflow, executionId } = await withExecution(world, { ctx, contactId, templateId: id })
  const remove = async () => {
    const { status, body } = await call(`DELETE /templates/${id}`, undefined, { key })
    return status === 204 ? 204 : [status, body.error.code, body.error.message]
  }
  const [send] = (await call(`GET /workflows/${workflow.id}`, undefined, { key })).body.steps
  const inUse = [409, 'TEMPLATE_IN_USE', 'The workflow "Onboarding" sends this template.']
  // Without a template the step must fail, so that executions go on starting on the version before.
  await call(`PATCH /workflows/${workflow.id}/steps/${send.id}`, { templateId: null }, { key })
  expect(await remove()).toEqual(inUse)
  // An execution has begun on it.
  await updateWorkflow(ctx, { id: workflow.id, enabled: false })
  expect(await remove()).toEqual(inUse)
  await world.db.prisma.workflowExecution.updateMany({ where: { projectId, id: executionId }, data: { status: 'CANCELLED' } })
  expect(await remove()).toBe(204)
})

test('a template that is given to a step while it is deleted stays, or is not found by the step', async () => {
  const { ctx, secret: key } = await sendingProject(world)
  const workflow = await drawn(ctx)
  for (let round = 0; round < 10; round++) {
    const { id } = await createTemplate(ctx, { subject: 'Hi', body: 'Hi', from: 'hello@demo.test' })
    const [added, removed] = await Promise.all([
      call(`POST /workflows/${workflow.id}/steps`, { type: 'SEND_EMAIL', templateId: id }, { key }),
      call(`DELETE /templates/${id}`, undefined, { key }),
    ])
    expect([
      [201, 409],
      [404, 204],
    ]).toContainEqual([added.status, removed.status])
  }
})

test('a segment that an enabled workflow asks for is not deleted: 409 SEGMENT_IN_USE', async () => {
  const { ctx, secret: key } = await freshProject(world)
  const { id } = await createSegment(ctx, { name: 'VIP', type: 'STATIC' })
  const workflow = await drawn(ctx)
  await step(ctx, workflow, { type: 'CONDITION', config: { condition: { field: `segment.${id}`, operator: 'memberOfSegment' } } })
  await enable(ctx, workflow)
  const refused = await call(`DELETE /segments/${id}`, undefined, { key })
  expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
    409,
    'SEGMENT_IN_USE',
    'The workflow "Onboarding", which is enabled, asks who is in this segment.',
  ])
  await updateWorkflow(ctx, { id: workflow.id, enabled: false })
  expect((await call(`DELETE /segments/${id}`, undefined, { key })).status).toBe(204)
})

test('the setup of a project says whether a workflow is enabled', async () => {
  const { ctx, projectId, secret: key } = await freshProject(world)
  const state = async () => (await call(`GET /projects/${projectId}/setup-state`, undefined, { key })).body.hasEnabledWorkflow
  const workflow = await drawn(ctx)
  expect(await state()).toBe(false)
  await enable(ctx, workflow)
  expect(await state()).toBe(true)
  const { data } = await asker(url, key)('{ project { setupState { hasEnabledWorkflow } } }')
  expect(data).toEqual({ project: { setupState: { hasEnabledWorkflow: true } } })
})
