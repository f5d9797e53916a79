import { type GraphQLEnumType, type GraphQLInputObjectType, type GraphQLObjectType, printType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { builder } from '../../src/kit/builder.ts'
import { EmailAddress } from '../../src/kit/shapes.ts'
import { enumOf, graphqlInput } from '../../src/kit/zod-input.ts'
// Built before, so that what is added here is in no other test.
import '../../src/server/graphql/schema.ts'

const Colour = z.enum(['red', 'dark.blue'])
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
  templateIds: z.array(z.string()).optional(),
  contentId: z.string().optional(),
  headers: z.record(z.string().min(2), z.string()).optional(),
  past: z.string().optional().meta({ deprecated: true }),
  steps: z.array(z.object({ label: z.string(), hint: z.string().nullable().optional() })).optional(),
})

builder.queryField('zodInputTest', (t) => t.boolean({ resolve: () => true }))
enumOf('TestColour', Colour, 'A colour.', { red: 'Like blood.', 'dark.blue': 'Like the sea.' })
const input = graphqlInput('PaintHouseInput', Shape, { names: { note: 'remark' } })
builder.mutationField('zodInputTest', (t) => t.boolean({ args: input.args(t), resolve: () => true }))
builder.subscriptionField('zodInputTest', (t) => t.boolean({ subscribe: async function* () {}, resolve: () => true }))
const schema = builder.toSchema()

describe('graphqlInput', () => {
  test('draws the input object of a shape', () => {
    expect(printType(schema.getType('PaintHouseInput') as GraphQLInputObjectType)).toBe(`"""What \`paintHouse\` takes."""
input PaintHouseInput {
  colour: TestColour
  contactId: ID
  contentId: String
  count: Int

  """Null counts as left out."""
  data: JSON
  headers: [PaintHouseHeaderInput!]

  """Id of the house."""
  id: ID!
  remark: String
  share: Float
  steps: [PaintHouseStepInput!]
  templateIds: [ID!]

  """One or many."""
  who: [TestPersonInput!]!
}`)
    expect(printType(schema.getType('TestPersonInput') as GraphQLInputObjectType)).toMatch(/email: String![\s\S]*name: String/)
    expect(printType(schema.getType('PaintHouseHeaderInput') as GraphQLInputObjectType)).toMatch(/name: String![\s\S]*value: String!/)
  })

  test('refuses a field for the ids of a kind that kit/ids.ts does not have: it would silently be text', () => {
    const declare = () => {
      graphqlInput('PaintBoatInput', z.object({ id: z.string(), boatId: z.string() }))
      builder.toSchema()
    }
    expect(declare).toThrow('add "boat" to kit/ids.ts')
  })

  test('is the only argument', () => {
    const mutation = schema.getMutationType() as GraphQLObjectType
    expect(mutation.getFields().zodInputTest?.args.map(({ name, type }) => `${name}: ${type}`)).toEqual(['input: PaintHouseInput!'])
  })

  test('reads arguments by the shape; a null is left out unless the shape takes it', () => {
    const who = [{ email: ' A@X.com ', name: null }]
    const headers = [
      { name: 'X-A', value: '1' },
      { name: 'X-B', value: '2' },
    ]
    const steps = [{ label: 'a', hint: null }]
    expect(input.read({ input: { id: '1', who, remark: null, share: null, data: { plan: null }, headers, steps } })).toEqual({
      id: '1',
      who: [{ email: 'a@x.com' }],
      note: null,
      count: 1,
      data: { plan: null },
      headers: { 'X-A': '1', 'X-B': '2' },
      steps,
    })
  })

  test('refuses what REST refuses, with the fields the caller gave', () => {
    const steps = [{ label: 1 }]
    expect(() => input.read({ input: { id: '1', who: [{ email: 'a@x.com' }], count: 1.5, remark: 2, steps } })).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        errors: [
          expect.objectContaining({ field: 'remark' }),
          expect.objectContaining({ field: 'count' }),
          { field: 'steps.0.label', message: 'must be a string', code: 'invalid_type' },
        ],
      }),
    )
  })

  test('refuses a name that is given twice', () => {
    const twice = [1, 2].map((value) => ({ name: 'X-A', value: String(value) }))
    expect(() => input.read({ input: { id: '1', who: [], headers: twice } })).toThrow(
      expect.objectContaining({ errors: [{ field: 'headers.X-A', message: 'is given twice', code: 'duplicate' }] }),
    )
  })
})

describe('enumOf', () => {
  test('shows values in SCREAMING_SNAKE_CASE and reads them as the shape spells them', () => {
    const colour = schema.getType('TestColour') as GraphQLEnumType
    expect(colour.getValues().map(({ name, value, description }) => [name, value, description])).toEqual([
      ['DARK_BLUE', 'dark.blue', 'Like the sea.'],
      ['RED', 'red', 'Like blood.'],
    ])
  })
})

test('a closed set is refused until its values are described', () => {
  expect(() => graphqlInput('SizeShoeInput', z.object({ size: z.enum(['s', 'm']) }))).toThrow(/make this closed set an enum with enumOf/)
})
