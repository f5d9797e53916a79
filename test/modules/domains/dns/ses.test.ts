import { createPrivateKey, createPublicKey } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { checkDomains, verifyDomain } from '../../../../src/modules/domains/dns/check.ts'
import { createDomain, getDomain } from '../../../../src/modules/domains/domains.ts'
import { testDns, txt } from '../../../help/dns.ts'
import { sesTwin } from '../../../help/ses.ts'
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
