import { parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { schema } from '../../src/server/graphql/schema.ts'
import { subscription } from '../../src/start/banner.ts'

test('the subscription in the banner is valid for the schema', () => {
  expect(validate(schema, parse(subscription))).toEqual([])
})
