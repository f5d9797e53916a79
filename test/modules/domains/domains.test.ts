import { createPrivateKey, createPublicKey } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { newId } from '../../../src/kit/ids.ts'
import {
  createDomain,
  deleteDomain,
  getDomain,
  listDomains,
  newDkimKey,
  requireSendingDomain,
} from '../../../src/modules/domains/domains.ts'
import { createTemplate, deleteTemplate } from '../../../src/modules/templates/templates.ts'
import { hashPassword } from '../../../src/modules/users/passwords.ts'
import { queriesOf } from '../../help/queries.ts'
import { until } from '../../help/until.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()

const row = (projectId: string, id: string) => world.db.prisma.domain.findUniqueOrThrow({ where: { projectId_id: { projectId, id } } })

describe('createDomain', () => {
  test('starts PENDING and returns the DNS records to set, of which DKIM is required', async () => {
    const { ctx, projectId } = await freshProject(world)
    const domain = await createDomain(ctx, { domain: 'mail.example.com' })
    const { dkimSelector, dkimPublic } = await row(projectId, domain.id)
    expect(domain).toEqual({
      id: expect.stringMatching(/^dom_/),
      domain: 'mail.example.com',
      status: 'PENDING',
      verified: false,
      records: [
        {
          type: 'TXT',
          name: `${dkimSelector}._domainkey.mail.example.com`,
          value: `v=DKIM1; k=rsa; p=${dkimPublic}`,
          purpose: 'DKIM',
          required: true,
          status: 'PENDING',
          found: false,
          current: [],
          problem: expect.stringContaining('Not checked yet'),
        },
        expect.objectContaining({ name: '_dmarc.mail.example.com', purpose: 'DMARC', required: false }),
      ],
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
      checkedAt: null,
      warmUp: null,
    })
  })

  test.each(['demo.test', 'mail.localhost'])('verifies %s at once, as it can never be in public DNS', async (name) => {
    const { ctx } = await freshProject(world)
    const domain = await createDomain(ctx, { domain: name })
    expect(domain).toMatchObject({ status: 'VERIFIED', verified: true, checkedAt: world.clock.now() })
    expect(domain.records.map(({ found, problem }) => [found, problem])).toEqual([
      [true, null],
      [true, null],
    ])
  })

  test('leaves .test PENDING in production', async () => {
    const { ctx } = await freshProject(world)
    const domain = await createDomain({ ...ctx, config: { ...ctx.config, production: true } }, { domain: 'demo.test' })
    expect(domain).toMatchObject({ status: 'PENDING', verified: false, checkedAt: null })
  })

  test('has an RSA-2048 key that is encrypted at rest and matches the published one', async () => {
    const { ctx, projectId } = await freshProject(world)
    const { id } = await createDomain(ctx, { domain: 'demo.test' })
    const { dkimSealed, dkimPublic } = await row(projectId, id)
    expect(dkimSealed).not.toContain('PRIVATE KEY')
    const key = createPrivateKey(world.vault.open('dkim', dkimSealed))
    expect(key.asymmetricKeyDetails?.modulusLength).toBe(2048)
    expect(createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')).toBe(dkimPublic)
  })

  test('fails with CONFLICT when the project already has the domain, also for two calls at once', async () => {
    const { ctx, projectId } = await freshProject(world)
    const both = await Promise.allSettled([createDomain(ctx, { domain: 'demo.test' }), createDomain(ctx, { domain: 'demo.test' })])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } })
    expect(await listDomains(ctx, { projectId })).toHaveLength(1)
  })

  test('allows two projects to have the same name, each with a key of its own', async () => {
    const [one, two] = [await freshProject(world), await freshProject(world)]
    const first = await createDomain(one.ctx, { domain: 'shared.test' })
    const second = await createDomain(two.ctx, { domain: 'shared.test' })
    expect(first.records[0]?.name).not.toBe(second.records[0]?.name)
    expect(first.records[0]?.value).not.toBe(second.records[0]?.value)
  })
})

