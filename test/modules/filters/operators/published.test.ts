import { expect, test } from 'vitest'
import { Condition } from '../../../../src/modules/filters/condition.ts'
import { emailActivities } from '../../../../src/modules/filters/fields.ts'
import { FilterOperator } from '../../../../src/modules/filters/shapes.ts'
import { isValid } from '../../../help/contract.ts'

// What the API reference says of a filter, beside what is taken.
const activities = emailActivities.flatMap(({ spellings }) => spellings.map((one) => `email.${one}`))
const fields = ['email', 'subscribed', 'createdAt', 'updatedAt', 'data.plan', 'data.a\nb', 'event.order placed', 'segment.seg_x']
const unknown = ['plan', 'data.', 'event.', 'email.read', 'emails', 'createdAt.x', '']
const listsOf = (value: unknown): unknown[] => [[value], [value, value], Array(1_001).fill(value)]
const day = '2026-01-31'
const values = [undefined, null, '', 0, 36_525, 36_526, 1e9, true, {}, [], [{}], [null], day, ...[day, 7, true].flatMap(listsOf)]

test('a group of a condition has a filter, or conditions', () => {
  const leaf = { field: 'email', operator: 'equals', value: 'x' }
  const groups = [{ filters: [] }, { filters: [leaf] }, { filters: [], conditions: leaf }]
  expect(groups.map((group) => isValid('Condition', { logic: 'AND', groups: [group] }))).toEqual([false, true, true])
})

test('a filter is valid by its published schema if it is taken, and only then', () => {
  const differing = [...fields, ...activities, ...unknown]
    .flatMap((field) =>
      FilterOperator.options.flatMap((operator) =>
        values.flatMap((value) => [undefined, 'days', 'hours', 'minutes'].map((unit) => JSON.stringify({ field, operator, value, unit }))),
      ),
    )
    .filter((text) => {
      const filter: unknown = JSON.parse(text)
      return Condition.safeParse(filter).success !== isValid('FieldFilter', filter)
    })
  // Which texts are dates is not said: an empty one for a date is valid.
  expect(differing.filter((text) => !/"(createdAt|updatedAt)".*"value":""/.test(text))).toEqual([])
})
