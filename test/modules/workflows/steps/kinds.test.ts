import { describe, expect, test } from 'vitest'
import { Failure } from '../../../../src/kit/errors.ts'
import { read } from '../../../../src/kit/problems.ts'
import { kinds, namedBy, type StepType } from '../../../../src/modules/workflows/steps/kinds.ts'

/** The codes of what is wrong with a config, by field. */
function problems(type: StepType, config: object): Record<string, string> {
  try {
    read(kinds[type].config, config)
    return {}
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return Object.fromEntries((error.errors ?? []).map(({ field, code }) => [field, code]))
  }
}

const parsed = (type: StepType, config: object) => read(kinds[type].config, config)
const missing = (type: StepType, config: object) => kinds[type].missing(parsed(type, config))
const leaf = { field: 'data.plan', operator: 'equals', value: 'pro' }

describe('a config may be incomplete', () => {
  test.each<[StepType, object, string | null]>([
    ['SEND_EMAIL', {}, null],
    ['SEND_EMAIL', { recipient: { type: 'CUSTOM' } }, '"recipient.customEmail"'],
    ['SEND_EMAIL', { recipient: { type: 'CUSTOM', customEmail: 'a@b.test' } }, null],
    ['DELAY', {}, '"amount"'],
    ['DELAY', { amount: 0.5 }, '"unit"'],
    ['DELAY', { amount: 365, unit: 'days' }, null],
    ['WAIT_FOR_EVENT', { timeout: 60 }, '"eventName"'],
    ['WAIT_FOR_EVENT', { eventName: 'email.open', timeout: 31_536_000 }, null],
    ['CONDITION', {}, '"field" and "operator", or a "condition"'],
    ['CONDITION', { field: 'data.plan' }, '"operator"'],
    ['CONDITION', { field: 'data.plan', operator: 'equals' }, '"value"'],
    ['CONDITION', { field: 'data.plan', operator: 'within', value: 3 }, '"unit"'],
    ['CONDITION', leaf, null],
    ['CONDITION', { ...leaf, field: 'contact.data.plan' }, null],
    ['CONDITION', { field: 'contact.email', operator: 'contains', value: '@' }, null],
    ['CONDITION', { field: 'workflow.total', operator: 'greaterThan', value: 10 }, null],
    ['CONDITION', { field: 'event.total', operator: 'greaterThan', value: 10 }, null],
    ['CONDITION', { mode: 'multi' }, '"branches"'],
    ['CONDITION', { mode: 'multi', field: 'data.plan', branches: [{ id: 'pro' }] }, '"branches.0.operator"'],
    ['CONDITION', { mode: 'multi', field: 'data.plan', branches: [{ id: 'pro', operator: 'equals', value: 'pro' }] }, null],
    ['CONDITION', { mode: 'multi', branches: [{ id: 'pro' }] }, '"field"'],
    ['CONDITION', { condition: leaf }, null],
    [
      'CONDITION',
      { condition: { logic: 'AND', groups: [{ filters: [{ field: 'data.plan' }] }] } },
      '"condition.groups.0.filters.0.operator"',
    ],
    ['CONDITION', { logic: 'AND' }, '"groups"'],
    ['CONDITION', { logic: 'AND', groups: [] }, '"groups"'],
    ['CONDITION', { logic: 'OR', groups: [{ filters: [leaf] }] }, null],
    [
      'CONDITION',
      { condition: { logic: 'OR', groups: [{ filters: [leaf, { ...leaf, field: 'event.paid', operator: 'triggered' }] }] } },
      null,
    ],
    ['WEBHOOK', { method: 'GET' }, '"url"'],
    ['WEBHOOK', { url: 'https://hooks.acme.test/{{ data.id }}?x={{ event.total }}' }, null],
    [
      'WEBHOOK',
      { url: '{{ event.callback }}', headers: { Authorization: 'Bearer {{ data.token }}' }, body: ['{{ email }}', null, 7] },
      null,
    ],
    ['UPDATE_CONTACT', {}, '"updates" or "subscriptionAction"'],
    ['UPDATE_CONTACT', { updates: { plan: '' }, subscriptionAction: 'none' }, '"updates" or "subscriptionAction"'],
    ['UPDATE_CONTACT', { updates: { email: 'x' } }, '"updates" or "subscriptionAction"'],
    ['UPDATE_CONTACT', { updates: { plan: null } }, null],
    ['UPDATE_CONTACT', { subscriptionAction: 'unsubscribe' }, null],
    ['EXIT', {}, null],
  ])('%s %j needs %s', (type, config, needs) => {
    expect(missing(type, config)).toBe(needs)
  })
})

