import { describe, expect, test } from 'vitest'
import type { DnsAnswer } from '../../../../src/kit/dns.ts'
import { checkAlias, checkDkim, checkDmarc, checkInbound, checkSpf } from '../../../../src/modules/domains/dns/record-checks.ts'

const publicKey = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA'
const value = `v=DKIM1; k=rsa; p=${publicKey}`
const have = <Kind>(...records: Kind[]): DnsAnswer<Kind> => ({ kind: 'found', records })
const none: DnsAnswer<never> = { kind: 'none', nameExists: true }
const nowhere: DnsAnswer<never> = { kind: 'none', nameExists: false }
const servfail: DnsAnswer<never> = { kind: 'unknown', reason: 'SERVFAIL' }

describe('checkDkim', () => {
  const check = (answer: DnsAnswer<string>) => checkDkim({ value, publicKey }, answer)

  test.each([
    value,
    `p=${publicKey}`,
    `p=${publicKey};k=rsa;v=DKIM1;`,
    ` V = DKIM1 ;  k=RSA ; h=sha1:sha256; s=email; t=y; n=a note; p=${publicKey.slice(0, 10)} ${publicKey.slice(10)}\t`,
    `v=DKIM1; p=${publicKey}; p=other`,
  ])('finds the key in %s', (record) => {
    expect(check(have(record))).toEqual({ verdict: 'found', current: [record], problem: null })
  })

  test('finds it beside a record that is not a key', () => {
    expect(check(have('google-site-verification=x', value)).verdict).toBe('found')
  })

  test.each([
    [have('v=DKIM1; p=SOMEBODYELSES'), 'The record at this name has another key: change it to'],
    [have(`v=DKIM1; p=${publicKey.toLowerCase()}`), 'The record at this name has another key'],
    [have('v=DKIM1; p='), 'The key at this name is revoked (an empty p=)'],
    [have('just text'), 'The TXT record at this name is not a DKIM key'],
    [have(value, 'v=DKIM1; p=OLD'), 'There are several DKIM keys at this name'],
    [have(`v=DKIM2; p=${publicKey}`), 'The tag v= must be DKIM1'],
    [have(`k=ed25519; p=${publicKey}`), 'The tag k= must be rsa'],
    [have(`h=sha1; p=${publicKey}`), 'The tag h= does not include sha256'],
    [have(`s=tlsrpt; p=${publicKey}`), 'The tag s= does not include email'],
    [none, 'There is no TXT record at this name yet'],
    [nowhere, 'There is no TXT record at this name yet'],
  ])('does not find it in %j', (answer, problem) => {
    const result = check(answer)
    expect(result).toMatchObject({ verdict: 'absent', current: answer.kind === 'found' ? answer.records : [] })
    expect(result.problem).toContain(problem)
  })

  test('is unknown when DNS did not answer', () => {
    expect(check(servfail)).toEqual({
      verdict: 'unknown',
      current: [],
      problem: 'DNS did not answer: SERVFAIL. The next check is in 5 minutes.',
    })
  })
})

describe('checkSpf', () => {
  const check = (...records: string[]) => checkSpf('_spf.post.example', have(...records))

  test.each([
    'v=spf1 include:_spf.post.example ~all',
    'V=SPF1 mx  include:other.example +INCLUDE:_spf.Post.example. -all',
    'v=spf1 include:_spf.post.example redirect=x.example',
  ])('finds the include in %s, whatever else it allows', (record) => {
    expect(check('other=text', record)).toEqual({ verdict: 'found', current: [record], problem: null })
  })

  test.each([
    [['v=spf1 mx -all'], 'It does not include _spf.post.example: change the SPF record to v=spf1 include:_spf.post.example mx -all'],
    [['v=spf1 -include:_spf.post.example ~all'], 'It does not include _spf.post.example'],
    [['v=spf1 include:x_spf.post.example ~all'], 'It does not include _spf.post.example'],
    [
      ['v=spf1 mx -all include:_spf.post.example'],
      'What follows "all" is ignored: change the SPF record to v=spf1 include:_spf.post.example mx -all',
    ],
    [['v=spf1 include:_spf.post.example ~all', 'v=spf1 mx'], 'There are several SPF records: merge them into one (RFC 7208, 3.2).'],
    [['v=spf10 include:_spf.post.example'], 'There is no SPF record (TXT) at this name yet'],
  ])('does not find it in %j', (records, problem) => {
    expect(check(...records)).toMatchObject({ verdict: 'absent', problem: expect.stringContaining(problem) })
  })

  test('distinguishes no record from no answer', () => {
    expect(checkSpf('_spf.post.example', none).verdict).toBe('absent')
    expect(checkSpf('_spf.post.example', servfail).verdict).toBe('unknown')
  })
})

