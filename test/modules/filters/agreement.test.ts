import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leavesOf, problemsOfCondition } from '../../../src/modules/filters/language.ts'
import { membershipIn } from '../../../src/modules/filters/membership.ts'
import {
  asksHistory,
  type Condition,
  type FieldFilter,
  FilterOperator,
  FilterUnit,
  type FilterOperator as Operator,
  operators,
} from '../../../src/modules/filters/shapes.ts'
import { addSegmentMembers } from '../../../src/modules/segments/members/members.ts'
import { createSegment } from '../../../src/modules/segments/segments.ts'
import { matchesBothWays, removeContacts, type Stored, store } from '../../help/filters.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const now = world.clock.now().getTime()

const oddKeys = fc.constantFrom(
  'plan',
  'a',
  'a.b',
  'a.b.c',
  'b',
  'b.a',
  '__proto__',
  'constructor',
  "it's",
  '"q"',
  '%',
  '_',
  '\\',
  '0',
  'é',
  '😀',
  '$1',
)
// Few keys and words are frequent, so that filters and data often meet.
const keys = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('plan', 'a') }, { weight: 1, arbitrary: oddKeys })
const words = [
  '',
  'pro',
  'Pro',
  'PRO',
  'p%o',
  '%',
  '_',
  '\\',
  '\\%',
  "'",
  '5',
  'true',
  'null',
  'é',
  'É',
  '😀',
  '\uffff',
  '{}',
  '[]',
  '2026',
  '2026-01-3',
]
const dates = [
  '2026-01-31',
  '2026-01-31T00:00:00Z',
  '2026-01-31T23:59:59.999Z',
  '2026-02-01',
  '2026-01-315',
  '2026-02-01T00:00:00.000Z',
  '2026-01-31T23:30:00-05:00',
  '2026-02-01T05:29:59.999+05:30',
  '2026-02-01T00:00+00:00',
  '2026-02-30T12:00:00+01:00',
  '9999-12-31T23:00:00-05:00',
  '0001-01-01T00:00:00+15:59',
  '9999-12-31',
]
const recent = fc.integer({ min: -3, max: 3 }).map((days) => new Date(now - days * 86_400_000).toISOString())
const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('pro', 'Pro', 'a pro', '', '2026-01-31', '2026-01-31T12:00:00Z', '2026-01-30T23:30:00-05:00') },
  { weight: 4, arbitrary: fc.constantFrom(...words, ...dates) },
  recent,
  fc.string({ unit: 'grapheme', maxLength: 6 }).filter((one) => !one.includes('\0') && one.isWellFormed()),
)
const number = fc.oneof(
  fc.constantFrom(0, -0, 1, 5, -5, 0.1, 1e21, -1e21, 1.7976931348623157e308, 5e-324, 2 ** 53),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
)
const scalar = fc.oneof(text, number, fc.boolean())
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    scalar,
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 2 }),
    fc.array(fc.tuple(keys, tie('json')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  ),
}))
const moment = fc.oneof(
  fc.constantFrom(...dates.filter((one) => one.length !== 11 && one.startsWith('2') && !one.includes('02-30'))).map((one) => new Date(one)),
  fc.integer({ min: -4, max: 4 }).map((days) => new Date(now - days * 86_400_000)),
)
const events = ['seen', 'email.opened', 'email.bounced']
const contact: fc.Arbitrary<Stored> = fc.record({
  subscribed: fc.boolean(),
  data: fc
    .tuple(fc.oneof({ weight: 3, arbitrary: scalar }, json), fc.array(fc.tuple(keys, json), { maxLength: 5 }))
    .map(([plan, entries]) => Object.fromEntries([['plan', plan], ...entries])),
  createdAt: moment,
  updatedAt: moment,
  events: fc.dictionary(fc.constantFrom(...events), moment),
})

const path = fc.oneof(
  { weight: 4, arbitrary: keys },
  fc.array(keys, { minLength: 2, maxLength: 3 }).map((parts) => parts.join('.')),
)
const dataField = path.map((one) => `data.${one}`)

