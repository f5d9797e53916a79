import { describe, expect, test } from 'vitest'
import { familyOf, needOf } from '../../src/dashboard/data/operators.ts'
import type { FilterOperator as GraphqlOperator } from '../../src/dashboard/graphql/graphql.ts'
import { asking, newRule } from '../../src/dashboard/parts/condition/tree.ts'
import { asksHistory, FilterOperator, operators } from '../../src/modules/filters/shapes.ts'

const screaming = (operator: string) => operator.replace(/[A-Z]/g, '_$&').toUpperCase() as GraphqlOperator

test.each(FilterOperator.options)('the dashboard knows what %s needs, and whether it asks the history, as the server does', (operator) => {
  expect(needOf(screaming(operator))).toBe(operators[operator].needs)
  expect(familyOf('event.seen', screaming(operator)) === 'event').toBe(asksHistory(operator))
})

describe('a rule that asks another field', () => {
  const ask = (from: string, value: unknown, to: string) =>
    asking(newRule({ field: from, operator: 'EQUALS', value } as Parameters<typeof newRule>[0]), {
      ...{ field: to, family: 'contact', fields: [] },
    })

  test('leaves out a value that subscribed cannot have, and one that only subscribed has', () => {
    expect(ask('email', 'ada@example.com', 'subscribed')).toMatchObject({ field: 'subscribed', operator: 'EQUALS' })
    expect(ask('email', 'ada@example.com', 'subscribed')).not.toHaveProperty('value')
    expect(ask('subscribed', true, 'email')).not.toHaveProperty('value')
  })

  test('keeps one that fits', () => {
    expect(ask('createdAt', '2026-01-31', 'updatedAt')).toMatchObject({ field: 'updatedAt', value: '2026-01-31' })
  })
})
