import { expect, test } from 'vitest'
import { createSegment, deleteSegment } from '../../../src/modules/segments/segments.ts'
import { createTemplate } from '../../../src/modules/templates/templates.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/gql.ts'
import { sendingProject } from '../../help/mails.ts'
import { fewestQueriesOf } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'
import { drawn, enable, lead, step } from '../../help/workflows.ts'
import { freshProject } from '../../help/world.ts'

const { call, url, world } = await testServer()

const Create = graphql(`
  mutation CreateWorkflow($input: CreateWorkflowInput!) {
    createWorkflow(input: $input) { workflow { id name enabled triggerType triggerConfig { eventName } exitEvents version issues { code } } }
  }
`)
const Update = graphql(`
  mutation UpdateWorkflow($input: UpdateWorkflowInput!) { updateWorkflow(input: $input) { workflow { id name enabled triggerType version } } }
`)
const Copy = graphql(
  `mutation DuplicateWorkflow($id: ID!) { duplicateWorkflow(input: { id: $id }) { workflow { name enabled steps { type } } } }`,
)
const Delete = graphql(`mutation DeleteWorkflow($id: ID!) { deleteWorkflow(input: { id: $id }) { deletedWorkflowId } }`)
const AddStep = graphql(`
  mutation AddStep($input: CreateWorkflowStepInput!) {
    createWorkflowStep(input: $input) {
      step { id type name position { x y } config template { name } }
      workflow { issues { code stepId } steps { id } transitions { branch fromStepId toStepId from { id } } }
    }
  }
`)
const ChangeStep = graphql(`
  mutation ChangeStep($input: UpdateWorkflowStepInput!) {
    updateWorkflowStep(input: $input) { step { id name config template { id } } workflow { version issues { code severity } } }
  }
`)
const RemoveStep = graphql(`
  mutation RemoveStep($input: DeleteWorkflowStepInput!) { deleteWorkflowStep(input: $input) { deletedStepId workflow { steps { id } } } }
`)
const Lead = graphql(`
  mutation Lead($input: CreateWorkflowTransitionInput!) {
    createWorkflowTransition(input: $input) { created transition { id branch priority from { id } to { id workflow { name } } } workflow { id } }
  }
`)
const Unlead = graphql(`
  mutation Unlead($input: DeleteWorkflowTransitionInput!) { deleteWorkflowTransition(input: $input) { deletedTransitionId workflow { id } } }
`)
const Read = graphql(`
  query ReadWorkflow($id: ID!) {
    workflow(id: $id) {
      name description allowReentry
      issues { code severity message stepId }
      steps { id type name config template { name } }
      transitions { branch fromStepId to { id } }
    }
    node(id: $id) { __typename id }
  }
`)
const List = graphql(`
  query ListWorkflows($filter: WorkflowFilter, $first: Int) {
    workflows(filter: $filter, first: $first) { totalCount nodes { id name issues { code } steps { name } transitions { priority } } }
  }
`)

test('workflows are created, changed, copied, listed and deleted as in REST', async () => {
  const { secret, ctx } = await freshProject(world)
  const ask = asker(url, secret)
  const input = { name: 'Onboarding', triggerConfig: { eventName: 'signed-up' }, exitEvents: ['left'] }
  const created = await ask(Create, { input })
  const workflow = created.data?.createWorkflow.workflow
  expect([created.errors, workflow]).toEqual([
    [],
    {
      id: expect.stringMatching(/^wfl_/),
      name: 'Onboarding',
      enabled: false,
      triggerType: 'EVENT',
      triggerConfig: { eventName: 'signed-up' },
      exitEvents: ['left'],
      version: 0,
      issues: [],
    },
  ])
  const manual = await ask(Create, { input: { name: 'By hand', triggerType: 'MANUAL' } })
  expect(manual.data?.createWorkflow.workflow).toMatchObject({ triggerType: 'MANUAL', triggerConfig: null })
  await ask(Delete, { id: manual.data?.createWorkflow.workflow.id ?? '' })
  const id = workflow?.id ?? ''
  await step(ctx, { id })
  const updated = await ask(Update, { input: { id, name: 'New', enabled: true, triggerType: 'MANUAL' } })
  expect(updated.data?.updateWorkflow.workflow).toEqual({ id, name: 'New', enabled: true, triggerType: 'MANUAL', version: 1 })
  const copied = await ask(Copy, { id })
  expect(copied.data?.duplicateWorkflow.workflow).toEqual({ name: 'New (Copy)', enabled: false, steps: [{ type: 'EXIT' }] })
  const listed = await ask(List, { filter: { search: 'copy' }, first: 1 })
  expect(listed.data?.workflows).toMatchObject({
    totalCount: 1,
    nodes: [{ name: 'New (Copy)', steps: [{ name: 'Exit' }], transitions: [] }],
  })
  const enabled = async (one: boolean) =>
    (await ask(List, { filter: { enabled: one }, first: 2 })).data?.workflows.nodes.map(({ name }) => name)
  expect([await enabled(true), await enabled(false)]).toEqual([['New'], ['New (Copy)']])
  expect((await ask(Delete, { id })).data?.deleteWorkflow).toEqual({ deletedWorkflowId: id })
  expect((await ask(Read, { id })).errors[0]?.extensions.code).toBe('RESOURCE_NOT_FOUND')
})