function fieldFor(operator: Operator): fc.Arbitrary<string> {
  if (asksHistory(operator)) return fc.constantFrom('event.seen', 'email.opened', 'email.bounce')
  if (operators[operator].asks === 'membership') return fc.constantFrom('segment.inner', 'segment.members', 'segment.gone')
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant('data.plan') },
    { weight: 4, arbitrary: dataField },
    fc.constantFrom('email', 'subscribed', 'createdAt', 'updatedAt'),
  )
}

const value = fc.oneof({ weight: 4, arbitrary: scalar }, fc.array(scalar, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 5 }))
const leaf: fc.Arbitrary<FieldFilter> = fc
  .constantFrom(...FilterOperator.options)
  .chain((operator) =>
    fc.record({
      field: fieldFor(operator),
      operator: fc.constant(operator),
      value: operators[operator].asks === 'membership' ? fc.constant(undefined) : value,
      unit: fc.constantFrom(...FilterUnit.options),
    }),
  )
  .filter((filter) => problemsOfCondition(filter, 'audience').length === 0)
const { condition } = fc.letrec<{ condition: Condition; group: { filters: FieldFilter[]; conditions?: Condition } }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    leaf,
    fc.record({ logic: fc.constantFrom('AND' as const, 'OR' as const), groups: fc.array(tie('group'), { minLength: 1, maxLength: 3 }) }),
  ),
  group: fc
    .record({ filters: fc.array(leaf, { maxLength: 3 }), conditions: tie('condition') }, { requiredKeys: ['filters'] })
    .filter(({ filters, conditions }) => filters.length > 0 || conditions !== undefined),
}))

const project = await freshProject(world)
const inner: Condition = {
  logic: 'OR',
  groups: [{ filters: [{ field: 'data.plan', operator: 'exists' }] }, { filters: [{ field: 'event.seen', operator: 'triggered' }] }],
}
const innerSegment = await createSegment(project.ctx, { name: 'Inner', condition: inner })
const staticSegment = await createSegment(project.ctx, { name: 'Members', type: 'STATIC' })
const segments: Record<string, string> = { inner: innerSegment.id, members: staticSegment.id }
const membership = membershipIn(project.ctx)

/** The condition with the ids of the segments that it names. */
function withIds(condition: Condition): Condition {
  const text = JSON.stringify(condition)
  return JSON.parse(text.replaceAll(/"segment\.(inner|members)"/g, (_, name: string) => `"segment.${segments[name]}"`)) as Condition
}

/** Stores contacts, every other one as a member of the static segment. */
async function storeAll(contacts: Stored[]): Promise<void> {
  const emails: string[] = []
  for (const [at, one] of contacts.entries()) {
    const email = `user${at}@example.com`
    await store(world, project.projectId, { ...one, email })
    if (at % 2 === 0) emails.push(email)
  }
  expect(await addSegmentMembers(project.ctx, { id: staticSegment.id, emails })).toMatchObject({ added: emails.length })
}

test('a condition selects the same contacts by its predicate and one by one in memory', async () => {
  const seen = { some: 0, none: 0, operators: new Set<string>() }
  await fc.assert(
    fc
      .asyncProperty(
        fc.array(contact, { minLength: 5, maxLength: 15 }),
        fc.array(fc.oneof({ weight: 2, arbitrary: leaf }, condition), { minLength: 5, maxLength: 15 }),
        async (contacts, conditions) => {
          await storeAll(contacts)
          for (const one of conditions.map(withIds)) {
            const ids = await matchesBothWays(project, one, membership)
            seen[ids.length > 0 ? 'some' : 'none']++
            for (const { filter } of leavesOf(one)) seen.operators.add(filter.operator)
          }
        },
      )
      .afterEach(() => removeContacts(world, project.projectId)),
    { numRuns: 60 },
  )
  expect([seen.some > 50, seen.none > 50, seen.operators.size]).toEqual([true, true, FilterOperator.options.length])
}, 120_000)