describe('checkDmarc', () => {
  const at = (name: string, answer: DnsAnswer<string>) => ({ name, answer })

  test.each(['v=DMARC1; p=none', 'v=DMARC1;p=reject;rua=mailto:d@example.com', ' v = DMARC1 ; sp=none; p = Quarantine '])(
    'accepts any policy: %s',
    (policy) => {
      expect(checkDmarc([at('_dmarc.example.com', have('x', policy))])).toEqual({ verdict: 'found', current: [policy], problem: null })
    },
  )

  test('accepts the policy of the parent domain where the domain has none, and uses the nearest one', () => {
    const above = at('_dmarc.example.com', have('v=DMARC1; p=reject'))
    expect(checkDmarc([at('_dmarc.mail.example.com', nowhere), above])).toMatchObject({ verdict: 'found', current: ['v=DMARC1; p=reject'] })
    expect(checkDmarc([at('_dmarc.mail.example.com', have('v=DMARC1; rua=mailto:x@y.example')), above])).toMatchObject({
      verdict: 'absent',
      problem: 'The DMARC record at _dmarc.mail.example.com has no policy: it needs p=none, p=quarantine or p=reject.',
    })
  })

  test('does not accept two policies, none, or no answer', () => {
    expect(checkDmarc([at('_dmarc.a.example', have('v=DMARC1; p=none', 'v=DMARC1; p=reject'))])).toMatchObject({
      verdict: 'absent',
      problem: 'There are several DMARC records at _dmarc.a.example: keep one (RFC 7489, 6.6.3).',
    })
    expect(checkDmarc([at('_dmarc.a.example', none)]).verdict).toBe('absent')
    expect(checkDmarc([at('_dmarc.a.example', servfail)]).verdict).toBe('unknown')
  })
})

describe('checkAlias', () => {
  test('finds the host at the end of a chain, and otherwise reports where the name points', () => {
    expect(checkAlias('links.post.example', have('cdn.example', 'links.post.example')).verdict).toBe('found')
    expect(checkAlias('links.post.example', have('cdn.example'))).toEqual({
      verdict: 'absent',
      current: ['cdn.example'],
      problem: 'The CNAME record points elsewhere: change it to links.post.example',
    })
    expect(checkAlias('links.post.example', none).problem).toContain('a CNAME must be the only record')
    expect(checkAlias('links.post.example', nowhere).problem).toBe('There is no CNAME record at this name yet: add one with this value.')
    expect(checkAlias('links.post.example', servfail).verdict).toBe('unknown')
  })
})

describe('checkInbound', () => {
  const mx = (priority: number, exchange: string) => ({ priority, exchange })

  test('finds the host only where email reaches it first', () => {
    expect(checkInbound('in.post.example', have(mx(20, 'other.example'), mx(10, 'in.post.example')))).toEqual({
      verdict: 'found',
      current: ['10 in.post.example', '20 other.example'],
      problem: null,
    })
    expect(checkInbound('in.post.example', have(mx(5, 'other.example'), mx(10, 'in.post.example')))).toMatchObject({
      verdict: 'absent',
      problem: 'other.example has priority over in.post.example: give in.post.example the lowest number of all MX records.',
    })
    expect(checkInbound('in.post.example', have(mx(0, '')))).toMatchObject({ verdict: 'absent', current: ['0 .'] })
    expect(checkInbound('in.post.example', none).verdict).toBe('absent')
    expect(checkInbound('in.post.example', servfail).verdict).toBe('unknown')
  })
})