describe('a config with a wrong type is refused', () => {
  const many = Array.from({ length: 21 }, (_, at) => ({ id: `b${at}`, operator: 'equals', value: at }))
  test.each<[StepType, object, Record<string, string>]>([
    ['SEND_EMAIL', { recipient: 'x' }, { recipient: 'invalid_type' }],
    ['SEND_EMAIL', { recipient: { type: 'CC' } }, { 'recipient.type': 'invalid_value' }],
    ['SEND_EMAIL', { recipient: { type: 'CUSTOM', customEmail: 'nobody' } }, { 'recipient.customEmail': 'invalid_format' }],
    ['DELAY', { amount: '1' }, { amount: 'invalid_type' }],
    ['DELAY', { amount: 0 }, { amount: 'too_small' }],
    ['DELAY', { amount: 366, unit: 'days' }, { amount: 'too_big' }],
    ['DELAY', { amount: 365 * 24 * 60 + 1 }, { amount: 'too_big' }],
    ['DELAY', { amount: 1, unit: 'weeks' }, { unit: 'invalid_value' }],
    ['WAIT_FOR_EVENT', { eventName: '' }, { eventName: 'too_small' }],
    ['WAIT_FOR_EVENT', { timeout: 31_536_001 }, { timeout: 'too_big' }],
    ['WAIT_FOR_EVENT', { timeout: 0 }, { timeout: 'too_small' }],
    ['CONDITION', { field: 7 }, { field: 'invalid_type' }],
    ['CONDITION', { field: 'nothing', operator: 'exists' }, { field: 'unknown_field' }],
    ['CONDITION', { field: 'data.plan', operator: 'is' }, { operator: 'invalid_value' }],
    ['CONDITION', { field: 'data.plan', operator: 'triggered' }, { operator: 'unsupported_operator' }],
    ['CONDITION', { field: 'data.plan', operator: 'within', value: 'x', unit: 'days' }, { value: 'invalid_value' }],
    ['CONDITION', { mode: 'multi', field: 'data.x', branches: many }, { branches: 'too_big' }],
    ['CONDITION', { mode: 'multi', branches: [{ id: 'a' }, { id: 'a' }] }, { 'branches.1.id': 'duplicate' }],
    ['CONDITION', { mode: 'multi', branches: [{ id: 'default' }] }, { 'branches.0.id': 'reserved' }],
    ['CONDITION', { condition: 'x' }, { condition: 'invalid_type' }],
    [
      'CONDITION',
      { condition: { logic: 'AND', groups: [{ filters: [{ ...leaf, extra: 1 }] }] } },
      { 'condition.groups.0.filters.0.extra': 'unrecognized_keys' },
    ],
    ['WEBHOOK', { url: 'ftp://acme.test' }, { url: 'invalid_url' }],
    ['WEBHOOK', { url: 'https://user:secret@acme.test/' }, { url: 'invalid_url' }],
    ['WEBHOOK', { url: 'https://acme.test/a b' }, { url: 'invalid_url' }],
    ['WEBHOOK', { url: 'https://acme.test/{{ x' }, { url: 'invalid_template' }],
    ['WEBHOOK', { url: 'https://' }, { url: 'invalid_url' }],
    ['WEBHOOK', { url: 'https://acme.test/{% if %}' }, { url: 'invalid_template' }],
    ['WEBHOOK', { method: 'TRACE' }, { method: 'invalid_value' }],
    ['WEBHOOK', { headers: { 'X Y': '1' } }, { 'headers.X Y': 'invalid_header' }],
    ['WEBHOOK', { headers: { Host: 'evil.test' } }, { 'headers.Host': 'invalid_header' }],
    ['WEBHOOK', { headers: { 'webhook-id': '1' } }, { 'headers.webhook-id': 'invalid_header' }],
    ['WEBHOOK', { headers: { 'X-A': 'a\r\nX-B: b' } }, { 'headers.X-A': 'invalid_header' }],
    ['WEBHOOK', { headers: { 'X-A': 1 } }, { 'headers.X-A': 'invalid_type' }],
    ['WEBHOOK', { body: { deep: ['{{ x | }', '{{ a'] } }, { 'body.deep.0': 'invalid_template', 'body.deep.1': 'invalid_template' }],
    ['WEBHOOK', { body: `{{ "${'x'.repeat(5_000)}" }}` }, { '': 'invalid_template' }],
    ['UPDATE_CONTACT', { updates: 7 }, { updates: 'invalid_type' }],
    ['UPDATE_CONTACT', { updates: { '': 1 } }, { updates: 'invalid_key' }],
    ['UPDATE_CONTACT', { updates: JSON.parse('{"__proto__": 1}') }, { 'updates.__proto__': 'invalid_key' }],
    ['UPDATE_CONTACT', { updates: Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`k${at}`, 1])) }, { updates: 'too_big' }],
    ['UPDATE_CONTACT', { subscriptionAction: 'toggle' }, { subscriptionAction: 'invalid_value' }],
    ['EXIT', { reason: 'x'.repeat(201) }, { reason: 'too_big' }],
  ])('%s %j', (type, config, expected) => {
    expect(problems(type, config)).toEqual(expected)
  })

  test('a condition of more than 100 filters, however little else is right', () => {
    const filters = Array.from({ length: 101 }, () => leaf)
    expect(problems('CONDITION', { logic: 'AND', groups: [{ filters }] })).toEqual({ '': 'too_big' })
  })
})

