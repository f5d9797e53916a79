import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Ctx } from '../../../../src/kit/context.ts'
import { checkDomains, verifyDomain } from '../../../../src/modules/domains/dns/check.ts'
import { createDomain, getDomain, listDomains, requireSendingDomain } from '../../../../src/modules/domains/domains.ts'
import { startJobs } from '../../../../src/modules/domains/jobs.ts'
import type { Domain, Purpose } from '../../../../src/modules/domains/shapes.ts'
import { claimDomainsDue } from '../../../../src/modules/domains/sql.ts'
import { testDns, txt } from '../../../help/dns.ts'
import { freshUser } from '../../../help/people.ts'
import { until } from '../../../help/until.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const dns = await testDns()
const world = await testWorld({ env: { DNS_SERVERS: dns.address } })
const minute = 60_000
const hour = 60 * minute

let names = 0
// Each test has a name of its own, because all share one zone.
async function pendingDomain(ctx: Ctx): Promise<{ domain: Domain; key: { name: string; value: string } }> {
  const domain = await createDomain(ctx, { domain: `d${++names}.example` })
  return { domain, key: recordOf(domain, 'DKIM') }
}

function recordOf(domain: Domain, purpose: Purpose) {
  const record = domain.records.find((one) => one.purpose === purpose)
  if (!record) throw new Error(`There is no ${purpose} record`)
  return record
}

async function nextRun(): Promise<void> {
  world.clock.turn(5 * minute)
  await checkDomains(world)
}

