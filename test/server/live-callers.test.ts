import { describe, expect, test } from 'vitest'
import { logOut } from '../../src/modules/auth/accounts/login.ts'
import { forgetSessions } from '../../src/modules/auth/sessions/sessions.ts'
import { removeMember } from '../../src/modules/projects/members/members.ts'
import { announceUser } from '../../src/modules/users/topics.ts'
import { bearer, connect, openStream, watching } from '../help/live.ts'
import { addSessions, freshUser, hoursFrom, type Person } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'
import { freshProject, type TestWorld, testWorld } from '../help/world.ts'

const day = 86_400_000
const subscription = 'subscription { activity { cursor } }'
const first = await testServer({ running: true })
const second = await testServer({ running: true, world: await testWorld({ running: true, databaseUrl: first.world.databaseUrl }) })

/** A member who watches the feed over a socket and over a stream. */
async function watch({ url, world }: { url: string; world: TestWorld }, { cookie }: Person) {
  const before = await watching(world)
  const { client, closed } = connect(url, {}, { cookie, origin: url })
  client.subscribe({ query: subscription }, { next: () => {}, error: () => {}, complete: () => {} })
  const stream = await openStream(url, subscription, { cookie, accept: '*/*' })
  await until(async () => (await watching(world)) === before + 2)
  return { closed, stream, stop: () => client.dispose() }
}

async function member(world: TestWorld): Promise<Person> {
  const { projectId } = await freshProject(world)
  return freshUser(world, { member: { projectId, role: 'MEMBER' } })
}

const expireIn = (world: TestWorld, { userId }: Person, ms: number) =>
  world.db.prisma.session.updateMany({ where: { userId }, data: { expiresAt: new Date(world.clock.now().getTime() + ms) } })

describe('a socket and a stream', () => {
  test('end at the moment their session expires', async () => {
    const person = await member(first.world)
    await expireIn(first.world, person, 2_000)
    const { closed, stream } = await watch(second, person)
    expect((await closed).code).toBe(4401)
    await stream.over
    await until(async () => (await watching(second.world)) === 0)
  })

  test('go on while other requests renew their session', async () => {
    const person = await member(first.world)
    await expireIn(first.world, person, 2_000)
    const { stream, stop } = await watch(second, person)
    await expireIn(first.world, person, 4_000)
    const began = performance.now()
    await stream.over
    expect(performance.now() - began).toBeGreaterThan(2_500)
    await stop()
    await until(async () => (await watching(second.world)) === 0)
  })

  test('end in every process when their session is deleted because it has expired', async () => {
    const person = await member(first.world)
    const watches = [await watch(first, person), await watch(second, person)]
    await expireIn(first.world, person, -1)
    await forgetSessions(first.world)
    expect(await Promise.all(watches.map(async ({ closed }) => (await closed).code))).toEqual([4401, 4401])
    await Promise.all(watches.map(({ stream }) => stream.over))
    await until(async () => (await watching(first.world)) + (await watching(second.world)) === 0)
  })

  test('end in every process when their session is the oldest of a hundred and another one begins', async () => {
    const person = await member(first.world)
    const watches = [await watch(first, person), await watch(second, person)]
    await addSessions(first.world, person.userId, 99, hoursFrom(first.world, 1))
    const { email, password } = person
    expect((await first.call('POST /auth/login', { email, password })).status).toBe(200)
    expect(await Promise.all(watches.map(async ({ closed }) => (await closed).code))).toEqual([4401, 4401])
    await Promise.all(watches.map(({ stream }) => stream.over))
    await until(async () => (await watching(first.world)) + (await watching(second.world)) === 0)
  })

  test('end as those whose access has ended, also when they named the project that their person is removed from', async () => {
    const { world, url } = first
    const { projectId, ctx } = await freshProject(world)
    for (const params of [{}, { projectId }]) {
      const { userId, cookie } = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
      const { client, closed } = connect(url, params, { cookie, origin: url })
      client.subscribe({ query: subscription }, { next: () => {}, error: () => {}, complete: () => {} })
      await until(async () => (await watching(world)) === 1)
      await removeMember(ctx, { id: projectId, userId })
      const { code, reason } = await closed
      expect([params, code, reason]).toEqual([params, 4401, expect.stringMatching(/^Your (access|credentials) .* (ended|connection)\.$/)])
      await until(async () => (await watching(world)) === 0)
    }
  })

  test('end also where the notice of a new key, or of a removal, is lost, as when its process is killed', async () => {
    const { world, url } = first
    const { projectId, secret } = await freshProject(world)
    const person = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    const { closed, stream } = await watch(first, person)
    const { client, closed: closedOfKey } = connect(url, bearer(secret))
    client.subscribe({ query: subscription }, { next: () => {}, error: () => {}, complete: () => {} })
    const streamOfKey = await openStream(url, subscription, { authorization: `Bearer ${secret}`, accept: '*/*' })
    await until(async () => (await watching(world)) === 4)
    await world.db.prisma.membership.deleteMany({ where: { projectId, userId: person.userId } })
    await world.db.prisma.projectKey.deleteMany({ where: { projectId } })
    expect([(await closed).code, (await closedOfKey).code]).toEqual([4401, 4401])
    await Promise.all([stream.over, streamOfKey.over])
    await until(async () => (await watching(world)) === 0)
  })

  test('do not renew their session', async () => {
    const person = await member(first.world)
    const expiresAt = async () => (await first.world.db.prisma.session.findFirst({ where: { userId: person.userId } }))?.expiresAt
    const before = await expiresAt()
    const { stream } = await watch(first, person)
    first.world.clock.turn(2 * day)
    await announceUser(first.world, person.userId)
    expect(await expiresAt()).toEqual(before)
    first.world.clock.turn(-2 * day)
    await logOut(person.ctx)
    await stream.over
  })
})
