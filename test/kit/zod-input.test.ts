import { type GraphQLInputObjectType, type GraphQLObjectType, printType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { builder } from '../../src/kit/builder.ts'
import { EmailAddress } from '../../src/kit/shapes.ts'
import { enumOf, inputOf } from '../../src/kit/zod-input.ts'

const Colour = z.enum(['RED', 'BLUE'])
const Person = z.object({ email: EmailAddress, name: z.string().optional() }).meta({ id: 'TestPerson' })
const Shape = z.object({
  id: z.string(),
  who: z.union([EmailAddress, Person, z.array(z.union([EmailAddress, Person]))]).describe('One or many.'),
  note: z.string().nullable().optional(),
  count: z.int().default(1),
  share: z.number().optional(),
  colour: Colour.optional(),
  data: z.record(z.string(), z.json()).optional(),
  contactId: z.string().optional(),
  steps: z.array(z.object({ label: z.string(), hint: z.string().nullable().optional() })).optional(),
})

builder.queryField('zodInputTest', (t) => t.boolean({ resolve: () => true }))
enumOf('TestColour', Colour, 'A colour.')
const input = inputOf('TestInput', Shape)
builder.mutationField('zodInputTest', (t) => t.boolean({ args: input.args(t), resolve: () => true }))
builder.subscriptionField('zodInputTest', (t) => t.boolean({ subscribe: async function* () {}, resolve: () => true }))
const schema = builder.toSchema()

describe('inputOf', () => {
  test('draws the input object of a shape', () => {
    expect(printType(schema.getType('TestInput') as GraphQLInputObjectType)).toBe(`input TestInput {
  colour: TestColour
  contactId: ID
  count: Int
  data: JSON
  note: String
  share: Float
  steps: [TestStepInput!]

  """One or many."""
  who: [TestPersonInput!]!
}`)
    expect(printType(schema.getType('TestPersonInput') as GraphQLInputObjectType)).toMatch(/email: String![\s\S]*name: String/)
  })

  test('takes an id beside the input', () => {
    const mutation = schema.getMutationType() as GraphQLObjectType
    expect(mutation.getFields().zodInputTest?.args.map(({ name, type }) => `${name}: ${type}`)).toEqual(['id: ID!', 'input: TestInput!'])
  })

  test('reads arguments by the shape; a null is left out unless the shape takes it', () => {
    const who = [{ email: ' A@X.com ', name: null }]
    expect(
      input.read({ id: '1', input: { who, note: null, share: null, data: { plan: null }, steps: [{ label: 'a', hint: null }] } }),
    ).toEqual({
      id: '1',
      who: [{ email: 'a@x.com' }],
      note: null,
      count: 1,
      data: { plan: null },
      steps: [{ label: 'a', hint: null }],
    })
  })

  test('refuses what REST refuses, with the same fields', () => {
    expect(() => input.read({ id: '1', input: { who: [{ email: 'a@x.com' }], count: 1.5, steps: [{ label: 1 }] } })).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        errors: [
          expect.objectContaining({ field: 'count' }),
          { field: 'steps.0.label', message: 'must be a string', code: 'invalid_type' },
        ],
      }),
    )
  })
})
