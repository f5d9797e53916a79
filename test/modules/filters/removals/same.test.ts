import { expect, test } from 'vitest'
import { isSameCondition } from '../../../../src/modules/filters/removals/same.ts'
import type { Condition } from '../../../../src/modules/filters/shapes.ts'

const leaf = { field: 'data.plan', operator: 'notExists' } as const
const city = { field: 'data.city', operator: 'equals', value: ['Bonn', 'Ulm'] } as const
const other = { field: 'event.joined', operator: 'notTriggeredWithin', value: 1, unit: 'hours' } as const
const group = (logic: 'AND' | 'OR', ...groups: { filters: unknown[]; conditions?: Condition }[]) => ({ logic, groups }) as Condition

test.each<[string, Condition, Condition]>([
  ['in a group', leaf, group('AND', { filters: [leaf] })],
  ['in a group of the other logic', leaf, group('OR', { filters: [leaf] })],
  ['in a condition of a group', leaf, group('AND', { filters: [], conditions: group('OR', { filters: [leaf] }) })],
  ['with what is null', leaf, { ...leaf, value: null } as unknown as Condition],
  ['twice', leaf, group('AND', { filters: [leaf, leaf] })],
  ['in another order', group('AND', { filters: [leaf, city] }), group('AND', { filters: [city] }, { filters: [leaf] })],
  ['with its values in another order', city, { ...city, value: ['Ulm', 'Bonn'] }],
  ['with a list of one', { ...city, value: 'Ulm' }, { ...city, value: ['Ulm'] }],
  [
    'grouped otherwise',
    group('AND', { filters: [leaf, city] }, { filters: [other] }),
    group('AND', { filters: [leaf] }, { filters: [city, other] }),
  ],
  [
    'in a condition of the same logic',
    group('AND', { filters: [leaf], conditions: group('AND', { filters: [city] }, { filters: [other] }) }),
    group('AND', { filters: [leaf, city, other] }),
  ],
  ['in another unit', { ...other, value: 7, unit: 'days' }, { ...other, value: 168, unit: 'hours' }],
  ['with another zero', { ...city, value: 0 }, { ...city, value: -0 }],
])('a condition is the same %s', (_how, one, other) => {
  expect(isSameCondition(one, other)).toBe(true)
  expect(isSameCondition(other, one)).toBe(true)
})

test.each<[string, Condition, Condition]>([
  ['of another field', leaf, { ...leaf, field: 'data.plans' }],
  ['with another operator', leaf, { ...leaf, operator: 'exists' }],
  ['with another value', city, { ...city, value: ['Bonn'] }],
  ['with a text for a number', { ...city, value: '1' }, { ...city, value: 1 }],
  ['joined otherwise', group('AND', { filters: [leaf] }, { filters: [city] }), group('OR', { filters: [leaf] }, { filters: [city] })],
  [
    'grouped otherwise where groups are alternatives',
    group('OR', { filters: [leaf, city] }, { filters: [other] }),
    group('OR', { filters: [leaf] }, { filters: [city, other] }),
  ],
  ['in another unit', other, { ...other, unit: 'days' }],
  ['with more', leaf, group('AND', { filters: [leaf, city] })],
])('a condition is another one %s', (_how, one, other) => {
  expect(isSameCondition(one, other)).toBe(false)
})
