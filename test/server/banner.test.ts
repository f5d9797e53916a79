import { parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { subscription } from '../../src/server/banner.ts'
import { schema } from '../../src/server/schema.ts'

test('the subscription of the banner is one the schema has', () => {
  expect(validate(schema, parse(subscription))).toEqual([])
})
