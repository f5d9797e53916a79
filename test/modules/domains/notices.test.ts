import { expect, test } from 'vitest'
import { verifyDomain } from '../../../src/modules/domains/dns/check.ts'
import { createDomain } from '../../../src/modules/domains/domains.ts'
import { type NotificationJob, notificationQueue } from '../../../src/modules/notifications/shapes.ts'
import { createUser } from '../../../src/modules/users/users.ts'
import { testDns, txt } from '../../help/dns.ts'
import { until } from '../../help/until.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const dns = await testDns()
const world = await testWorld({ env: { DNS_SERVERS: dns.address, PLATFORM_FROM: 'hello@post.test' } })

test('owners and admins are told when a domain becomes verified and when it no longer is, nobody when nothing changes', async () => {
  const { ctx, projectId } = await freshProject(world)
  for (const [name, role] of [
    ['olga', 'OWNER'],
    ['ada', 'ADMIN'],
    ['max', 'MEMBER'],
  ] as const) {
    const user = await createUser(ctx, { email: `${name}@acme.example`, password: 'correct horse battery' })
    await world.db.prisma.membership.create({ data: { projectId, userId: user.id, role, createdAt: world.clock.now() } })
  }
  const domain = await createDomain(ctx, { domain: 'a.example' })
  const key = domain.records[0]
  dns.set(key?.name ?? '', txt(key?.value ?? ''))
  await verifyDomain(ctx, domain)
  await verifyDomain(ctx, domain)
  dns.remove(key?.name ?? '')
  await verifyDomain(ctx, domain)
  await verifyDomain(ctx, domain)

  const told: NotificationJob[] = []
  await world.jobs.work(notificationQueue, async (job) => void told.push(job))
  await until(async () => told.length >= 4)
  const heard = (to: string) => told.filter((job) => job.to === to).map(({ notification }) => notification)
  const data = { projectName: 'Acme', domain: 'a.example' }
  for (const to of ['olga@acme.example', 'ada@acme.example']) {
    expect(heard(to)).toHaveLength(2)
    expect(heard(to)).toEqual(
      expect.arrayContaining([
        { kind: 'domain-verified', data },
        { kind: 'domain-unverified', data: { ...data, problem: expect.stringContaining('There is no TXT record') } },
      ]),
    )
  }
  expect(told).toHaveLength(4)
})
