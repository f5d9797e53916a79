import { describe, expect, test } from 'vitest'
import { EmailToCheck } from '../../../src/modules/verification/shapes.ts'
import { checkEmail } from '../../../src/modules/verification/verification.ts'
import { testDns, type ZoneRecord } from '../../help/dns.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const dns = await testDns()
const world = await testWorld({ env: { DNS_SERVERS: dns.address } })
const { ctx } = await freshProject(world)

const site: ZoneRecord = { type: 'A', value: '192.0.2.1' }
const mail: ZoneRecord = { type: 'MX', exchange: 'mx.post.example', priority: 10 }
const known = [
  'gmail.com',
  'gmial.com',
  'bol.com',
  'mailinator.com',
  'user.mailinator.com',
  'duck.com',
  'ada.anonaddy.com',
  'acme.example',
  'example.com',
  'acme.co',
]
for (const domain of known) dns.set(domain, site, mail)

const check = (email: string) => checkEmail(ctx, EmailToCheck.parse({ email }))
const fine = ['Email appears to be valid']

describe('checkEmail', () => {
  test('has no objection to a good address', async () => {
    expect(await check(' Ada@Acme.example ')).toEqual({
      email: 'ada@acme.example',
      valid: true,
      isDisposable: false,
      isAlias: false,
      isTypo: false,
      isPlusAddressed: false,
      isPersonalEmail: false,
      domainExists: true,
      hasWebsite: true,
      hasMxRecords: true,
      reasons: fine,
    })
  })

  test.each([
    ['ada+shop@acme.example', { isPlusAddressed: true }],
    ['ada@gmail.com', { isPersonalEmail: true }],
    ['ada@mailinator.com', { isDisposable: true }],
    ['ada@user.mailinator.com', { isDisposable: true }],
    ['ada@duck.com', { isAlias: true }],
    ['x@ada.anonaddy.com', { isAlias: true }],
    ['ada@example.com', {}],
    ['ada@acme.co', {}],
    ['ada@bol.com', {}],
  ])('%s is valid, with %j', async (email, flags) => {
    const clean = { isDisposable: false, isAlias: false, isTypo: false, isPlusAddressed: false, isPersonalEmail: false }
    const answer = await check(email)
    expect(answer).toMatchObject({ ...clean, ...flags, valid: true, reasons: fine })
    expect(answer).not.toHaveProperty('suggestedEmail')
  })

  test('suggests the provider that was meant; a typo alone does not make an address invalid', async () => {
    expect(await check('ada+x@gmial.com')).toMatchObject({
      valid: true,
      isTypo: true,
      suggestedEmail: 'ada+x@gmail.com',
      reasons: ['Possible typo detected, did you mean gmail.com?'],
    })
    expect(await check('ada@aoll.com')).toMatchObject({
      valid: false,
      isTypo: true,
      suggestedEmail: 'ada@aol.com',
      reasons: ['Possible typo detected, did you mean aol.com?', 'Domain does not exist (no nameservers found)'],
    })
  })

  test.each(['gamil.com', 'gmail.co', 'yaho.com', 'gmaill.com', 'hotmial.com', 'outlok.com', 'iclod.com', 'gmail.con'])(
    'takes %s for a typo',
    async (domain) => {
      expect(await check(`ada@${domain}`)).toMatchObject({ isTypo: true, suggestedEmail: expect.stringMatching(/@[a-z]+\.com$/) })
    },
  )

  test.each(['email.com', 'ymail.com', 'mail.ru', 'docmail.com', 'me.com', 'gmx.at', 'acme.io', 'stripe.com', 'gmail.com', 'live.co.uk'])(
    'does not take %s for a typo',
    async (domain) => {
      dns.set(domain, site, mail)
      expect(await check(`ada@${domain}`)).toMatchObject({ isTypo: false, valid: true })
    },
  )

  test('a domain that does not exist is invalid, for this reason only', async () => {
    expect(await check('ada@nothing.example')).toMatchObject({
      valid: false,
      domainExists: false,
      hasWebsite: false,
      hasMxRecords: false,
      reasons: ['Domain does not exist (no nameservers found)'],
    })
  })

  test('a domain without MX is invalid, even if it has a website', async () => {
    dns.set('site.example', site)
    expect(await check('ada@site.example')).toMatchObject({
      valid: false,
      domainExists: true,
      hasWebsite: true,
      hasMxRecords: false,
      reasons: ['Domain cannot receive email (no MX records found)'],
    })
  })

  test('a null MX is invalid (RFC 7505)', async () => {
    dns.set('null.example', site, { type: 'MX', exchange: '', priority: 0 })
    expect(await check('ada@null.example')).toMatchObject({
      valid: false,
      hasMxRecords: false,
      reasons: ['Domain does not accept email (null MX record)'],
    })
  })

  test('a subdomain for email without name servers of its own exists', async () => {
    dns.set('mail.sub.example', mail)
    expect(await check('ada@mail.sub.example')).toMatchObject({ valid: true, domainExists: true, hasWebsite: false, reasons: fine })
    dns.set('empty.sub.example')
    expect(await check('ada@empty.sub.example')).toMatchObject({ valid: false, domainExists: true })
  })

  test.each([`${'a'.repeat(65)}@acme.example`, 'ada@acme-.example', 'ada@10.0.0.example-'])(
    '%s is an address no server takes: invalid without asking DNS',
    async (email) => {
      const before = dns.questions.length
      expect(await checkEmail(ctx, { email })).toMatchObject({ valid: false, domainExists: false, reasons: ['Invalid email format'] })
      expect(dns.questions.length).toBe(before)
    },
  )
})

describe('when a DNS look-up fails', () => {
  test('the flags are false, a reason says so, and that alone does not make the address invalid', async () => {
    dns.break('away.example', 'SERVFAIL')
    expect(await check('ada@away.example')).toMatchObject({
      valid: true,
      domainExists: false,
      hasWebsite: false,
      hasMxRecords: false,
      reasons: ['Domain could not be checked (SERVFAIL)'],
    })
  })

  test('many at once are answered too, those whose turn does not come in time as well', async () => {
    dns.break('mute', 'silence')
    const answers = await Promise.all(Array.from({ length: 150 }, (_, n) => check(`ada@m${n}.mute`)))
    for (const answer of answers)
      expect(answer).toMatchObject({ valid: true, reasons: ['Domain could not be checked (no answer in time)'] })
  })

  test('a check waits for one look-up at most, and the next check repeats it', async () => {
    dns.break('mute.example', 'silence')
    expect(await check('ada@mute.example')).toMatchObject({ valid: true, reasons: ['Domain could not be checked (no answer in time)'] })
    dns.break('mute.example', null)
    dns.set('mute.example', site, mail)
    expect(await check('ada@mute.example')).toMatchObject({ domainExists: true, reasons: fine })
  })
})

describe('an answer of DNS', () => {
  const asked = (domain: string): number => dns.questions.filter((question) => question === `MX ${domain}`).length

  test('is cached for 5 minutes, and looked up once for concurrent checks', async () => {
    dns.set('kept.example', site, mail)
    await Promise.all(Array.from({ length: 20 }, (_, at) => check(`a${at}@kept.example`)))
    dns.set('kept.example', site)
    expect(await check('ada@kept.example')).toMatchObject({ valid: true })
    expect(asked('kept.example')).toBe(1)
    world.clock.turn(5 * 60_000)
    expect(await check('ada@kept.example')).toMatchObject({ valid: false })
    expect(asked('kept.example')).toBe(2)
  })
})