test('steps and transitions are added, changed and removed, each with the workflow as it is then', async () => {
  const { secret, ctx } = await sendingProject(world)
  const { id: templateId } = await createTemplate(ctx, { name: 'Hello', subject: 'Hi', body: 'Hi', from: 'hello@demo.test' })
  const { id: workflowId } = await drawn(ctx)
  const ask = asker(url, secret)
  const send = await ask(AddStep, { input: { workflowId, type: 'SEND_EMAIL', position: { x: 1, y: 2 } } })
  expect(send.data?.createWorkflowStep).toMatchObject({
    step: { type: 'SEND_EMAIL', name: 'Send email', position: { x: 1, y: 2 }, config: {}, template: null },
    workflow: { transitions: [], issues: [{ code: 'MISSING_TEMPLATE', stepId: send.data?.createWorkflowStep.step.id }] },
  })
  const sendId = send.data?.createWorkflowStep.step.id ?? ''
  const changed = await ask(ChangeStep, { input: { id: sendId, name: 'Welcome', templateId } })
  expect(changed.data?.updateWorkflowStep).toEqual({
    step: { id: sendId, name: 'Welcome', config: {}, template: { id: templateId } },
    workflow: { version: 0, issues: [] },
  })
  const config = { field: 'data.plan', operator: 'EQUALS', value: 'pro' }
  const condition = await ask(AddStep, { input: { workflowId, type: 'CONDITION', config, autoConnect: true } })
  const conditionId = condition.data?.createWorkflowStep.step.id ?? ''
  expect(condition.data?.createWorkflowStep).toMatchObject({
    step: { config },
    workflow: { transitions: [{ branch: null, fromStepId: sendId, toStepId: conditionId, from: { id: sendId } }] },
  })
  const exit = await ask(AddStep, { input: { workflowId, type: 'EXIT' } })
  const exitId = exit.data?.createWorkflowStep.step.id ?? ''
  const way = { fromStepId: conditionId, toStepId: exitId, branch: 'yes', priority: 1 }
  const led = await ask(Lead, { input: way })
  const transition = led.data?.createWorkflowTransition.transition
  expect(led.data?.createWorkflowTransition).toEqual({
    created: true,
    transition: {
      id: expect.stringMatching(/^trn_/),
      branch: 'yes',
      priority: 1,
      from: { id: conditionId },
      to: { id: exitId, workflow: { name: 'Onboarding' } },
    },
    workflow: { id: workflowId },
  })
  expect((await ask(Lead, { input: way })).data?.createWorkflowTransition).toMatchObject({
    created: false,
    transition: { id: transition?.id },
  })
  const refused = await ask(Lead, { input: { ...way, branch: 'maybe' } })
  expect(refused.errors[0]?.extensions).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'branch', code: 'unknown_branch' }] })
  const unled = await ask(Unlead, { input: { id: transition?.id ?? '' } })
  expect(unled.data?.deleteWorkflowTransition).toEqual({ deletedTransitionId: transition?.id, workflow: { id: workflowId } })
  const removed = await ask(RemoveStep, { input: { id: conditionId } })
  expect(removed.data?.deleteWorkflowStep).toEqual({ deletedStepId: conditionId, workflow: { steps: [{ id: sendId }, { id: exitId }] } })
})