describe('verifyDomain', () => {
  test('finds the key and verifies the domain, from which can be sent at once', async () => {
    const { ctx, projectId } = await freshProject(world)
    const { domain, key } = await pendingDomain(ctx)
    dns.set(key.name, txt(key.value.slice(0, 255), key.value.slice(255)))
    world.clock.turn(minute)
    const verified = await verifyDomain(ctx, domain)
    expect(verified).toMatchObject({ status: 'VERIFIED', verified: true, checkedAt: world.clock.now(), updatedAt: world.clock.now() })
    expect(recordOf(verified, 'DKIM')).toMatchObject({ status: 'VERIFIED', found: true, current: [key.value], problem: null })
    expect(recordOf(verified, 'DMARC')).toMatchObject({ status: 'PENDING', found: false })
    await requireSendingDomain(ctx, `hello@${domain.domain}`)
    expect(await listDomains(ctx, { projectId })).toEqual([verified])
  })

  test('reports what is missing and stays PENDING', async () => {
    const { ctx } = await freshProject(world)
    const { domain } = await pendingDomain(ctx)
    const checked = await verifyDomain(ctx, domain)
    expect(checked).toMatchObject({ status: 'PENDING', checkedAt: world.clock.now() })
    expect(recordOf(checked, 'DKIM')).toMatchObject({
      found: false,
      current: [],
      problem: 'There is no TXT record at this name yet: add one with this value.',
    })
  })

  test('shows another key under the name, without control characters', async () => {
    const { ctx } = await freshProject(world)
    const { domain, key } = await pendingDomain(ctx)
    dns.set(key.name, txt('v=DKIM1; p=THEIRS\0\u0007'))
    const record = recordOf(await verifyDomain(ctx, domain), 'DKIM')
    expect(record).toMatchObject({ found: false, current: ['v=DKIM1; p=THEIRS\uFFFD\uFFFD'] })
    expect(record.problem).toContain('another key')
    await expect(requireSendingDomain(ctx, `hello@${domain.domain}`)).rejects.toMatchObject({ code: 'DOMAIN_NOT_VERIFIED' })
  })

  test('follows a chain of CNAMEs to the key', async () => {
    const { ctx } = await freshProject(world)
    const { domain, key } = await pendingDomain(ctx)
    dns.set(key.name, { type: 'CNAME', value: `one.${domain.domain}` })
    dns.set(`one.${domain.domain}`, { type: 'CNAME', value: `two.${domain.domain}` })
    dns.set(`two.${domain.domain}`, txt(key.value))
    expect(await verifyDomain(ctx, domain)).toMatchObject({ status: 'VERIFIED' })
  })

  test.each(['SERVFAIL', 'silence'] as const)('changes nothing after %s, reports it, and keeps what was found before', async (how) => {
    const { ctx } = await freshProject(world)
    const { domain, key } = await pendingDomain(ctx)
    dns.set(key.name, txt(key.value))
    await verifyDomain(ctx, domain)
    dns.break(domain.domain, how)
    const checked = await verifyDomain(ctx, domain)
    dns.break(domain.domain, null)
    expect(checked.status).toBe('VERIFIED')
    const reason = how === 'silence' ? 'no answer in time' : 'SERVFAIL'
    expect(recordOf(checked, 'DKIM')).toMatchObject({
      found: true,
      current: [key.value],
      problem: `DNS did not answer: ${reason}. The next check is in 5 minutes.`,
    })
    expect(recordOf(checked, 'DMARC')).toMatchObject({ found: false, current: [], problem: expect.stringContaining(reason) })
  })

  test('makes a verified domain PENDING at once when its key is missing', async () => {
    const { ctx } = await freshProject(world)
    const { domain, key } = await pendingDomain(ctx)
    dns.set(key.name, txt(key.value))
    await verifyDomain(ctx, domain)
    await requireSendingDomain(ctx, `hello@${domain.domain}`)
    dns.remove(key.name)
    expect(await verifyDomain(ctx, domain)).toMatchObject({ status: 'PENDING', verified: false })
    await expect(requireSendingDomain(ctx, `hello@${domain.domain}`)).rejects.toMatchObject({ code: 'DOMAIN_NOT_VERIFIED' })
  })

  test('of two checks the one that started later counts, whichever ends last', async () => {
    const { ctx } = await freshProject(world)
    const { domain, key } = await pendingDomain(ctx)
    dns.break(domain.domain, 'silence')
    const slow = verifyDomain(ctx, domain)
    await until(async () => dns.questions.includes(`TXT ${key.name}`))
    dns.break(domain.domain, null)
    dns.set(key.name, txt(key.value))
    world.clock.turn(1_000)
    const later = await verifyDomain(ctx, domain)
    expect(later.status).toBe('VERIFIED')
    dns.remove(key.name)
    await slow
    expect(await getDomain(ctx, domain)).toEqual(later)
  })

  test('verifies a name for one project only, as each has its own key', async () => {
    const [one, two] = [await freshProject(world), await freshProject(world)]
    const { domain, key } = await pendingDomain(one.ctx)
    const theirs = await createDomain(two.ctx, { domain: domain.domain })
    dns.set(key.name, txt(key.value))
    expect(await verifyDomain(one.ctx, domain)).toMatchObject({ status: 'VERIFIED' })
    expect(await verifyDomain(two.ctx, theirs)).toMatchObject({ status: 'PENDING' })
  })

  test('fails with RESOURCE_NOT_FOUND for another project’s domain, without a query', async () => {
    const [one, two] = [await freshProject(world), await freshProject(world)]
    const { domain, key } = await pendingDomain(one.ctx)
    await expect(verifyDomain(two.ctx, domain)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
    expect(dns.questions.filter((question) => question.includes(key.name))).toEqual([])
    expect((await getDomain(one.ctx, domain)).checkedAt).toBeNull()
  })

  test('makes no query for a reserved name outside production, and makes one in production', async () => {
    const { ctx } = await freshProject(world)
    const domain = await createDomain(ctx, { domain: `n${++names}.test` })
    expect(await verifyDomain(ctx, domain)).toMatchObject({ status: 'VERIFIED', records: domain.records })
    expect(dns.questions.filter((question) => question.endsWith('.test'))).toEqual([])
    const production = { ...world, config: { ...world.config, production: true } }
    expect(await verifyDomain({ ...ctx, world: production }, domain)).toMatchObject({ status: 'PENDING' })
  })
})

describe('checkDomains', () => {
  test('verifies a PENDING domain once its record exists', async () => {
    const { ctx } = await freshProject(world)
    const { domain, key } = await pendingDomain(ctx)
    await nextRun()
    expect(await getDomain(ctx, domain)).toMatchObject({ status: 'PENDING', checkedAt: world.clock.now() })
    dns.set(key.name, txt(key.value))
    await nextRun()
    expect(await getDomain(ctx, domain)).toMatchObject({ status: 'VERIFIED', checkedAt: world.clock.now() })
  })

  test('makes a verified domain PENDING only after three definite misses in a row', async () => {
    const { ctx } = await freshProject(world)
    const { domain, key } = await pendingDomain(ctx)
    const statusNext = async (): Promise<string> => {
      await nextRun()
      return (await getDomain(ctx, domain)).status
    }
    dns.set(key.name, txt(key.value))
    expect(await statusNext()).toBe('VERIFIED')
    dns.remove(key.name)
    expect([await statusNext(), await statusNext()]).toEqual(['VERIFIED', 'VERIFIED'])
    const waiting = recordOf(await getDomain(ctx, domain), 'DKIM')
    expect(waiting).toMatchObject({ found: false, status: 'PENDING' })
    expect(waiting.problem).toContain('The domain stays VERIFIED until 3 checks in a row have missed it.')
    dns.set(key.name, txt(key.value))
    expect(await statusNext()).toBe('VERIFIED')
    dns.remove(key.name)
    expect([await statusNext(), await statusNext(), await statusNext()]).toEqual(['VERIFIED', 'VERIFIED', 'PENDING'])
    await expect(requireSendingDomain(ctx, `hello@${domain.domain}`)).rejects.toMatchObject({ code: 'DOMAIN_NOT_VERIFIED' })
  })

  test('neither changes the status nor counts a miss while DNS does not answer', async () => {
    const { ctx } = await freshProject(world)
    const { domain, key } = await pendingDomain(ctx)
    dns.set(key.name, txt(key.value))
    await nextRun()
    dns.break(domain.domain, 'SERVFAIL')
    for (let round = 0; round < 5; round++) await nextRun()
    expect(await getDomain(ctx, domain)).toMatchObject({ status: 'VERIFIED', checkedAt: world.clock.now() })
    dns.break(domain.domain, null)
    dns.remove(key.name)
    await nextRun()
    expect(await getDomain(ctx, domain)).toMatchObject({ status: 'VERIFIED' })
  })

  test('checks each domain once per run, also with two schedulers at once', async () => {
    const { ctx } = await freshProject(world)
    const { key } = await pendingDomain(ctx)
    const asked = (): number => dns.questions.filter((question) => question === `TXT ${key.name}`).length
    await Promise.all([checkDomains(world), checkDomains(world)])
    await checkDomains(world)
    expect(asked()).toBe(1)
    await nextRun()
    expect(asked()).toBe(2)
  })

  test('claims one domain of each account after the other, however many of its projects have had theirs due for longer', async () => {
    const [person, other] = [await freshUser(world), await freshUser(world)]
    const addTo = async (userId: string) => {
      const { ctx, projectId } = await freshProject(world)
      await world.db.prisma.membership.create({ data: { projectId, userId, role: 'OWNER', createdAt: world.clock.now() } })
      return (await pendingDomain(ctx)).domain.id
    }
    const first = [await addTo(person.userId), await addTo(person.userId), await addTo(person.userId)]
    world.clock.turn(minute)
    const last = await addTo(other.userId)
    world.clock.turn(minute)
    const claim = async (max: number, maxPerOwner: number) => {
      const times = [world.clock.now(), new Date(world.clock.now().getTime() + hour)]
      return new Set((await world.db.run(claimDomainsDue, [...times, max, maxPerOwner])).map(({ id }) => id))
    }
    expect(await claim(2, 2)).toEqual(new Set([first[0], last]))
    // So that what becomes due meanwhile does not wait for all of one account.
    expect(await claim(2, 1)).toEqual(new Set([first[1]]))
    expect(await claim(2, 2)).toEqual(new Set([first[2]]))
    expect(await claim(2, 2)).toEqual(new Set())
  })

  test('is run by the schedule', async () => {
    const { ctx } = await freshProject(world)
    const { domain, key } = await pendingDomain(ctx)
    dns.set(key.name, txt(key.value))
    await startJobs(world)
    await world.jobs.enqueue({ name: 'domains-check', shape: z.object({}) }, {})
    await expect.poll(async () => (await getDomain(ctx, domain)).status).toBe('VERIFIED')
  })

  test('skips reserved names', async () => {
    const { ctx } = await freshProject(world)
    const domain = await createDomain(ctx, { domain: `n${++names}.test` })
    await nextRun()
    expect(await getDomain(ctx, domain)).toEqual(domain)
  })
})
