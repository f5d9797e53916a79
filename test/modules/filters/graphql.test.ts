import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { GraphQLEnumType, GraphQLInputObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { builder } from '../../../src/kit/builder.ts'
import { describeRoutes } from '../../../src/kit/openapi/document.ts'
import { route } from '../../../src/kit/route.ts'
import { graphqlInput } from '../../../src/kit/zod-input.ts'
import { Condition } from '../../../src/modules/filters/condition.ts'
import '../../../src/modules/filters/graphql.ts'
// Built before, so that what is added here is in no other test.
import '../../../src/server/graphql/schema.ts'

const Draft = z.object({ name: z.string(), condition: Condition, other: Condition.optional().describe('Another.') })
const input = graphqlInput('KeepConditionInput', Draft)
builder.mutationField('keepCondition', (t) => t.boolean({ args: input.args(t), resolve: () => true }))
builder.queryField('conditionTest', (t) => t.boolean({ resolve: () => true }))
builder.subscriptionField('conditionTest', (t) => t.boolean({ subscribe: async function* () {}, resolve: () => true }))
const schema = builder.toSchema()

test('a condition in GraphQL is a recursive input object, of which only `value` is JSON', () => {
  const fields = (name: string) =>
    Object.fromEntries(
      Object.values((schema.getType(name) as GraphQLInputObjectType).getFields()).map((field) => [field.name, String(field.type)]),
    )
  expect(fields('KeepConditionInput')).toEqual({ name: 'String!', condition: 'ConditionInput!', other: 'ConditionInput' })
  expect(fields('ConditionInput')).toEqual({
    logic: 'ConditionLogic',
    groups: '[FilterGroupInput!]',
    field: 'String',
    operator: 'FilterOperator',
    value: 'JSON',
    unit: 'FilterUnit',
  })
  expect(fields('FilterGroupInput')).toEqual({ filters: '[FieldFilterInput!]!', conditions: 'ConditionInput' })
  expect(fields('FieldFilterInput')).toEqual({ field: 'String!', operator: 'FilterOperator!', value: 'JSON', unit: 'FilterUnit' })
  const operators = (schema.getType('FilterOperator') as GraphQLEnumType).getValues()
  expect([operators.length, operators.find(({ value }) => value === 'greaterThanOrEqual')?.name]).toEqual([19, 'GREATER_THAN_OR_EQUAL'])
})

test('a condition from GraphQL is checked as in REST, and null counts as left out', () => {
  const leaf = { field: 'data.plan', operator: 'equals', value: 'pro', unit: null }
  const nested = { logic: 'OR', groups: [{ filters: [], conditions: { ...leaf, logic: null, groups: null } }] }
  expect(input.read({ input: { name: 'a', condition: nested, other: null } })).toEqual({
    name: 'a',
    condition: { logic: 'OR', groups: [{ filters: [], conditions: { field: 'data.plan', operator: 'equals', value: 'pro' } }] },
  })
  const wrong = { logic: 'AND', groups: [{ filters: [{ ...leaf, value: null }], conditions: { field: 'plan', operator: 'exists' } }] }
  expect(() => input.read({ input: { name: 'a', condition: wrong } })).toThrow(
    expect.objectContaining({
      code: 'VALIDATION_ERROR',
      errors: [
        { field: 'condition.groups.0.filters.0.value', message: 'is required by "equals"', code: 'required' },
        expect.objectContaining({ field: 'condition.groups.0.conditions.field', code: 'unknown_field' }),
      ],
    }),
  )
})

test('a condition in the API reference is a recursive schema without a warning of a linter', async () => {
  const keepCondition = async (_ctx: object, draft: z.output<typeof Draft>) => draft
  const routes = [route('POST', '/conditions', 'secret', Draft.meta({ id: 'ConditionDraft' }), Draft, keepCondition, { summary: 'Keep' })]
  const document = describeRoutes(routes, {
    url: 'https://mail.acme.test',
    sessionCookie: '__Host-session',
    tags: { conditions: 'Conditions.' },
  })
  expect((await new Validator().validate(structuredClone(document))).errors).toBeUndefined()
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config, absoluteRef: 'openapi.json' })
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  const { schemas } = (document as { components: { schemas: Record<string, { properties: Record<string, object> }> } }).components
  expect(schemas.FilterGroup?.properties.conditions).toMatchObject({ $ref: '#/components/schemas/Condition' })
})
