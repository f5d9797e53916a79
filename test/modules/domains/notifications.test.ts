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

test('owners and admins are notified when a domain becomes verified and when it is no longer, and nobody when nothing changes', async () => {
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

  const jobs: NotificationJob[] = []
  await world.jobs.work(notificationQueue, async (job) => void jobs.push(job))
  await until(async () => jobs.length >= 4)
  const notificationsTo = (to: string) => jobs.filter((job) => job.to === to).map(({ notification }) => notification)
  const data = { projectName: 'Acme', domain: 'a.example' }
  for (const to of ['olga@acme.example', 'ada@acme.example']) {
    expect(notificationsTo(to)).toHaveLength(2)
    expect(notificationsTo(to)).toEqual(
      expect.arrayContaining([
        { kind: 'domain-verified', data },
        { kind: 'domain-unverified', data: { ...data, problem: expect.stringContaining('There is no TXT record') } },
      ]),
    )
  }
  expect(jobs).toHaveLength(4)
})