describe('what a step names', () => {
  test.each<[StepType, object, string[], string[]]>([
    ['CONDITION', { ...leaf, field: 'contact.data.plan' }, ['data.plan'], []],
    ['CONDITION', { field: 'event.total', operator: 'equals', value: 1 }, [], []],
    ['CONDITION', { field: 'event.paid', operator: 'triggeredWithin', value: 1, unit: 'days' }, ['event.paid'], []],
    ['CONDITION', { condition: { field: 'segment.seg_a', operator: 'notMemberOfSegment' } }, ['segment.seg_a'], ['seg_a']],
    [
      'CONDITION',
      { mode: 'multi', field: 'data.plan', branches: ['a', 'b'].map((id) => ({ id, operator: 'equals', value: id })) },
      ['data.plan'],
      [],
    ],
    ['CONDITION', { field: 'data.plan' }, [], []],
    ['WAIT_FOR_EVENT', { eventName: 'paid' }, ['event.paid'], []],
    ['UPDATE_CONTACT', { updates: { plan: 'pro', old: null } }, ['data.plan', 'data.old'], []],
    ['DELAY', { amount: 1 }, [], []],
  ])('%s %j', (type, config, asks, segmentIds) => {
    expect(namedBy({ type, config: parsed(type, config) })).toEqual({ asks, segmentIds })
  })
})

test('the address of a webhook that is too long is refused without being looked at', () => {
  const before = process.threadCpuUsage()
  expect(problems('WEBHOOK', { url: `https://x.test/${'{{'.repeat(100_000)}` })).toHaveProperty('url')
  // To look for tags in it would take this thread about ten seconds.
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(4_000)
})
