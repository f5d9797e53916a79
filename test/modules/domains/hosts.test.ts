import { expect, test } from 'vitest'
import { verifyDomain } from '../../../src/modules/domains/dns/check.ts'
import { createDomain, getLinksUrl } from '../../../src/modules/domains/domains.ts'
import type { Domain } from '../../../src/modules/domains/shapes.ts'
import { testDns, txt } from '../../help/dns.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const dns = await testDns()
const hosts = {
  SPF_INCLUDE: '_spf.post.example',
  RETURN_PATH_HOST: 'bounces.post.example',
  TRACKING_HOST: 'links.post.example',
  INBOUND_HOST: 'in.post.example',
}
const world = await testWorld({ env: { DNS_SERVERS: dns.address, ...hosts } })

const shown = ({ records }: Domain) => records.map(({ purpose, type, name, value }) => [purpose, type, name, value])
const found = ({ records }: Domain) => Object.fromEntries(records.map((record) => [record.purpose, record.found]))

test('the hosts that the operator configures become records to set, none of them required', async () => {
  const { ctx } = await freshProject(world)
  const domain = await createDomain(ctx, { domain: 'a.example' })
  expect(shown(domain).slice(1)).toEqual([
    ['SPF', 'TXT', 'a.example', 'v=spf1 include:_spf.post.example ~all'],
    ['RETURN_PATH', 'CNAME', 'bounce.a.example', 'bounces.post.example'],
    ['DMARC', 'TXT', '_dmarc.a.example', 'v=DMARC1; p=none'],
    ['TRACKING', 'CNAME', 'links.a.example', 'links.post.example'],
    ['INBOUND', 'MX', 'a.example', '10 in.post.example'],
  ])
  expect(domain.records.filter(({ required }) => required).map(({ purpose }) => purpose)).toEqual(['DKIM'])
})

test('each record is checked, and a domain is verified by its key alone', async () => {
  const { ctx } = await freshProject(world)
  const domain = await createDomain(ctx, { domain: 'mail.b.example' })
  const key = domain.records[0]
  dns.set(key?.name ?? '', txt(key?.value ?? ''))
  expect(found(await verifyDomain(ctx, domain))).toEqual({
    DKIM: true,
    SPF: false,
    RETURN_PATH: false,
    DMARC: false,
    TRACKING: false,
    INBOUND: false,
  })
  dns.set('mail.b.example', txt('site-verification=x'), txt('v=spf1 include:other.example include:_spf.post.example -all'), {
    type: 'MX',
    exchange: 'in.post.example',
    priority: 5,
  })
  dns.set('_dmarc.b.example', txt('v=DMARC1; p=reject'))
  dns.set('bounce.mail.b.example', { type: 'CNAME', value: 'bounces.post.example' })
  dns.set('links.mail.b.example', { type: 'CNAME', value: 'cdn.b.example' })
  dns.set('cdn.b.example', { type: 'CNAME', value: 'links.post.example' })
  const verified = await verifyDomain(ctx, domain)
  expect(verified).toMatchObject({ status: 'VERIFIED' })
  expect(Object.values(found(verified))).toEqual([true, true, true, true, true, true])
  expect(verified.records.map(({ current }) => current).slice(1)).toEqual([
    ['v=spf1 include:other.example include:_spf.post.example -all'],
    ['bounces.post.example'],
    ['v=DMARC1; p=reject'],
    ['cdn.b.example', 'links.post.example'],
    ['5 in.post.example'],
  ])
})

test('links of a domain are on its own host as long as the last check found that it leads here', async () => {
  const { ctx } = await freshProject(world)
  const domain = await createDomain(ctx, { domain: 'd.example' })
  const urls: string[] = []
  for (const target of [undefined, 'elsewhere.example', 'links.post.example', 'elsewhere.example']) {
    if (target) dns.set('links.d.example', { type: 'CNAME', value: target })
    await verifyDomain(ctx, domain)
    urls.push(await getLinksUrl(ctx, 'hello@d.example'))
  }
  expect(urls).toEqual([world.publicUrl, world.publicUrl, 'https://links.d.example', world.publicUrl])
  const other = await freshProject(world)
  expect(await getLinksUrl(other.ctx, 'hello@d.example')).toBe(world.publicUrl)
})

test('links leave the host of a domain when DNS has not answered twice, because they would lead nowhere, and come back with it', async () => {
  const { ctx } = await freshProject(world)
  const domain = await createDomain(ctx, { domain: 'e.example' })
  const urlAfterCheck = async () => {
    await verifyDomain(ctx, domain)
    return getLinksUrl(ctx, 'hello@e.example')
  }
  dns.set('links.e.example', { type: 'CNAME', value: 'links.post.example' })
  expect(await urlAfterCheck()).toBe('https://links.e.example')
  dns.break('links.e.example', 'SERVFAIL')
  const urls = [await urlAfterCheck(), await urlAfterCheck(), await urlAfterCheck()]
  expect(urls).toEqual(['https://links.e.example', world.publicUrl, world.publicUrl])
  dns.break('links.e.example', null)
  expect(await urlAfterCheck()).toBe('https://links.e.example')
})

test('two SPF records are a problem, whatever they contain', async () => {
  const { ctx } = await freshProject(world)
  const domain = await createDomain(ctx, { domain: 'c.example' })
  dns.set('c.example', txt('v=spf1 include:_spf.post.example ~all'), txt('v=spf1 mx -all'))
  expect((await verifyDomain(ctx, domain)).records[1]).toMatchObject({
    purpose: 'SPF',
    found: false,
    problem: 'There are several SPF records: merge them into one (RFC 7208, 3.2).',
  })
})
