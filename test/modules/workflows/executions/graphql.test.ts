import { expect, test } from 'vitest'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { watchExecution } from '../../../../src/modules/workflows/executions/relations.ts'
import { executionsTopic } from '../../../../src/modules/workflows/wake.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/gql.ts'
import type { TypedDocumentString } from '../../../help/graphql/graphql.ts'
import { sendingProject } from '../../../help/mails.ts'
import { testServer } from '../../../help/server.ts'
import { drawn, enable, lead, runAll, step } from '../../../help/workflows.ts'
import { freshProject } from '../../../help/world.ts'

const { url, world } = await testServer()

const Start = graphql(`
  mutation StartExecution($input: StartWorkflowExecutionInput!) {
    startWorkflowExecution(input: $input) { execution { id status context version currentStep { name type } contact { email } workflow { name } } }
  }
`)
const Cancel = graphql(`
  mutation CancelExecution($input: CancelWorkflowExecutionInput!) { cancelWorkflowExecution(input: $input) { execution { status exitReason } } }
`)
const CancelAll = graphql(`
  mutation CancelExecutions($id: ID!) { cancelWorkflowExecutions(input: { workflowId: $id }) { cancelled workflow { id } } }
`)
const Read = graphql(`
  query ReadExecution($id: ID!, $workflow: ID!, $contact: ID!) {
    workflowExecution(id: $id) {
      status exitReason completedAt
      stepExecutions { status input output branch attempts step { name type } }
    }
    node(id: $id) { __typename id }
    workflow(id: $workflow) {
      steps { name entered completed failed }
      executions(filter: { statuses: [EXITED, FAILED] }) { totalCount edges { node { id } } }
    }
    contact(id: $contact) { executions { totalCount edges { node { id status workflow { name } } } } }
  }
`)

function callerOf(secret: string) {
  const send = asker(url, secret)
  return {
    async ask<Data, Variables>(document: TypedDocumentString<Data, Variables>, variables: Variables): Promise<Data> {
      const { data, errors } = await send(document, variables)
      expect(errors).toEqual([])
      return data as Data
    },
    async refused<Data, Variables>(document: TypedDocumentString<Data, Variables>, variables: Variables): Promise<string | undefined> {
      return (await send(document, variables)).errors[0]?.extensions.code
    },
  }
}

async function withDelay() {
  const project = await freshProject(world)
  const { ctx } = project
  const { id } = await drawn(ctx)
  const delay = await step(ctx, { id }, { type: 'DELAY', name: 'Pause', config: { amount: 5, unit: 'minutes' } })
  await lead(ctx, { id }, delay, await step(ctx, { id }, { name: 'End' }))
  await enable(ctx, { id })
  const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
  return { ...project, ...callerOf(project.secret), id, contactId }
}

test('starts an execution and shows its way, its counts and its contact', async () => {
  const { ask, id, contactId } = await withDelay()
  const { startWorkflowExecution } = await ask(Start, { input: { workflowId: id, contactId, context: { plan: 'pro' } } })
  const { execution } = startWorkflowExecution
  expect(execution).toMatchObject({
    status: 'RUNNING',
    context: { plan: 'pro' },
    version: 1,
    currentStep: { name: 'Pause', type: 'DELAY' },
    contact: { email: 'ada@example.com' },
    workflow: { name: 'Onboarding' },
  })
  await runAll(world)
  world.clock.turn(300_000)
  await runAll(world)
  const read = await ask(Read, { id: execution.id, workflow: id, contact: contactId })
  expect(read.workflowExecution).toMatchObject({
    status: 'EXITED',
    exitReason: 'exit_step',
    stepExecutions: [
      {
        status: 'COMPLETED',
        input: { amount: 5, unit: 'MINUTES' },
        output: { delayUnit: 'MINUTES' },
        branch: null,
        attempts: 1,
        step: { name: 'Pause' },
      },
      { status: 'COMPLETED', step: { name: 'End', type: 'EXIT' } },
    ],
  })
  expect(read.node).toEqual({ __typename: 'WorkflowExecution', id: execution.id })
  expect(read.workflow?.steps).toEqual([
    { name: 'Pause', entered: 1, completed: 1, failed: 0 },
    { name: 'End', entered: 1, completed: 1, failed: 0 },
  ])
  expect(read.workflow?.executions).toEqual({ totalCount: 1, edges: [{ node: { id: execution.id } }] })
  expect(read.contact?.executions).toMatchObject({
    totalCount: 1,
    edges: [{ node: { status: 'EXITED', workflow: { name: 'Onboarding' } } }],
  })
})