describe('listDomains', () => {
  test('returns the project’s own domains, newest first', async () => {
    const { ctx, projectId } = await freshProject(world)
    const other = await freshProject(world)
    await createDomain(other.ctx, { domain: 'other.test' })
    const first = await createDomain(ctx, { domain: 'first.test' })
    const second = await createDomain(ctx, { domain: 'second.example' })
    expect(await listDomains(ctx, { projectId })).toEqual([second, first])
  })

  test('fails with RESOURCE_NOT_FOUND for another project’s id', async () => {
    const { ctx } = await freshProject(world)
    const other = await freshProject(world)
    await expect(listDomains(ctx, { projectId: other.projectId })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
  })
})

describe('a project', () => {
  test('has at most 50 domains, also when several are added at once', async () => {
    const { ctx, projectId } = await freshProject(world)
    const now = world.clock.now()
    const many = Array.from({ length: 49 }, (_, at) => ({
      projectId,
      id: newId('domain', now),
      domain: `d${at}.example`,
      dkimSelector: 'x',
      dkimPublic: 'x',
      dkimSealed: 'x',
      createdAt: now,
      updatedAt: now,
    }))
    await world.db.prisma.domain.createMany({ data: many })
    const more = await Promise.allSettled([...'stuvwxyz'].map((name) => createDomain(ctx, { domain: `${name}.example` })))
    expect(more.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(more.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'LIMIT_REACHED', status: 409, message: 'This project has 50 domains, which is the maximum.' },
    })
    expect(await listDomains(ctx, { projectId })).toHaveLength(50)
  })
})

describe('the key of a domain', () => {
  const cpuOf = async (work: () => Promise<unknown>) => {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    return user + system
  }

  test('is made only for a domain that can be added: many calls for one that cannot cost less than a few keys', async () => {
    const { ctx } = await freshProject(world)
    await createDomain(ctx, { domain: 'taken.example' })
    const again = () => Promise.allSettled(Array.from({ length: 60 }, () => createDomain(ctx, { domain: 'taken.example' })))
    expect((await again()).every((one) => one.status === 'rejected' && one.reason.code === 'CONFLICT')).toBe(true)
    const refusals = await cpuOf(again)
    const keys = await cpuOf(() => Promise.all(Array.from({ length: 12 }, newDkimKey)))
    expect(refusals).toBeLessThan(keys)
  })

  test('is made for one domain at a time, so that passwords are hashed meanwhile', async () => {
    const { ctx } = await freshProject(world)
    let added = 0
    const adding = Array.from({ length: 12 }, async (_, at) => {
      await createDomain(ctx, { domain: `d${at}.example` })
      added++
    })
    await until(async () => added > 0)
    await hashPassword(ctx, 'correct horse battery')
    expect(added).toBeLessThan(8)
    await Promise.all(adding)
  })
})

test('createDomain waits for its turn for 15 s, and no longer than its caller does', async () => {
  const first = await freshProject(world)
  const held = Promise.withResolvers<void>()
  const transaction: typeof world.db.transaction = async (work) => {
    await held.promise
    return world.db.transaction(work)
  }
  const adding = createDomain({ ...first.ctx, db: { ...first.ctx.db, transaction } }, { domain: 'first.example.com' })
  const { ctx, projectId } = await freshProject(world)
  const busy = { code: 'SERVICE_UNAVAILABLE', message: 'Too many domains are being added at the moment.', headers: { 'Retry-After': '5' } }
  const caller = new AbortController()
  const left = createDomain({ ...ctx, left: () => caller.signal }, { domain: 'left.example.com' })
  caller.abort()
  await expect(left).rejects.toMatchObject(busy)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const late = createDomain(ctx, { domain: 'late.example.com' })
  vi.advanceTimersByTime(15_000)
  vi.useRealTimers()
  await expect(late).rejects.toMatchObject(busy)
  expect(await world.db.prisma.domain.count({ where: { projectId } })).toBe(0)
  held.resolve()
  expect(await adding).toMatchObject({ domain: 'first.example.com' })
})

