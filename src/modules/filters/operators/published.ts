// What the API reference says of a filter. It is checked with the rules of each field, to which a test holds this.
const text = { type: 'string' }
const span = ['within', 'olderThan']
const order = ['greaterThan', 'greaterThanOrEqual', 'lessThan', 'lessThanOrEqual']
const windows = ['triggeredWithin', 'triggeredOlderThan', 'notTriggeredWithin']

interface Part {
  type?: string | string[]
  pattern?: string
  enum?: string[]
  anyOf?: Part[]
  items?: Part
  minItems?: number
  maxItems?: number
  exclusiveMinimum?: number
  maximum?: number
}

/** The names of fields. */
export const fieldPattern =
  '^(email|subscribed|createdAt|updatedAt|(data|event|segment)\\.[\\s\\S]+|email\\.(sent|deliver(y|ed)|open(ed)?|click(ed)?|bounced?|complain(t|ed)))$'

/** Which operators the fields of each family take, and with which value and unit, as alternatives in JSON Schema. */
export const filterAlternatives = [
  ...compared('^email$', { equality: text, contains: true }),
  ...compared('^subscribed$', { equality: { type: 'boolean' } }),
  ...compared('^(createdAt|updatedAt)$', { equality: { type: ['string', 'number'] }, order: true }),
  ...compared('^data\\.', { equality: { type: ['string', 'number', 'boolean'] }, contains: true, order: true }),
  filter('^data\\.', ['exists', 'notExists']),
  ...spans('^(createdAt|updatedAt$|data\\.)', span),
  filter('^(event|email)\\.', ['triggered', 'notTriggered']),
  ...spans('^(event|email)\\.', windows),
  filter('^segment\\.', ['memberOfSegment', 'notMemberOfSegment'], { type: 'null' }),
]

function compared(field: string, { equality, contains, order: isOrdered }: { equality: Part; contains?: true; order?: true }): object[] {
  const listed = { type: 'array', minItems: 1, maxItems: 1_000, items: equality }
  return [
    filter(field, ['equals', 'notEquals'], { anyOf: [equality, listed] }, ['value']),
    ...(contains ? [filter(field, ['contains', 'notContains'], text, ['value'])] : []),
    ...(isOrdered ? [filter(field, order, { type: ['string', 'number'] }, ['value'])] : []),
  ]
}

// At most 100 years.
function spans(field: string, operators: string[]): object[] {
  return Object.entries({ days: 36_525, hours: 876_600, minutes: 52_596_000 }).map(([unit, maximum]) => {
    const value = { type: 'number', exclusiveMinimum: 0, maximum }
    return filter(field, operators, value, ['value', 'unit'], { unit: { enum: [unit] } })
  })
}

function filter(field: string, operators: string[], value?: Part, required: string[] = [], more: Record<string, Part> = {}): object {
  const properties = { field: { pattern: field }, operator: { enum: operators }, ...(value && { value }), ...more }
  return { properties, ...(required.length > 0 && { required }) }
}