test('a workflow leads to its steps, and they to their templates and to one another', async () => {
  const { ctx, secret } = await sendingProject(world)
  const { id: templateId } = await createTemplate(ctx, { name: 'Hello', subject: 'Hi', body: 'Hi', from: 'hello@demo.test' })
  const { id: segment } = await createSegment(ctx, { name: 'VIP', type: 'STATIC' })
  const workflow = await drawn(ctx)
  const asks = await step(ctx, workflow, { type: 'CONDITION', config: { field: `segment.${segment}`, operator: 'memberOfSegment' } })
  const send = await step(ctx, workflow, { type: 'SEND_EMAIL', templateId })
  await lead(ctx, workflow, asks, send, 'yes')
  await lead(ctx, workflow, asks, send, 'no')
  await deleteSegment(ctx, { id: segment })
  const { data, errors } = await asker(url, secret)(Read, { id: workflow.id })
  expect(errors).toEqual([])
  expect(data).toEqual({
    workflow: {
      name: 'Onboarding',
      description: null,
      allowReentry: false,
      issues: [{ code: 'DELETED_SEGMENT', severity: 'ERROR', message: expect.stringContaining('was deleted'), stepId: asks.id }],
      steps: [
        {
          ...{
            id: asks.id,
            type: 'CONDITION',
            name: 'Condition',
            config: { ...asks.config, operator: 'MEMBER_OF_SEGMENT' },
            template: null,
          },
        },
        { id: send.id, type: 'SEND_EMAIL', name: 'Send email', config: {}, template: { name: 'Hello' } },
      ],
      transitions: [
        { branch: 'yes', fromStepId: asks.id, to: { id: send.id } },
        { branch: 'no', fromStepId: asks.id, to: { id: send.id } },
      ],
    },
    node: { __typename: 'Workflow', id: workflow.id },
  })
})

test('a list of workflows with their steps costs queries by depth, not by rows', async () => {
  const { ctx, secret } = await freshProject(world)
  for (let n = 0; n < 4; n++) {
    const workflow = await drawn(ctx, { name: `W${n}` })
    await step(ctx, workflow, { type: 'DELAY', config: { amount: 1, unit: 'days' } })
    await step(ctx, workflow, { autoConnect: true })
    await enable(ctx, workflow)
  }
  const ask = asker(url, secret)
  await ask(List, { first: 1 })
  const few = await fewestQueriesOf(() => ask<{ workflows: { nodes: object[] } }>(List.toString(), { first: 2 }))
  const many = await fewestQueriesOf(() => ask<{ workflows: { nodes: object[] } }>(List.toString(), { first: 4 }))
  expect([few.reply.errors, many.reply.errors, many.reply.data?.workflows.nodes.length]).toEqual([[], [], 4])
  expect(many.queries).toBeLessThanOrEqual(few.queries)
})

test('codes of failures are those of REST, and nothing of another project is found', async () => {
  const { ctx } = await freshProject(world)
  const workflow = await drawn(ctx)
  const { id } = await step(ctx, workflow)
  const { secret } = await freshProject(world)
  const ask = asker(url, secret)
  const input = { id }
  const answers = [
    await ask(Read, { id: workflow.id }),
    await ask(Update, { input: { id: workflow.id, name: 'Mine' } }),
    await ask(ChangeStep, { input: { ...input, name: 'Mine' } }),
    await ask(RemoveStep, { input }),
    await ask(Delete, { id: workflow.id }),
  ]
  expect(answers.map(({ errors }) => errors[0]?.extensions.code)).toEqual(Array(5).fill('RESOURCE_NOT_FOUND'))
  expect((await call(`GET /workflows/${workflow.id}`, undefined, { key: secret })).status).toBe(404)
})

test('a canvas, and a page of executions with what their steps did, fit the limit of cost', async () => {
  const { ctx, secret } = await freshProject(world)
  const { id } = await drawn(ctx)
  const ask = asker(url, secret)
  const canvas = `{ workflow(id: "${id}") {
    name description enabled triggerType triggerConfig { eventName } issues { code severity message stepId }
    steps { id type name position { x y } config entered completed failed template { id name } }
    transitions { id branch priority fromStepId toStepId }
  } }`
  const page = `{ workflow(id: "${id}") { executions(first: 20) { nodes { id status stepExecutions { id status error step { id name type } } } } } }`
  const costs = []
  for (const query of [canvas, page]) {
    const { errors, extensions } = await ask(query)
    expect(errors).toEqual([])
    costs.push(extensions.cost?.requested ?? 0)
  }
  expect(costs[0]).toBeLessThan(2_500)
  expect(costs[1]).toBeLessThan(2_000)
})
