import { afterEach, expect, test } from 'vitest'
import { type Outbound, OutboundError } from '../../../../src/kit/outbound.ts'
import { callDue, callsIdle } from '../../../../src/modules/workflows/calls/worker.ts'
import { advanceDue, runnerIdle } from '../../../../src/modules/workflows/run/worker.ts'
import { until } from '../../../help/until.ts'
import { hooked, seen, start } from '../../../help/webhooks.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

// Receivers whose name begins with `slow` answer, or do not, when the test says so; all others at once. Those with the same letter at
// the end of their name have the same address.
const under = new Set<{ host: string; answer(): void; timeOut(): void }>()
const outbound: Outbound = {
  get: () => Promise.reject(new Error('Nothing is fetched')),
  async send({ url }, { meets }) {
    const { host } = new URL(url)
    meets?.(`address ${host.at(-1)}`)
    const answered = { status: 200, headers: {}, body: Buffer.alloc(0), end: 'complete' as const }
    if (!host.startsWith('slow')) return answered
    return new Promise((resolve, reject) => {
      const settle = (how: () => void) => () => {
        under.delete(one)
        how()
      }
      const one = {
        host,
        answer: settle(() => resolve(answered)),
        timeOut: settle(() =>
          reject(new OutboundError('unavailable', `${host} cannot be reached: no answer within 10 s.`, { late: true })),
        ),
      }
      under.add(one)
    })
  },
}
const world = await testWorld({ outbound })
const { prisma } = world.db

async function claimAll(): Promise<void> {
  while (await advanceDue(world)) await runnerIdle(world)
  while (await callDue(world));
}

afterEach(async () => {
  let isIdle = false
  const idle = callsIdle(world).then(() => {
    isIdle = true
  })
  // One that ends makes room for the next.
  await until(async () => {
    for (const one of under) one.answer()
    return isIdle
  })
  await idle
  await prisma.$executeRawUnsafe('delete from workflow_calls')
})

async function owned(userId: string, count: number) {
  const now = world.clock.now()
  await prisma.user.create({ data: { id: userId, email: `${userId}@example.com`, createdAt: now, updatedAt: now } })
  const projects = []
  for (let nth = 0; nth < count; nth++) {
    const project = await freshProject(world)
    await prisma.membership.create({ data: { projectId: project.projectId, userId, role: 'OWNER', createdAt: now } })
    projects.push(project)
  }
  return projects
}

test('receivers of two accounts with many projects that do not answer leave places to everybody else', async () => {
  for (const user of ['usr_a', 'usr_b'])
    for (const { ctx } of await owned(user, 10)) {
      const one = await hooked(ctx, { url: `http://slow.${user}.test/` })
      for (let more = 1; more < 5; more++) await start(ctx, one)
    }
  await claimAll()
  await until(async () => under.size >= 4)
  world.clock.turn(1_000)
  await claimAll()
  await until(async () => under.size >= 32)
  const victim = await freshProject(world)
  const quick = await hooked(victim.ctx, { url: 'http://quick.test/' })
  await claimAll()
  await until(async () => (await seen(quick)).did.status === 'COMPLETED')
  expect(under.size).toBe(32)
})

test('receivers of twenty accounts that do not answer, each another one, leave places to everybody else', async () => {
  for (let nth = 0; nth < 20; nth++) {
    const [{ ctx } = await freshProject(world)] = await owned(`usr_many${nth}`, 1)
    const one = await hooked(ctx, { url: 'http://{{ host }}.x/' }, { context: { host: `slow-${nth}` } })
    for (let more = 1; more < 6; more++) await start(ctx, one, { context: { host: `slow-${nth}-${more}` } })
  }
  for (let seconds = 0; under.size < 80 && seconds < 5; seconds++) {
    await claimAll()
    await until(async () => under.size >= Math.min(40 * (seconds + 1), 64))
    world.clock.turn(1_000)
  }
  const [victim = await freshProject(world)] = await owned('usr_victim', 1)
  const quick = [await hooked(victim.ctx, { url: 'http://quick.test/' })]
  for (let more = 1; more < 5; more++) quick.push(await start(victim.ctx, { id: quick[0]?.id ?? '' }))
  await until(async () => {
    await claimAll()
    return (await Promise.all(quick.map(seen))).every(({ did }) => did.status === 'COMPLETED')
  })
  expect(under.size).toBeGreaterThan(64)
})

test('a receiver that did not answer in time is tried one at a time, by its account, whatever its name; its steps say so', async () => {
  const [{ ctx } = await freshProject(world)] = await owned('usr_c', 1)
  const first = await hooked(ctx, { url: 'http://slow-one.x/' })
  await claimAll()
  await until(async () => under.size === 1)
  for (const one of under) one.timeOut()
  await callsIdle(world)
  // Another name for the same address.
  const many = [await hooked(ctx, { url: 'http://slow-two.x/' })]
  for (let more = 1; more < 4; more++) many.push(await start(ctx, many[0] ?? first))
  const findWaiting = async () => (await Promise.all(many.map(seen))).filter(({ output }) => output?.waiting)
  await until(async () => {
    await claimAll()
    return (await findWaiting()).length === 3
  })
  const waiting = await findWaiting()
  expect([...under].map(({ host }) => host)).toEqual(['slow-two.x'])
  for (const { did, output } of waiting) {
    expect(output.waiting).toBe('address x was slow or did not answer the last time: its webhooks are tried one at a time.')
    expect([did.status, did.attempts, output.attempts, did.scheduledFor !== null]).toEqual(['RUNNING', 0, [], true])
  }
  // Its retry is when it was planned, and nobody else waits for it.
  expect(await seen(first)).toMatchObject({ did: { attempts: 1, scheduledFor: new Date(world.clock.now().getTime() + 5_000) } })
  const other = await freshProject(world)
  const same = await hooked(other.ctx, { url: 'http://quick.x/' })
  await claimAll()
  await until(async () => (await seen(same)).did.status === 'COMPLETED')
  // Once it has answered, they are called together again.
  for (const one of under) one.answer()
  await callsIdle(world)
  world.clock.turn(10 * 60_000)
  await until(async () => {
    await claimAll()
    return under.size === 4
  })
})
