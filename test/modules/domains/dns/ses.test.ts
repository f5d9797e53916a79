import { createPrivateKey, createPublicKey } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { checkDomains, verifyDomain } from '../../../../src/modules/domains/dns/check.ts'
import { createDomain, getDomain } from '../../../../src/modules/domains/domains.ts'
import type { Domain } from '../../../../src/modules/domains/shapes.ts'
import { testDns, txt } from '../../../help/dns.ts'
import { type SesIdentity, sesTwin } from '../../../help/ses.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const dns = await testDns()
const ses = await sesTwin()
const world = await testWorld({ env: { DNS_SERVERS: dns.address, ...ses.env } })

let names = 0
async function domainWithKey({ inDns }: { inDns: boolean }) {
  const { ctx } = await freshProject(world)
  const domain = await createDomain(ctx, { domain: `s${++names}.example` })
  const key = domain.records.find(({ purpose }) => purpose === 'DKIM')
  if (!key) throw new Error('There is no DKIM record')
  if (inDns) dns.set(key.name, txt(key.value))
  return { ctx, domain, key }
}

const dkimOf = ({ records }: { records: { purpose: string; problem: string | null }[] }) =>
  records.find(({ purpose }) => purpose === 'DKIM')

beforeEach(() => {
  ses.trouble = null
  ses.identities.clear()
})

describe('a domain of an installation that sends with Amazon SES', () => {
  test('is registered there with the key that DNS has, and is verified once SES has found it', async () => {
    const { ctx, domain, key } = await domainWithKey({ inDns: true })
    const waiting = await verifyDomain(ctx, domain)
    expect([waiting.status, dkimOf(waiting)]).toMatchObject([
      'PENDING',
      { found: false, problem: expect.stringContaining('Amazon SES has to find it') },
    ])
    const registered = ses.identities.get(domain.domain)
    const pem = `-----BEGIN PRIVATE KEY-----\n${registered?.privateKey.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----`
    const publicKey = createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'der' }).toString('base64')
    expect(key).toMatchObject({ name: `${registered?.selector}._domainkey.${domain.domain}`, value: `v=DKIM1; k=rsa; p=${publicKey}` })
    if (registered) Object.assign(registered, { verified: true, status: 'SUCCESS' })
    world.clock.turn(5 * 60_000)
    await checkDomains(world)
    expect(await getDomain(ctx, domain)).toMatchObject({ status: 'VERIFIED' })
  })

  test('is not registered before DNS has its key, so that nobody registers the domain of somebody else', async () => {
    const { ctx, domain } = await domainWithKey({ inDns: false })
    expect((await verifyDomain(ctx, domain)).status).toBe('PENDING')
    expect(ses.identities.size).toBe(0)
  })

  test('is verified at once when SES sends from it already, with whatever key', async () => {
    const { ctx, domain } = await domainWithKey({ inDns: true })
    const existing = { selector: 'other', privateKey: '', verified: true, status: 'SUCCESS' as const }
    ses.identities.set(domain.domain, existing)
    expect((await verifyDomain(ctx, domain)).status).toBe('VERIFIED')
    expect(ses.identities.get(domain.domain)).toEqual(existing)
  })

  test.each([
    ['another key', { selector: 'other', privateKey: 'x', verified: false, status: 'PENDING' as const }],
    ['a search that SES has given up', { selector: '', privateKey: 'x', verified: false, status: 'FAILED' as const }],
  ])('that waits there with %s is registered again with its own', async (_what, before) => {
    const { ctx, domain, key } = await domainWithKey({ inDns: true })
    const selector = key.name.split('.')[0] ?? ''
    ses.identities.set(domain.domain, { ...before, selector: before.selector || selector })
    expect((await verifyDomain(ctx, domain)).status).toBe('PENDING')
    expect(ses.identities.get(domain.domain)).toMatchObject({ selector, status: 'PENDING' })
    expect(ses.identities.get(domain.domain)?.privateKey).not.toBe('x')
  })

  test('depends on DNS alone where our key may not manage domains in SES', async () => {
    const { ctx, domain } = await domainWithKey({ inDns: true })
    ses.trouble = { status: 403, code: 'AccessDeniedException' }
    expect((await verifyDomain(ctx, domain)).status).toBe('VERIFIED')
  })

  test('keeps its status while SES cannot be asked, and says why', async () => {
    const { ctx, domain } = await domainWithKey({ inDns: true })
    ses.trouble = { status: 400, code: 'TooManyRequestsException', message: 'Slow down' }
    const waiting = await verifyDomain(ctx, domain)
    expect([waiting.status, dkimOf(waiting)?.problem]).toEqual(['PENDING', expect.stringContaining('Slow down')])
  })
})

