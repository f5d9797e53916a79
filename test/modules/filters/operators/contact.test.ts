import { expect, test } from 'vitest'
import type { FieldFilter } from '../../../../src/modules/filters/shapes.ts'
import { matchesBothWays, store } from '../../../help/filters.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const project = await freshProject(world)
const daysAgo = (days: number) => new Date(world.clock.now().getTime() - days * 86_400_000)
const named = new Map<string, string>()
const times: Record<string, [subscribed: boolean, createdAt: Date]> = {
  'ada@example.com': [true, new Date('2026-01-31T00:00:00.000Z')],
  'bob_100%@example.com': [false, new Date('2026-01-31T23:59:59.999Z')],
  'eve@müller.de': [true, new Date('2026-02-01T00:00:00.000Z')],
  'new@example.com': [false, daysAgo(2)],
}
for (const [email, [subscribed, createdAt]] of Object.entries(times))
  named.set(await store(world, project.projectId, { email, subscribed, createdAt, updatedAt: createdAt }), email.split('@')[0] ?? '')

test.each<[string, FieldFilter, string[]]>([
  ['email equals in upper or lower case', { field: 'email', operator: 'equals', value: ' ADA@Example.COM ' }, ['ada']],
  ['email equals in both spellings of a domain', { field: 'email', operator: 'equals', value: 'eve@xn--mller-kva.de' }, ['eve']],
  ['email equals takes a list', { field: 'email', operator: 'equals', value: ['ada@example.com', 'EVE@müller.de'] }, ['ada', 'eve']],
  ['email notEquals', { field: 'email', operator: 'notEquals', value: 'ADA@example.com' }, ['bob_100%', 'eve', 'new']],
  [
    'email notEquals takes a list',
    { field: 'email', operator: 'notEquals', value: ['ada@example.com', 'new@example.com'] },
    ['bob_100%', 'eve'],
  ],
  ['email contains in upper or lower case', { field: 'email', operator: 'contains', value: 'MÜLLER' }, ['eve']],
  ['email contains wildcards literally', { field: 'email', operator: 'contains', value: '_100%' }, ['bob_100%']],
  ['email contains no more than is written', { field: 'email', operator: 'contains', value: 'a%a' }, []],
  ['email notContains', { field: 'email', operator: 'notContains', value: '@EXAMPLE' }, ['eve']],
  ['subscribed equals true', { field: 'subscribed', operator: 'equals', value: true }, ['ada', 'eve']],
  ['subscribed equals false', { field: 'subscribed', operator: 'equals', value: false }, ['bob_100%', 'new']],
  ['subscribed notEquals', { field: 'subscribed', operator: 'notEquals', value: true }, ['bob_100%', 'new']],
  ['subscribed equals either', { field: 'subscribed', operator: 'equals', value: [true, false] }, ['ada', 'bob_100%', 'eve', 'new']],
])('%s', async (_title, filter, expected) => {
  expect((await matchesBothWays(project, filter)).map((id) => named.get(id)).toSorted()).toEqual(expected)
})

test.each<[string, Omit<FieldFilter, 'field'>, string[]]>([
  ['equals a date: the whole UTC day', { operator: 'equals', value: '2026-01-31' }, ['ada', 'bob_100%']],
  ['equals a time: its whole UTC day', { operator: 'equals', value: '2026-01-31T12:00:00Z' }, ['ada', 'bob_100%']],
  ['equals a time with an offset: its whole UTC day', { operator: 'equals', value: '2026-01-30T23:30:00-05:00' }, ['ada', 'bob_100%']],
  ['equals a time with an offset, a day before', { operator: 'equals', value: '2026-02-01T04:00+05:30' }, ['ada', 'bob_100%']],
  ['notEquals a time with an offset', { operator: 'notEquals', value: '2026-02-01T04:00+05:30' }, ['eve', 'new']],
  ['equals milliseconds: that moment', { operator: 'equals', value: Date.parse('2026-01-31T23:59:59.999Z') }, ['bob_100%']],
  ['equals takes a list', { operator: 'equals', value: ['2026-02-01', Date.parse('2026-01-31')] }, ['ada', 'eve']],
  ['notEquals a date', { operator: 'notEquals', value: '2026-01-31' }, ['eve', 'new']],
  ['greaterThan a date: after its begin', { operator: 'greaterThan', value: '2026-01-31' }, ['bob_100%', 'eve', 'new']],
  ['greaterThanOrEqual includes the begin', { operator: 'greaterThanOrEqual', value: '2026-02-01' }, ['eve', 'new']],
  ['lessThan, with an offset', { operator: 'lessThan', value: '2026-02-01T00:59:59.999+01:00' }, ['ada']],
  ['lessThanOrEqual', { operator: 'lessThanOrEqual', value: '2026-01-31T23:59:59.999Z' }, ['ada', 'bob_100%']],
  ['within includes its boundary', { operator: 'within', value: 2, unit: 'days' }, ['new']],
  ['within less', { operator: 'within', value: 47, unit: 'hours' }, []],
  ['olderThan leaves out its boundary', { operator: 'olderThan', value: 2 * 24 * 60, unit: 'minutes' }, ['ada', 'bob_100%', 'eve']],
])('createdAt and updatedAt: %s', async (_title, filter, expected) => {
  for (const field of ['createdAt', 'updatedAt'])
    expect((await matchesBothWays(project, { field, ...filter })).map((id) => named.get(id)).toSorted()).toEqual(expected)
})
