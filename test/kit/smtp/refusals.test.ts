import { describe, expect, test } from 'vitest'
import { kindOf, type Meaning, meaningOf, type Phase, parseAnswer, sentenceOf } from '../../../src/kit/smtp/refusals.ts'

const meaning = (phase: Phase, reply: string, recipients = 1): Meaning => meaningOf(parseAnswer(phase, reply), recipients)

// What real servers answer to RCPT TO, from their documentation; addresses and names replaced.
const unknownAddress = [
  ['Postfix, local', '550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in local recipient table'],
  ['Postfix, virtual', '550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in virtual mailbox table'],
  ['Postfix, unknown domain', '550 5.1.2 <ada@example.com>: Recipient address rejected: Domain not found'],
  ['Postfix, bad syntax', '501 5.1.3 Bad recipient address syntax'],
  ['Sendmail', '550 5.1.1 <ada@example.com>... User unknown'],
  ['Sendmail, without an enhanced code', '550 <ada@example.com>... User unknown'],
  ['Sendmail, unknown host', '550 5.1.2 <ada@example.com>... Host unknown (Name server: example.com.: host not found)'],
  ['Exim, cPanel', '550 No Such User Here'],
  ['Exim', '550 Unknown user'],
  ['Dovecot', "550 5.1.1 <ada@example.com> User doesn't exist: ada@example.com"],
  ['qmail', '511 sorry, no mailbox here by that name (#5.1.1 - chkuser)'],
  ['vpopmail', '550 sorry, no mailbox here by that name. (#5.1.1)'],
  ['Exchange', '550 5.1.1 RESOLVER.ADR.RecipNotFound; not found'],
  ['Exchange, without its code', '550 RESOLVER.ADR.RecipNotFound; not found'],
  ['Microsoft 365', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@example.com not found by SMTP address lookup'],
  ['Microsoft 365, moved', '550 5.1.6 Recipient no longer on server'],
  [
    'Gmail',
    "550-5.1.1 The email account that you tried to reach does not exist. Please try\r\n550-5.1.1 double-checking the recipient's email address for typos or\r\n550 5.1.1 unnecessary spaces. gsmtp",
  ],
  [
    'Gmail, disabled',
    '550 5.2.1 The email account that you tried to reach is disabled. Learn more at https://support.google.com/mail/ - gsmtp',
  ],
  ['Gmail, unknown domain', "553 5.1.2 We weren't able to find the recipient domain. Please check for any spelling errors - gsmtp"],
  ['Yahoo', "554 delivery error: dd This user doesn't have a yahoo.com account (ada@yahoo.com) [0] - mta4173.mail.bf1.yahoo.com"],
  ['Yahoo, disabled', '554 30 Sorry, your message to ada@yahoo.com cannot be delivered. This mailbox is disabled (554.30).'],
  ['Yahoo, not found', '552 1 Requested mail action aborted, mailbox not found'],
  ['AT&T', '550 5.2.1 <ada@example.net>... Addressee unknown, relay=[192.0.2.1]'],
  ['Barracuda', '550 cuda_nsu 5.1.1 <ada@example.com> Recipient address rejected: User unknown'],
  ['Barracuda, short', '550 No such user (ada@example.com)'],
  ['Mimecast', '550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [abcDEF12] '],
  ['mail.ru', '550 Message was not accepted -- invalid mailbox. Local mailbox ada@mail.ru is unavailable: user not found'],
  ['iCloud', '550 5.1.1 <ada@icloud.com>: user does not exist'],
  ['a domain that receives no email (RFC 7505)', '556 5.1.10 Recipient address has null MX'],
]

// Permanent, but not because of the address: nobody may be suppressed for these.
const failed = [
  ['Exim, relaying', '550 relay not permitted'],
  ['Postfix, relaying', '554 5.7.1 <ada@example.com>: Relay access denied'],
  ['Postfix, relaying of a telling address', '554 5.7.1 <user-unknown@example.com>: Relay access denied'],
  ['Sendmail, relaying', '550 5.7.1 <ada@example.com>... Relaying denied. IP name lookup failed [192.0.2.1]'],
  ['Exchange, relaying', '550 5.7.1 Unable to relay'],
  ['Exchange, relaying of 5.7.54', '550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain'],
  ['qmail, relaying', "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
  ['Exim, the sender was verified', '550-Verification failed for <shop@demo.test>\r\n550-No Such User Here\r\n550 Sender verify failed'],
  ['Cisco', '550 #5.1.0 Address rejected.'],
  ['Exim, no route', '550 Unrouteable address'],
  ['Postfix, the sender is unknown', '550 5.1.0 <shop@demo.test>: Sender address rejected: User unknown in virtual mailbox table'],
  [
    'Postfix, the sender is unknown, without a code',
    '550 <shop@demo.test>: Sender address rejected: User unknown in local recipient table',
  ],
  [
    'Postfix, the sender was verified',
    '550 5.1.7 <shop@demo.test>: Sender address rejected: undeliverable address: host mx.demo.test said: 550 5.1.1 User unknown',
  ],
  ['Postfix, the domain of the sender', '550 5.1.8 <shop@demo.test>: Sender address rejected: Domain not found'],
  ['Sendmail, the domain of the sender', '553 5.1.8 <shop@demo.test>... Domain of sender address shop@demo.test does not exist'],
  ['Sendmail, the same without a code', '501 <shop@demo.test>... Domain of sender address shop@demo.test does not exist'],
  ['Microsoft 365, outbound spam', '550 5.1.8 Access denied, bad outbound sender'],
  ['Microsoft 365, daily limit', "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients"],
  ['Microsoft 365, edge blocking', '550 5.4.1 Recipient address rejected: Access denied. AS(201806281)'],
  ['Microsoft 365, reputation', '550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP.'],
  ['Outlook.com, no reason', '550 5.5.0 Requested action not taken: mailbox unavailable'],
  [
    'Outlook.com, block list',
    "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider (S3140).",
  ],
  [
    'Gmail, volume',
    '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.',
  ],
  ['Gmail, full', '552 5.2.2 The email account that you tried to reach is over quota. Please direct the recipient to clear space - gsmtp'],
  ['Gmail, daily limit', '550 5.4.5 Daily user sending limit exceeded.'],
  ['Gmail, the sender', '553 5.1.7 The sender address <shop@demo> is not a valid RFC 5321 address.'],
  [
    'Gmail, not authenticated',
    '550 5.7.26 This mail has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate.',
  ],
  ['Yahoo, reputation', '553 5.7.2 [TSS09] All messages from 192.0.2.1 will be permanently deferred; Retrying will NOT succeed.'],
  ['too many unknown users', '554 5.7.1 Too many invalid recipients from your address'],
  ['a DKIM policy (RFC 7372)', '550 5.7.20 No passing DKIM signature found'],
  ['an SPF policy (RFC 7372)', '550 5.7.23 SPF validation failed'],
  ['the sender receives no email (RFC 7505)', '550 5.7.27 Sender address has null MX'],
  ['an ambiguous address', '550 5.1.4 Mailbox address ambiguous'],
  ['another status of the address', '550 5.1.0 Address rejected'],
  ['a full mailbox', '552 5.2.2 Mailbox full'],
  ['a bare code', '550'],
  ['a temporary code behind a permanent one', '550 4.2.2 The mailbox is over quota'],
  ['not local (RFC 5321)', '551 User not local; please try <ada@example.net>'],
  ['an enhanced code that is only quoted', '550 5.7.1 blocked by mx.example.com, which said: 550 5.1.1'],
]

describe('an answer to RCPT TO', () => {
  test.each(unknownAddress)('%s: there is no such address', (_server, reply) => expect(meaning('rcpt', reply)).toBe('unknown-address'))

  test.each(failed)('%s: failed, which says nothing about the address', (_server, reply) => expect(meaning('rcpt', reply)).toBe('failed'))

  test.each([
    ['closing', '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints'],
    ['greylisting', '450 4.2.0 <ada@example.com>: Recipient address rejected: Greylisted'],
    ['Gmail, volume', '450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages'],
    ['a local error', '451 4.3.0 Mail server temporarily rejected message'],
    ['Microsoft 365, busy', '451 4.7.500 Server busy. Please try again later'],
    ['full at present', '452 4.2.2 The email account that you tried to reach is over quota'],
    ['Amazon SES, rate', '454 Throttling failure: Maximum sending rate exceeded.'],
    ['a permanent code behind a temporary one', '450 5.1.1 <ada@example.com>: User unknown'],
    ['a login is wanted', '530 5.7.0 Authentication required'],
  ])('%s: deferred', (_why, reply) => expect(meaning('rcpt', reply)).toBe('deferred'))

  test('the address of a recipient is no known text', () => {
    expect(meaning('rcpt', '550 <no such user@example.com>: blocked')).toBe('failed')
    expect(meaning('rcpt', '550 blocked: unknown-user@example.com')).toBe('failed')
  })
})

describe('an answer at another step', () => {
  test.each<[string, Phase, string]>([
    ['a greeting', 'connect', '554 5.7.1 mx.example.com No SMTP service here'],
    ['a greeting of a host that receives no email (RFC 7504)', 'connect', '521 mx.example.com does not accept mail'],
    ['too many connections', 'connect', '421 4.7.0 Too many concurrent SMTP connections'],
    ['a login', 'auth', '535 Authentication Credentials Invalid'],
    ['Gmail, a login', 'auth', '535-5.7.8 Username and Password not accepted.\r\n535 5.7.8 gsmtp'],
    ['a temporary failure of the login', 'auth', '454 4.7.0 Temporary authentication failure'],
    ['Microsoft 365, without a login', 'mail', '530 5.7.57 SMTP; Client was not authenticated to send anonymous mail during MAIL FROM'],
    ['Gmail, without TLS', 'mail', '530 5.7.0 Must issue a STARTTLS command first.'],
  ])('%s: the server cannot be used', (_what, phase, reply) => expect(meaning(phase, reply)).toBe('unavailable'))

  test.each<[string, Phase, string]>([
    ['MAIL, even with a code of an address', 'mail', '550 5.1.1 <shop@demo.test>: User unknown'],
    ['MAIL, not allowed', 'mail', '553 5.7.1 <shop@demo.test>: Sender address rejected: not owned by user shop'],
    [
      'Amazon SES, in its sandbox',
      'content',
      '554 Message rejected: Email address is not verified. The following identities failed the check in region US-EAST-1: ada@example.com',
    ],
    [
      'Amazon SES, not permitted',
      'content',
      '554 Access denied: User `arn:aws:iam::1:user/x` is not authorized to perform `ses:SendRawEmail`',
    ],
    ['Yahoo, policy', 'content', '554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes'],
    ['Gmail, content', 'content', '552 5.7.0 This message was blocked because its content presents a potential security issue.'],
    ['a filter', 'content', '550 5.7.1 Message rejected as spam'],
    ['Postfix, nobody left', 'data', '554 5.5.1 Error: no valid recipients'],
  ])('%s: failed', (_what, phase, reply) => expect(meaning(phase, reply)).toBe('failed'))

  test.each<[string, Phase, string]>([
    ['Postfix', 'mail', '552 5.3.4 Message size exceeds fixed limit'],
    ['Exim', 'mail', '552 Message size exceeds maximum permitted'],
    ['Gmail', 'content', "552 5.3.4 Your message exceeded Google's message size limits."],
    ['a mailbox with a limit of its own', 'rcpt', '550 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient'],
    ['RFC 5321', 'content', '552 Too much mail data'],
  ])('%s: too large', (_server, phase, reply) => expect(meaning(phase, reply)).toBe('too-large'))

  test('after the content it is about the address if there is only one', () => {
    const reply = "554 delivery error: dd This user doesn't have a yahoo.com account (ada@yahoo.com)"
    expect([meaning('content', reply, 1), meaning('content', reply, 2)]).toEqual(['unknown-address', 'failed'])
    expect(meaning('data', '550 5.1.1 <ada@example.com>: User unknown', 1)).toBe('unknown-address')
    expect(meaning('content', '250 2.0.0 Ok: queued as 4F2')).toBe('accepted')
  })
})

describe('an answer as a sentence', () => {
  test.each([
    ['550-5.1.1 The account\r\n550-5.1.1 does not\r\n550 5.1.1 exist', '550 5.1.1 The account does not exist'],
    ['550 relay not permitted', '550 relay not permitted'],
    ['511 sorry, no mailbox here (#5.1.1 - chkuser)', '511 sorry, no mailbox here (#5.1.1 - chkuser)'],
    ['550 a\0b\tc', '550 a b c'],
    ['550', '550'],
    ['550 5.1.1<ada@example.com> unknown', '550 5.1.1 <ada@example.com> unknown'],
    ['550 #5.1.0 Address rejected.', '550 5.1.0 Address rejected.'],
  ])('%j', (reply, sentence) => expect(sentenceOf(parseAnswer('rcpt', reply))).toBe(sentence))

  test('takes no longer for a hostile reply', () => {
    const before = process.threadCpuUsage()
    for (const reply of ['x'.repeat(1_000_000), '<'.repeat(1_000_000), 'a.'.repeat(500_000), 'user '.repeat(200_000)]) {
      const answer = parseAnswer('rcpt', `550 ${reply}`)
      expect(meaningOf(answer, 1)).toBe('failed')
      expect(kindOf(answer).length).toBeLessThanOrEqual(200)
    }
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_000)
  })

  test('has at most 500 characters', () => {
    expect(sentenceOf(parseAnswer('rcpt', `550 ${'x'.repeat(1_000)}`))).toHaveLength(500)
  })
})

describe('two answers are equal', () => {
  const same = (one: string, other: string): boolean => kindOf(parseAnswer('rcpt', one)) === kindOf(parseAnswer('rcpt', other))

  test.each([
    ['addresses', '554 5.7.1 <ada@a.example>: Relay access denied', '554 5.7.1 <bob@b.example>: Relay access denied'],
    [
      'hosts, ids and numbers',
      '550 5.4.1 Access denied AS(201806281) [BN1NAM02FT022.eop.example.com]',
      '550 5.4.1 Access denied AS(4) [x.example.org]',
    ],
    ['links', '550 5.7.1 blocked, see https://a.example/?id=abc', '550 5.7.1 blocked, see https://a.example/?id=def'],
  ])('apart from %s', (_what, one, other) => expect(same(one, other)).toBe(true))

  test('only with the same codes and words', () => {
    expect(same('550 relay not permitted', '554 relay not permitted')).toBe(false)
    expect(same('550 5.7.1 blocked', '550 5.7.0 blocked')).toBe(false)
    expect(same('550 blocked', '550 refused')).toBe(false)
  })
})