describe('the return path of a domain that sends with Amazon SES', () => {
  const exchange = 'feedback-smtp.eu-central-1.amazonses.com'
  const returnPathOf = ({ records }: Domain) => records.find(({ purpose }) => purpose === 'RETURN_PATH')

  async function verifiedDomain() {
    const { ctx, domain } = await domainWithKey({ inDns: true })
    const identity: SesIdentity = { selector: 'own', privateKey: '', verified: true, status: 'SUCCESS' }
    ses.identities.set(domain.domain, identity)
    return { ctx, domain, identity, host: `bounce.${domain.domain}` }
  }

  test('has the records that SES asks for, which are not required', async () => {
    const { domain, host } = await verifiedDomain()
    expect(domain.records.filter(({ name }) => name === host)).toMatchObject([
      { purpose: 'SPF', type: 'TXT', value: 'v=spf1 include:amazonses.com ~all', required: false },
      { purpose: 'RETURN_PATH', type: 'MX', value: `10 ${exchange}`, required: false },
    ])
  })

  test('is used by SES once DNS has its MX record, also of a domain that was verified before, and is found once SES has found it', async () => {
    const { ctx, domain, identity, host } = await verifiedDomain()
    const before = await verifyDomain(ctx, domain)
    expect([before.status, returnPathOf(before)?.found, identity.mailFrom]).toEqual(['VERIFIED', false, undefined])
    dns.set(host, txt('v=spf1 include:amazonses.com ~all'), { type: 'MX', exchange, priority: 10 })
    world.clock.turn(5 * 60_000)
    await checkDomains(world)
    expect(identity.mailFrom).toEqual({ domain: host, status: 'PENDING' })
    expect(returnPathOf(await getDomain(ctx, domain))).toMatchObject({
      found: false,
      problem: expect.stringContaining('Amazon SES has to find it'),
    })
    identity.mailFrom = { domain: host, status: 'SUCCESS' }
    world.clock.turn(5 * 60_000)
    await checkDomains(world)
    const after = await getDomain(ctx, domain)
    expect(after.records.filter(({ name }) => name === host).map(({ found }) => found)).toEqual([true, true])
    // What has been found is not asked for again by the schedule, and stays while SES cannot be asked.
    ses.trouble = { status: 400, code: 'TooManyRequestsException' }
    world.clock.turn(5 * 60_000)
    await checkDomains(world)
    expect(returnPathOf(await getDomain(ctx, domain))).toMatchObject({ found: true, problem: null })
  })

  test('that the operator has chosen stays, and one that SES has given up is asked for again', async () => {
    const { ctx, domain, identity, host } = await verifiedDomain()
    dns.set(host, { type: 'MX', exchange, priority: 10 })
    identity.mailFrom = { domain: 'mail.example.net', status: 'SUCCESS' }
    expect(returnPathOf(await verifyDomain(ctx, domain))?.found).toBe(true)
    expect(identity.mailFrom).toEqual({ domain: 'mail.example.net', status: 'SUCCESS' })
    identity.mailFrom = { domain: host, status: 'FAILED' }
    await verifyDomain(ctx, domain)
    expect(identity.mailFrom).toEqual({ domain: host, status: 'PENDING' })
  })

  test.each([
    ['several MX records', [exchange, 'mx.example.net'], `There are several MX records at this name: keep only 10 ${exchange}`],
    ['another MX record', ['mx.example.net'], `The MX record at this name is another one: change it to 10 ${exchange}`],
    ['the host of another region', ['feedback-smtp.us-east-1.amazonses.com'], expect.stringContaining('change it to')],
  ])('is not used with %s', async (_what, exchanges, problem) => {
    const { ctx, domain, identity, host } = await verifiedDomain()
    dns.set(host, ...exchanges.map((one) => ({ type: 'MX' as const, exchange: one, priority: 10 })))
    expect(returnPathOf(await verifyDomain(ctx, domain))).toMatchObject({ found: false, problem })
    expect(identity.mailFrom).toBe(undefined)
  })
})
