import { describe, expect, test } from 'vitest'
import { isMailboxError, meaningOf, parseAnswer, parseReported } from '../../../src/kit/smtp/refusals.ts'

describe('a reported answer', () => {
  test.each<[string | undefined, string | undefined, object]>([
    ['5.1.1', 'smtp; 550 5.1.1 User unknown', { code: 550, enhanced: '5.1.1', text: 'User unknown' }],
    ['5.0.0', 'smtp;550 5.1.1 User unknown', { code: 550, enhanced: '5.1.1', text: 'User unknown' }],
    ['5.1.1', undefined, { code: 550, enhanced: '5.1.1', text: '' }],
    ['4.2.2 (mailbox full)', 'X-Unix; 75', { code: 450, enhanced: '4.2.2', text: '75' }],
    [undefined, 'smtp; 452 4.2.2 Full', { code: 452, enhanced: '4.2.2', text: 'Full' }],
    [undefined, 'No such user here', { code: 550, enhanced: null, text: 'No such user here' }],
    ['nonsense', '', { code: 550, enhanced: null, text: '' }],
    [undefined, undefined, { code: 550, enhanced: null, text: '' }],
  ])('with the status %s and the diagnostic "%s" is %j', (status, diagnostic, answer) => {
    expect(parseReported(status, diagnostic)).toEqual({ phase: 'rcpt', ...answer })
  })

  test('means what the same answer means when we get it ourselves', () => {
    expect(meaningOf(parseReported('5.1.1', undefined), 1)).toBe('unknown-address')
    expect(meaningOf(parseReported(undefined, 'smtp; 550 No such user'), 1)).toBe('unknown-address')
    expect(meaningOf(parseReported('5.7.1', 'smtp; 550 5.7.1 Spam'), 1)).toBe('failed')
    expect(meaningOf(parseReported(undefined, undefined), 1)).toBe('failed')
    expect(meaningOf(parseReported('4.4.7', undefined), 1)).toBe('deferred')
  })
})

describe('an answer about a mailbox', () => {
  test.each([
    ['552 5.2.2 The mailbox is full', true],
    ['452 4.2.2 The email account that you tried to reach is over quota', true],
    ['552 5.2.2 Mailbox size limit exceeded', true],
    ['450 4.2.0 Mailbox is temporarily unavailable', true],
    ['450 4.2.1 The account is disabled for now', true],
    ['450 4.2.1 The user is receiving mail at a rate that prevents additional messages', false],
    ['552 5.2.3 Message length exceeds administrative limit', false],
    ['554 5.2.0 STOREDRV.Deliver; message content could not be converted', false],
    ['550 5.2.0 Rejected by policy', false],
    ['550 5.2.4 Mailing list expansion problem', false],
    ['550 5.1.1 User unknown', false],
    ['550 5.7.1 Blocked', false],
    ['552 Over quota', false],
  ])('%s: %s', (reply, expected) => {
    expect(isMailboxError(parseAnswer('rcpt', reply), 2)).toBe(expected)
  })

  test('of a message to several says nothing about one of them', () => {
    const answer = parseAnswer('content', '552 5.2.2 The mailbox is full')
    expect([isMailboxError(answer, 1), isMailboxError(answer, 2)]).toEqual([true, false])
    expect(isMailboxError(parseAnswer('connect', '452 4.2.2 Full'), 1)).toBe(false)
  })
})