describe('deleteDomain', () => {
  test('returns when nothing is leaving any more that a worker has read before', async () => {
    const { ctx } = await freshProject(world)
    const { id } = await createDomain(ctx, { domain: 'leaving.test' })
    const { queries } = await queriesOf(() => deleteDomain(ctx, { id }), /from deliveries[\s\S]* as queued/)
    expect(queries).toBe(1)
  })

  test('stops sending from it at once', async () => {
    const { ctx, projectId } = await freshProject(world)
    const { id } = await createDomain(ctx, { domain: 'demo.test' })
    await requireSendingDomain(ctx, 'hello@demo.test')
    await deleteDomain(ctx, { id })
    expect(await listDomains(ctx, { projectId })).toEqual([])
    await expect(requireSendingDomain(ctx, 'hello@demo.test')).rejects.toMatchObject({ code: 'DOMAIN_NOT_VERIFIED' })
  })

  test('fails with DOMAIN_IN_USE while a template sends from it', async () => {
    const { ctx } = await freshProject(world)
    const domain = await createDomain(ctx, { domain: 'demo.test' })
    const template = await createTemplate(ctx, { subject: 'Hi', body: 'Hi', from: 'hello@demo.test' })
    await expect(deleteDomain(ctx, { id: domain.id })).rejects.toMatchObject({
      code: 'DOMAIN_IN_USE',
      message: 'A template sends from demo.test.',
    })
    expect(await getDomain(ctx, { id: domain.id })).toEqual(domain)
    await deleteTemplate(ctx, { id: template.id })
    await deleteDomain(ctx, { id: domain.id })
  })

  test('is not prevented by a template of a subdomain or of another project', async () => {
    const { ctx } = await freshProject(world)
    const other = await freshProject(world)
    const domain = await createDomain(ctx, { domain: 'demo.test' })
    await createDomain(ctx, { domain: 'mail.demo.test' })
    await createTemplate(ctx, { subject: 'Hi', body: 'Hi', from: 'hello@mail.demo.test' })
    await createDomain(other.ctx, { domain: 'demo.test' })
    await createTemplate(other.ctx, { subject: 'Hi', body: 'Hi', from: 'hello@demo.test' })
    await expect(deleteDomain(ctx, { id: domain.id })).resolves.toBeUndefined()
  })

  test('fails with RESOURCE_NOT_FOUND for another project’s domain, which stays', async () => {
    const { ctx } = await freshProject(world)
    const other = await freshProject(world)
    const domain = await createDomain(other.ctx, { domain: 'demo.test' })
    await expect(deleteDomain(ctx, { id: domain.id })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
    expect(await getDomain(other.ctx, { id: domain.id })).toEqual(domain)
  })
})

describe('requireSendingDomain', () => {
  test('passes for exactly a verified domain of the project, in any case', async () => {
    const { ctx } = await freshProject(world)
    await createDomain(ctx, { domain: 'demo.test' })
    await requireSendingDomain(ctx, 'hello@demo.test')
    await requireSendingDomain(ctx, 'hello@DEMO.test')
  })

  test.each([
    'hello@mail.demo.test',
    'hello@test',
    'hello@xdemo.test',
    'hello@pending.example',
    'hello@elsewhere.test',
    'demo.test@evil.example',
  ])('fails with DOMAIN_NOT_VERIFIED for %s', async (address) => {
    const { ctx } = await freshProject(world)
    const other = await freshProject(world)
    await createDomain(ctx, { domain: 'demo.test' })
    await createDomain(ctx, { domain: 'pending.example' })
    await createDomain(other.ctx, { domain: 'elsewhere.test' })
    await requireSendingDomain(other.ctx, 'hello@elsewhere.test')
    await expect(requireSendingDomain(ctx, address)).rejects.toMatchObject({ code: 'DOMAIN_NOT_VERIFIED', status: 403 })
  })
})
