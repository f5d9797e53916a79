import { expect, test } from 'vitest'
import { fieldOf } from '../../../src/modules/filters/fields.ts'

test.each([
  ['sent', 'email.sent'],
  ['delivery', 'email.delivery'],
  ['delivered', 'email.delivery'],
  ['open', 'email.opened'],
  ['opened', 'email.opened'],
  ['click', 'email.clicked'],
  ['clicked', 'email.clicked'],
  ['bounce', 'email.bounced'],
  ['bounced', 'email.bounced'],
  ['complaint', 'email.complaint'],
  ['complained', 'email.complaint'],
])('email.%s asks when %s last happened', (activity, name) => {
  expect(fieldOf({ field: `email.${activity}`, operator: 'triggered' })).toEqual({ family: 'event', name })
})

test('no other activity of an email is a field', () => {
  for (const activity of ['received', 'failed', 'Opened', 'opened.', 'toString', '__proto__'])
    expect(fieldOf({ field: `email.${activity}`, operator: 'triggered' })).toMatchObject({ family: 'unknown' })
})
