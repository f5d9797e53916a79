import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { read } from '../../../src/kit/problems.ts'
import { Condition, WorkflowCondition } from '../../../src/modules/filters/condition.ts'
import { fieldsOf, segmentsOf } from '../../../src/modules/filters/language.ts'
import { type FieldFilter, FilterOperator, type FilterOperator as Operator } from '../../../src/modules/filters/shapes.ts'

const Draft = z.object({ condition: Condition })
const leaf: FieldFilter = { field: 'data.plan', operator: 'equals', value: 'pro' }

/** The problems of a condition, by field; none when it is accepted. */
function problemsOf(condition: unknown, shape: z.ZodType = Draft): Record<string, string> {
  try {
    read(shape, { condition })
    return {}
  } catch (error) {
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', status: 422 })
    const { errors } = error as { errors: { field: string; message: string }[] }
    return Object.fromEntries(errors.map(({ field, message }) => [field, message]))
  }
}

const group = (...filters: unknown[]) => ({ logic: 'AND', groups: [{ filters }] })
const nested = (levels: number): unknown =>
  levels === 1 ? leaf : { logic: 'OR', groups: [{ filters: [], conditions: nested(levels - 1) }] }

describe('a condition', () => {
  test('is groups of filters, which may nest, or a single filter, and is answered as it was sent', () => {
    const inner = { logic: 'OR', groups: [{ filters: [leaf] }, { filters: [], conditions: leaf }] }
    for (const condition of [leaf, group(leaf), { logic: 'AND', groups: [{ filters: [leaf, leaf], conditions: inner }] }])
      expect(read(Draft, { condition })).toEqual({ condition })
  })

  test('has at most 10 levels, 100 filters and 64 KB', () => {
    expect(problemsOf(nested(10))).toEqual({})
    expect(problemsOf(nested(11))).toEqual({ condition: 'must have at most 10 levels of conditions' })
    expect(problemsOf(group(...Array(100).fill(leaf)))).toEqual({})
    expect(problemsOf(group(...Array(101).fill(leaf)))).toEqual({ condition: 'must have at most 100 filters' })
    expect(problemsOf({ ...leaf, value: 'x'.repeat(65_536) })).toEqual({ condition: 'must be at most 64 KB as JSON' })
  })

  test('that is too large is refused as such, whatever is wrong with its filters', () => {
    const wrong = { field: 'nothing', operator: 'like', unit: 'years' }
    expect(problemsOf(group(...Array(6_561).fill(wrong)))).toEqual({ condition: 'must have at most 100 filters' })
    const groups = Array(6_561).fill({ filters: [] })
    expect(problemsOf({ logic: 'AND', groups })).toEqual({ condition: 'must have at most 100 groups' })
    expect(problemsOf({ logic: 'AND', groups: [{ filters: 'all', conditions: 7 }] })).toMatchObject({
      'condition.groups.0.filters': 'must be a list',
    })
  })

  test('that is nested like a bomb is refused at once', () => {
    const bomb = JSON.parse(`${'{"logic":"AND","groups":[{"filters":[],"conditions":'.repeat(5_000)}1${'}]}'.repeat(5_000)}`)
    expect(() => read(Draft, { condition: bomb })).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
  })

  test.each<[unknown, Record<string, string>]>([
    ['all', { condition: 'must be an object' }],
    [undefined, { condition: 'is required' }],
    [{ logic: 'XOR', groups: [{ filters: [leaf] }] }, { 'condition.logic': 'must be one of AND, OR' }],
    [{ logic: 'AND', groups: [] }, { 'condition.groups': 'must not be empty' }],
    [
      { logic: 'AND', groups: [{ filters: [] }] },
      { 'condition.groups.0.filters': 'must have at least one filter, unless the group has conditions' },
    ],
    [{ logic: 'AND', groups: [{}] }, { 'condition.groups.0.filters': 'is required' }],
    [
      { field: 'data.plan', operator: 'like' },
      { 'condition.operator': expect.stringContaining('must be one of equals, notEquals') as unknown as string },
    ],
    [{ ...leaf, operator: 'within', value: 1, unit: 'weeks' }, { 'condition.unit': 'must be one of days, hours, minutes' }],
    [{ ...leaf, value: 'a\0b' }, { 'condition.value': 'must not contain NUL characters' }],
    [{ ...leaf, field: 'data.a\0' }, { 'condition.field': 'must not contain NUL characters' }],
  ])('that is malformed is refused where it is: %j', (condition, expected) => {
    expect(problemsOf(condition)).toEqual(expected)
  })

  const either = 'must not be given here: a condition is either `logic` and `groups`, or a single filter'
  test.each<[unknown, Record<string, string>]>([
    [
      { logic: 'AND', groups: [{ filters: [leaf], condition: leaf }] },
      { 'condition.groups.0.condition': 'is not known here: use filters or conditions' },
    ],
    [{ logic: 'AND', groups: [{ filters: [leaf] }], group: [] }, { 'condition.group': 'is not known here: use logic or groups' }],
    [group({ ...leaf, units: 'days' }), { 'condition.groups.0.filters.0.units': 'is not known here: use field, operator, value or unit' }],
    [{ ...leaf, not: true }, { 'condition.not': 'is not known here: use field, operator, value or unit' }],
    [
      { logic: 'OR', groups: [{ filters: [], conditions: { logic: 'AND', groups: [{ filters: [leaf], filter: leaf }] } }] },
      { 'condition.groups.0.conditions.groups.0.filter': 'is not known here: use filters or conditions' },
    ],
    [
      { ...group(leaf), ...leaf },
      { 'condition.field': either, 'condition.operator': either, 'condition.value': either },
    ],
    [{ ...leaf, groups: [{ filters: [leaf] }] }, { 'condition.groups': either }],
    [
      group(group(leaf)),
      {
        'condition.groups.0.filters.0.field': 'is required',
        'condition.groups.0.filters.0.operator': expect.anything() as string,
        'condition.groups.0.filters.0.logic': either,
        'condition.groups.0.filters.0.groups': either,
      },
    ],
  ])('with a part that is not known is refused, and says which are: %j', (condition, expected) => {
    expect(problemsOf(condition)).toEqual(expected)
    expect(problemsOf(condition, z.object({ condition: WorkflowCondition }))).toEqual(expected)
  })

  test('is refused with everything that is wrong with it, each at its path', () => {
    const wrong = {
      logic: 'OR',
      groups: [
        { filters: [leaf, { field: 'plan', operator: 'exists' }] },
        { filters: [], conditions: group({ field: 'email', operator: 'exists' }, { field: 'data.at', operator: 'within' }) },
      ],
    }
    expect(Object.keys(problemsOf(wrong))).toEqual([
      'condition.groups.0.filters.1.field',
      'condition.groups.1.conditions.groups.0.filters.0.operator',
      'condition.groups.1.conditions.groups.0.filters.1.value',
      'condition.groups.1.conditions.groups.0.filters.1.unit',
    ])
  })

  test('names its fields and the segments it refers to, each once', () => {
    const member = { field: 'segment.seg_1', operator: 'memberOfSegment' } as const
    const condition = read(Draft, {
      condition: { logic: 'AND', groups: [{ filters: [leaf, member], conditions: group(leaf, member) }] },
    }).condition
    expect([fieldsOf(condition), segmentsOf(condition)]).toEqual([['data.plan', 'segment.seg_1'], ['seg_1']])
  })
})