test('cancels one execution, and all; fails like REST, and shows nothing to other projects', async () => {
  const { ask, refused, id, contactId } = await withDelay()
  const { startWorkflowExecution } = await ask(Start, { input: { workflowId: id, contactId } })
  const input = { id: startWorkflowExecution.execution.id }
  expect(await refused(Start, { input: { workflowId: id, contactId } })).toBe('EXECUTION_ACTIVE')
  expect((await ask(Cancel, { input })).cancelWorkflowExecution.execution).toEqual({ status: 'CANCELLED', exitReason: 'Cancelled by user' })
  expect(await refused(Cancel, { input })).toBe('CONFLICT')
  expect((await ask(CancelAll, { id })).cancelWorkflowExecutions).toEqual({ cancelled: 0, workflow: { id } })
  const other = await withDelay()
  expect(await other.refused(Cancel, { input })).toBe('RESOURCE_NOT_FOUND')
  expect(await other.refused(Read, { id: input.id, workflow: other.id, contact: other.contactId })).toBe('RESOURCE_NOT_FOUND')
})

test('streams an execution until it has ended', async () => {
  const { ctx, ask, id, contactId } = await withDelay()
  const { startWorkflowExecution } = await ask(Start, { input: { workflowId: id, contactId } })
  const executionId = startWorkflowExecution.execution.id
  const stream = await watchExecution(ctx, { id: executionId })
  expect((await stream.next()).value).toMatchObject({ status: 'RUNNING' })
  await runAll(world)
  const { value: waiting } = await stream.next()
  expect(waiting).toMatchObject({ status: 'WAITING', resumesAt: expect.any(Date) })
  // What people see has changed: it goes on at another time.
  const wakeAt = new Date(+world.clock.now() + 5_000)
  await world.db.prisma.workflowExecution.updateMany({ where: { projectId: ctx.projectId, id: executionId }, data: { wakeAt } })
  world.notices.publish(executionsTopic, ctx.projectId)
  expect((await stream.next()).value).toMatchObject({ status: 'WAITING', resumesAt: wakeAt })
  await ask(Cancel, { input: { id: executionId } })
  expect((await stream.next()).value).toMatchObject({ status: 'CANCELLED' })
  expect((await stream.next()).done).toBe(true)
})

test('a step that has sent an email leads to it', async () => {
  const { ctx, secret } = await sendingProject(world)
  const { ask } = callerOf(secret)
  const { id: templateId } = await createTemplate(ctx, { subject: 'Hi', body: 'B', from: 'hello@demo.test' })
  const workflow = await drawn(ctx)
  await step(ctx, workflow, { type: 'SEND_EMAIL', templateId })
  await step(ctx, workflow, { autoConnect: true })
  await enable(ctx, workflow)
  const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
  const { startWorkflowExecution } = await ask(Start, { input: { workflowId: workflow.id, contactId } })
  await runAll(world)
  const read = graphql(`query EmailsOfSteps($id: ID!) {
    workflowExecution(id: $id) { stepExecutions { email { to subject execution { id } } } }
    emails(filter: { executionId: $id }) { totalCount nodes { subject } }
  }`)
  const { id } = startWorkflowExecution.execution
  expect(await ask(read, { id })).toEqual({
    workflowExecution: { stepExecutions: [{ email: { to: 'ada@example.com', subject: 'Hi', execution: { id } } }, { email: null }] },
    emails: { totalCount: 1, nodes: [{ subject: 'Hi' }] },
  })
})
