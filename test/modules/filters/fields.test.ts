import { expect, test } from 'vitest'
import { fieldOf } from '../../../src/modules/filters/fields.ts'
import { operatorsOf, readFilter } from '../../../src/modules/filters/language.ts'
import { asksHistory, FilterOperator, operators } from '../../../src/modules/filters/shapes.ts'
import { isValid } from '../../help/contract.ts'

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

test('event.<name> takes the operators that ask the history, and no others; in a workflow all others ask the context', () => {
  const history = ['triggered', 'triggeredWithin', 'triggeredOlderThan', 'notTriggered', 'notTriggeredWithin']
  expect(FilterOperator.options.filter(asksHistory)).toEqual(history)
  expect([operatorsOf('event.seen', 'audience'), operatorsOf('email.opened', 'workflow')]).toEqual([history, history])
  for (const operator of operatorsOf('event.seen', 'workflow'))
    expect([operator, fieldOf({ field: 'event.seen', operator }).family]).toEqual([
      operator,
      history.includes(operator) ? 'event' : 'context',
    ])
})

test.each(FilterOperator.options)('%s is refused without a value where it needs one, as the API reference says', (operator) => {
  const field = { history: 'event.seen', membership: 'segment.seg_x', value: 'data.plan' }[operators[operator].asks]
  const read = readFilter({ field, operator }, 'audience')
  const isRefused = 'problems' in read && read.problems.some(({ part, code }) => part === 'value' && code === 'required')
  expect([isRefused, isValid('FieldFilter', { field, operator })]).toEqual([operators[operator].needs !== 'nothing', !isRefused])
})