describe('a field', () => {
  test.each([
    'email',
    'data.unheard-of',
    'data.a.b',
    "data.it's",
    'event.never happened',
    'email.opened',
    'email.click',
    'segment.seg_none',
  ])('%s is known, or may become so', (field) => {
    const operator = /^(event|email)\./.test(field) ? 'triggered' : field.startsWith('segment') ? 'memberOfSegment' : 'equals'
    expect(problemsOf({ field, operator, ...(operator === 'equals' && { value: 'x' }) })).toEqual({})
  })

  test.each(['', 'plan', 'id', 'data', 'data.', 'event.', 'segment.', 'contact.email', 'workflow.x', '__proto__', 'constructor', 'Email'])(
    '%s is of no family and refused',
    (field) => {
      expect(problemsOf({ field, operator: 'exists' })).toEqual({
        'condition.field': expect.stringContaining('custom fields are data.<key>'),
      })
    },
  )

  test('of an email activity that does not exist is refused with those that do', () => {
    expect(problemsOf({ field: 'email.forwarded', operator: 'triggered' })).toEqual({
      'condition.field': 'names no activity of an email: use email.sent, delivered, opened, clicked, bounced or complained',
    })
  })
})

const comparisons: Operator[] = ['greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual']
const windows: Operator[] = ['within', 'olderThan']
const history: Operator[] = ['triggered', 'triggeredWithin', 'triggeredOlderThan', 'notTriggered', 'notTriggeredWithin']
const taken: Record<string, Operator[]> = {
  email: ['equals', 'notEquals', 'contains', 'notContains'],
  subscribed: ['equals', 'notEquals'],
  createdAt: ['equals', 'notEquals', ...comparisons, ...windows],
  updatedAt: ['equals', 'notEquals', ...comparisons, ...windows],
  'data.plan': ['equals', 'notEquals', 'contains', 'notContains', ...comparisons, 'exists', 'notExists', ...windows],
  'event.seen': history,
  'email.opened': history,
  'segment.seg_1': ['memberOfSegment', 'notMemberOfSegment'],
}
const neededBy = (field: string, operator: Operator): Pick<FieldFilter, 'value' | 'unit'> => {
  if (/within|olderThan/i.test(operator)) return { value: 7, unit: 'days' }
  if (/exists|triggered|segment/i.test(operator)) return {}
  return { value: field.endsWith('At') ? '2026-01-31' : field === 'subscribed' ? true : 'x' }
}

