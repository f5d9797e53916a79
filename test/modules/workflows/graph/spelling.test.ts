import { expect, test } from 'vitest'
import { configAsGraphql, configOfGraphql } from '../../../../src/modules/workflows/graph/spelling.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/gql.ts'
import { testServer } from '../../../help/server.ts'
import { drawn } from '../../../help/workflows.ts'
import { freshProject } from '../../../help/world.ts'

const { call, url, world } = await testServer()

const create = graphql(`mutation SpellStep($input: CreateWorkflowStepInput!) { createWorkflowStep(input: $input) { step { id config } } }`)
const change = graphql(`mutation RespellStep($input: UpdateWorkflowStepInput!) { updateWorkflowStep(input: $input) { step { config } } }`)

const condition = {
  logic: 'OR',
  groups: [
    { filters: [{ field: 'createdAt', operator: 'OLDER_THAN', value: 3, unit: 'DAYS' }] },
    { filters: [], conditions: { field: 'data.unit', operator: 'NOT_EQUALS', value: 'DAYS' } },
  ],
}
const inRest = {
  logic: 'OR',
  groups: [
    { filters: [{ field: 'createdAt', operator: 'olderThan', value: 3, unit: 'days' }] },
    { filters: [], conditions: { field: 'data.unit', operator: 'notEquals', value: 'DAYS' } },
  ],
}
const several = { mode: 'MULTI', field: 'data.age', branches: [{ id: 'old', operator: 'GREATER_THAN_OR_EQUAL', value: 60 }] }
const webhook = { url: 'https://example.com/', method: 'POST', body: { operator: 'equals', unit: 'DAYS' } }

test.each([
  ['CONDITION', { condition }, { condition: inRest }],
  ['CONDITION', several, { ...several, mode: 'multi', branches: [{ id: 'old', operator: 'greaterThanOrEqual', value: 60 }] }],
  ['DELAY', { amount: 2, unit: 'HOURS' }, { amount: 2, unit: 'hours' }],
  [
    'UPDATE_CONTACT',
    { updates: { unit: 'DAYS' }, subscriptionAction: 'UNSUBSCRIBE' },
    { updates: { unit: 'DAYS' }, subscriptionAction: 'unsubscribe' },
  ],
  ['WEBHOOK', webhook, webhook],
] as const)(
  'a config of a %s is taken and answered with enums in GraphQL, and with the spelling of REST in REST',
  async (type, config, rest) => {
    const { ctx, secret } = await freshProject(world)
    const { id: workflowId } = await drawn(ctx)
    const ask = asker(url, secret)
    const created = await ask(create, { input: { workflowId, type, config } })
    expect([created.errors, created.data?.createWorkflowStep.step.config]).toEqual([[], config])
    const { body } = await call(`GET /workflows/${workflowId}`, undefined, { key: secret })
    expect(body).toMatchObject({ steps: [{ type, config: rest }] })
    const id = created.data?.createWorkflowStep.step.id ?? ''
    const changed = await ask(change, { input: { id, config: rest } })
    expect([changed.errors, changed.data?.updateWorkflowStep.step.config]).toEqual([[], config])
  },
)

test('an operator that does not exist is refused, and what is nested deeper than conditions may be is left alone', async () => {
  const { ctx, secret } = await freshProject(world)
  const { id: workflowId } = await drawn(ctx)
  const config = { field: 'data.plan', operator: 'EQUAL', value: 1 }
  const refused = await asker(url, secret)(create, { input: { workflowId, type: 'CONDITION', config } })
  expect(refused.errors[0]?.extensions).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'config.operator' }] })
  let deep: object = { operator: 'EQUALS' }
  for (let level = 0; level < 100_000; level++) deep = { condition: deep }
  expect(configOfGraphql(deep)).toBeTypeOf('object')
  expect(configAsGraphql(null)).toBeNull()
})
