import { expect, test } from 'vitest'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/gql.ts'
import type { NestedExecutionsQueryVariables } from '../../../help/graphql/graphql.ts'
import { sendingProject } from '../../../help/mails.ts'
import { queriesOf } from '../../../help/queries.ts'
import { testServer } from '../../../help/server.ts'
import { drawn, enable, runAll, step } from '../../../help/workflows.ts'
import { freshProject } from '../../../help/world.ts'

const { url, world } = await testServer()
await runAll(world)

const Nested = graphql(`
  query NestedExecutions($workflows: Int!, $first: Int, $last: Int, $after: String, $before: String, $filter: WorkflowExecutionFilter) {
    workflows(first: $workflows) {
      nodes {
        name
        executions(first: $first, last: $last, after: $after, before: $before, filter: $filter) {
          totalCount
          pageInfo { hasNextPage hasPreviousPage endCursor startCursor }
          nodes { id status contact { id email } }
        }
      }
    }
  }
`)
const Relations = graphql(`
  query ExecutionRelations {
    activity(first: 10) { nodes { type execution { id workflow { name } } } }
    emails(first: 2) { nodes { subject execution { id status workflow { name } contact { email } } } }
    events(first: 10) { nodes { name execution { id } } }
  }
`)

const contacts = ['a', 'b', 'c', 'd']

/** Workflows that each contact has been through, the first one without. */
async function withExecutions(count: number) {
  const project = await freshProject(world)
  const { ctx, secret } = project
  await drawn(ctx, { name: 'Empty' })
  for (let n = 0; n < count; n++) {
    const { id } = await drawn(ctx, { name: `Workflow ${n}` })
    if (n % 2 === 0) await step(ctx, { id })
    await enable(ctx, { id })
  }
  for (const name of contacts)
    await trackEvent(ctx, { email: `${name}@example.com`, event: 'signed-up' } as Parameters<typeof trackEvent>[1])
  await runAll(world)
  const send = asker(url, secret)
  return {
    async ask(variables: Partial<NestedExecutionsQueryVariables>) {
      const { data, errors } = await send(Nested, { workflows: 10, ...variables })
      expect(errors).toEqual([])
      return data?.workflows.nodes ?? []
    },
  }
}

test('the executions of a list of workflows are as many statements as those of one', async () => {
  const { ask } = await withExecutions(4)
  const one = await queriesOf(() => ask({ workflows: 1, first: 2 }), /workflow_executions/)
  const all = await queriesOf(() => ask({ workflows: 4, first: 2 }), /workflow_executions/)
  expect(all.reply.map(({ name, executions }) => [name, executions.totalCount, executions.nodes.length])).toEqual([
    ['Workflow 3', 4, 2],
    ['Workflow 2', 4, 2],
    ['Workflow 1', 4, 2],
    ['Workflow 0', 4, 2],
  ])
  // The ids of the pages, their nodes, and the totals.
  expect([one.queries, all.queries]).toEqual([3, 3])
})

test('each page leads to the next one, in both directions, also of those in a state', async () => {
  const { ask } = await withExecutions(2)
  const of = async (variables: Partial<NestedExecutionsQueryVariables>) =>
    (await ask(variables)).find(({ name }) => name === 'Workflow 0')?.executions
  const emails = (page: Awaited<ReturnType<typeof of>>) => page?.nodes.map(({ contact }) => contact?.email)
  const newest = await of({ first: 3 })
  expect([emails(newest), newest?.pageInfo.hasNextPage]).toEqual([['d@example.com', 'c@example.com', 'b@example.com'], true])
  const rest = await of({ first: 3, after: newest?.pageInfo.endCursor })
  expect([emails(rest), rest?.pageInfo.hasNextPage]).toEqual([['a@example.com'], false])
  const oldest = await of({ last: 2 })
  expect([emails(oldest), oldest?.pageInfo.hasPreviousPage]).toEqual([['b@example.com', 'a@example.com'], true])
  const before = await of({ last: 5, before: oldest?.pageInfo.startCursor })
  expect([emails(before), before?.pageInfo.hasPreviousPage]).toEqual([['d@example.com', 'c@example.com'], false])
  const states = (await ask({ filter: { statuses: ['EXITED'] } })).map(({ name, executions }) => [name, executions.totalCount])
  expect(states).toEqual([
    ['Workflow 1', 0],
    ['Workflow 0', 4],
    ['Empty', 0],
  ])
})

test('those of a contact are found, also in a state, and none of a contact that does not exist', async () => {
  const { ask } = await withExecutions(2)
  const [first] = (await ask({ first: 1 })).find(({ name }) => name === 'Workflow 0')?.executions.nodes ?? []
  const of = async (filter: NestedExecutionsQueryVariables['filter']) =>
    (await ask({ filter })).map(({ executions: { totalCount, nodes } }) => [totalCount, ...nodes.map(({ contact }) => contact?.email)])
  const contactId = first?.contact?.id
  expect(await of({ contactId })).toEqual([[1, 'd@example.com'], [1, 'd@example.com'], [0]])
  expect(await of({ contactId, statuses: ['EXITED'] })).toEqual([[0], [1, 'd@example.com'], [0]])
  expect(await of({ contactId: 'cnt_unknown' })).toEqual([[0], [0], [0]])
})

test('emails, events and activity lead to the execution they are about', async () => {
  const { ctx, secret } = await sendingProject(world)
  const draft = { subject: 'Welcome', body: '<p>Hi</p>', from: 'hello@demo.test' } as Parameters<typeof createTemplate>[1]
  const { id: templateId } = await createTemplate(ctx, draft)
  const { id } = await drawn(ctx)
  await step(ctx, { id }, { type: 'SEND_EMAIL', templateId })
  await step(ctx, { id }, { type: 'UPDATE_CONTACT', config: { subscriptionAction: 'unsubscribe' }, autoConnect: true })
  await enable(ctx, { id })
  const data = { executionId: 'exe_forged' }
  await trackEvent(ctx, { email: 'ada@example.com', event: 'signed-up', data } as unknown as Parameters<typeof trackEvent>[1])
  await runAll(world)
  const { data: found, errors } = await asker(url, secret)(Relations, {})
  expect(errors).toEqual([])
  const execution = found?.emails.nodes[0]?.execution
  expect(execution).toMatchObject({ status: 'COMPLETED', workflow: { name: 'Onboarding' }, contact: { email: 'ada@example.com' } })
  const ofEvents = found?.events.nodes.map(({ name, execution: one }) => [name, one?.id ?? null])
  expect(ofEvents).toEqual([
    ['workflow.completed', execution?.id],
    ['contact.unsubscribed', execution?.id],
    ['workflow.email.scheduled', execution?.id],
    ['workflow.started', execution?.id],
    ['signed-up', null],
  ])
  expect(found?.activity.nodes.map(({ type, execution: one }) => [type, one?.workflow?.name ?? null])).toEqual([
    ['WORKFLOW_COMPLETED', 'Onboarding'],
    ['CONTACT_UNSUBSCRIBED', 'Onboarding'],
    ['WORKFLOW_EMAIL_SCHEDULED', 'Onboarding'],
    ['WORKFLOW_STARTED', 'Onboarding'],
    ['EVENT_TRIGGERED', null],
  ])
})