describe.each(Object.entries(taken))('%s', (field, operators) => {
  test(`takes ${operators.join(', ')}`, () => {
    for (const operator of operators) expect(problemsOf({ field, operator, ...neededBy(field, operator) })).toEqual({})
  })

  test('refuses every other operator, and says which it takes', () => {
    for (const operator of FilterOperator.options.filter((one) => !operators.includes(one))) {
      const message = problemsOf({ field, operator, ...neededBy(field, operator) })['condition.operator'] ?? ''
      const [sentence, list = ''] = message.split(': use ')
      expect(sentence).toBe(`"${operator}" cannot be used with ${field}`)
      expect(list.split(/, | or /).toSorted()).toEqual(operators.toSorted())
    }
  })
})

describe('a value', () => {
  const withValue: Operator[] = ['equals', 'notEquals', 'contains', 'notContains', ...comparisons, ...windows]
  test.each(withValue)('is required by %s; null is none', (operator) => {
    for (const value of [undefined, null]) {
      const problems = problemsOf({ field: 'data.at', operator, unit: 'days', ...(value === null && { value }) })
      expect(problems).toEqual({ 'condition.value': `is required by "${operator}"` })
    }
  })

  test.each(['within', 'olderThan'] as const)('and a unit are required by %s, and by the windows of events', (operator) => {
    const message = (name: string) => ({ 'condition.unit': `is required by "${name}": days, hours or minutes` })
    expect(problemsOf({ field: 'createdAt', operator, value: 1 })).toEqual(message(operator))
    for (const name of ['triggeredWithin', 'triggeredOlderThan', 'notTriggeredWithin'])
      expect(problemsOf({ field: 'event.seen', operator: name, value: 1 })).toEqual(message(name))
  })

  test('is refused by operators on segments, and ignored by those that need none', () => {
    expect(problemsOf({ field: 'segment.seg_1', operator: 'memberOfSegment', value: 'x' })).toEqual({
      'condition.value': 'must be left out: "memberOfSegment" takes none',
    })
    expect(problemsOf({ field: 'segment.seg_1', operator: 'notMemberOfSegment', value: null })).toEqual({})
    expect(problemsOf({ field: 'data.plan', operator: 'exists', value: '' })).toEqual({})
  })

  test.each<[string, Operator, unknown]>([
    ['email', 'equals', 5],
    ['email', 'contains', ['a']],
    ['data.plan', 'equals', { tier: 'pro' }],
    ['data.plan', 'equals', []],
    ['data.plan', 'equals', ['a', null]],
    ['data.plan', 'equals', Array(1_001).fill('a')],
    ['data.plan', 'equals', Number.POSITIVE_INFINITY],
    ['data.plan', 'contains', 5],
    ['data.plan', 'greaterThan', true],
    ['createdAt', 'equals', 'yesterday'],
    ['createdAt', 'equals', '2026-02-30'],
    ['createdAt', 'greaterThan', '2026-13-01'],
    ['createdAt', 'greaterThan', true],
    ['createdAt', 'lessThan', 1e300],
    ['createdAt', 'within', '7'],
    ['data.at', 'within', 0],
    ['data.at', 'olderThan', -1],
    ['data.at', 'olderThan', 36_600],
    ['event.seen', 'triggeredWithin', Number.NaN],
  ])('of the wrong type is refused: %s %s %j', (field, operator, value) => {
    expect(problemsOf({ field, operator, value, unit: 'days' })).toEqual({ 'condition.value': expect.stringMatching(/^must (be|have) /) })
  })
})

test('only a condition of a workflow asks the context of the execution', () => {
  const asksContext = { field: 'event.amount', operator: 'greaterThan', value: 5 }
  expect(problemsOf(asksContext)).toEqual({
    'condition.operator': expect.stringContaining('"greaterThan" cannot be used with event.amount'),
  })
  expect(problemsOf(asksContext, z.object({ condition: WorkflowCondition }))).toEqual({})
})

test('a condition that is much too long is refused without being written', () => {
  const stringify = vi.spyOn(JSON, 'stringify')
  expect(problemsOf({ ...leaf, value: '"'.repeat(2_000_000) })).toEqual({ condition: 'must be at most 64 KB as JSON' })
  const written = stringify.mock.results.filter(({ value }) => String(value).length > 1_000_000)
  stringify.mockRestore()
  expect(written).toEqual([])
})
