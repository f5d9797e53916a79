import { expect, test } from 'vitest'
import { z } from 'zod'
import { configAsGraphql, spelledAsStored } from '../../../../src/modules/workflows/graph/spelling.ts'
import { kinds } from '../../../../src/modules/workflows/steps/kinds.ts'
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
  expect(spelledAsStored({ config: deep }).config).toBeTypeOf('object')
  expect(configAsGraphql(null)).toBeNull()
})

interface Schema {
  enum?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

function* enumsIn(schema: Schema, key = ''): Generator<[key: string, value: unknown]> {
  for (const value of schema.enum ?? []) yield [key, value]
  for (const [name, inner] of Object.entries(schema.properties ?? {})) yield* enumsIn(inner, name)
  if (schema.items) yield* enumsIn(schema.items, key)
  for (const one of schema.anyOf ?? []) yield* enumsIn(one, key)
}

test('every closed set in the config of every kind of steps is spelled as an enum', () => {
  const found = Object.entries(kinds).flatMap(([type, { config }]) =>
    [...enumsIn(z.toJSONSchema(config, { io: 'input', unrepresentable: 'any' }) as Schema)].map(([key, value]) => ({ type, key, value })),
  )
  expect(new Set(found.map(({ key }) => key))).toEqual(
    new Set(['type', 'unit', 'mode', 'operator', 'logic', 'method', 'subscriptionAction']),
  )
  for (const { type, key, value } of found) {
    const spelled = configAsGraphql({ [key]: value }) as Record<string, string>
    expect(`${type} ${key} ${spelled[key]}`).toMatch(/^\w+ \w+ [A-Z][A-Z_]*$/)
    expect(spelledAsStored({ config: spelled })).toEqual({ config: { [key]: value } })
  }
})
