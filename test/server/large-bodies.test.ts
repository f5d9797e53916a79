import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { restAfter } from '../../src/kit/callers.ts'
import { callIn } from '../../src/kit/context.ts'
import { turnOfWhole } from '../help/body-turn.ts'
import { heldRequest } from '../help/held.ts'
import { collectGarbage } from '../help/memory.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const { world, call, url } = await testServer()
// Bodies whose turns are held arrive slowly, and would leave their places.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval'] }))
afterAll(() => void vi.useRealTimers())

const track = (key: string, bytes: number) =>
  call(
    'POST /v1/track',
    { email: 'ada@example.com', event: 'seen', data: { text: { value: 'x'.repeat(bytes), persistent: false } } },
    { key },
  )

test('of one project two requests with large bodies are worked on at a time; small ones and other projects do not wait', async () => {
  const [project, other] = [await freshProject(world), await freshProject(world)]
  const turns = [turnOfWhole(project.ctx), turnOfWhole(project.ctx)]
  for (const turn of turns) await turn.begin()
  let answered = false
  const large = track(project.secret, 500_000).finally(() => {
    answered = true
  })
  expect((await track(project.secret, 10_000)).status).toBe(200)
  expect((await track(other.secret, 500_000)).status).toBe(200)
  expect((await track(project.public, 500_000)).status).toBe(200)
  expect(answered).toBe(false)
  for (const turn of turns) turn.end()
  expect((await large).status).toBe(200)
})

test('what has arrived of many large bodies is not held in memory, and they are worked on a few at a time', async () => {
  const senders = await Promise.all(Array.from({ length: 8 }, () => freshProject(world)))
  const heldBytes = (): number => {
    collectGarbage()
    return process.memoryUsage().arrayBuffers
  }
  const before = heldBytes()
  const body = Buffer.alloc(30_000_000, 'x')
  body.write('{"to":"ada@example.com","subject":"', 0)
  body.write('"}', body.length - 2)
  const held = await Promise.all(senders.map(({ secret }) => heldRequest(url, { path: '/v1/send', key: secret, body })))
  await expect.poll(() => heldBytes() - before).toBeLessThan(100_000_000)
  const [one, other] = [turnOfWhole((await freshProject(world)).ctx), turnOfWhole((await freshProject(world)).ctx)]
  await one.beginWork(60_000_000)
  await other.beginWork(60_000_000)
  let answered = 0
  const answers = held.map((finish) => finish().finally(() => answered++))
  expect((await track(senders[0]?.secret ?? '', 1_000)).status).toBe(200)
  expect(answered).toBe(0)
  one.end()
  other.end()
  for (const answer of await Promise.all(answers)) expect(answer).toContain('HTTP/1.1 422')
})

test('a request that fails ends its turn', async () => {
  const { secret, ctx } = await freshProject(world)
  const refused = await Promise.all(
    Array.from({ length: 6 }, () => call('POST /v1/track', { email: 'no address', event: 'x'.repeat(200_000) }, { key: secret })),
  )
  expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 422])
  const turn = turnOfWhole(ctx)
  await turn.begin()
  turn.end()
})

test('a request that is given up while it waits leaves its turn to others', async () => {
  const { ctx } = await freshProject(world)
  const [first, second, givenUp, last] = [turnOfWhole(ctx), turnOfWhole(ctx), turnOfWhole(ctx), turnOfWhole(ctx)]
  await first.begin()
  await second.begin()
  const waiting = [givenUp.begin(), last.begin()]
  let stopped = 0
  givenUp.whenOver(() => stopped++)
  givenUp.end()
  givenUp.end()
  await expect(waiting[0]).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(givenUp.beginWork(3_000_000)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  givenUp.whenOver(() => stopped++)
  expect([stopped, givenUp.isOver(), last.isOver()]).toEqual([2, true, false])
  first.end()
  await waiting[1]
  second.end()
  last.end()
})

test('a large body that is worked on for long does not keep those of other projects out of memory', async () => {
  const [slow, other] = [turnOfWhole((await freshProject(world)).ctx), turnOfWhole((await freshProject(world)).ctx)]
  await slow.beginWork(40_000_000)
  await other.beginWork(40_000_000)
  const { secret } = await freshProject(world)
  const answer = await call('POST /v1/send', { to: 'ada@example.com', subject: 'x'.repeat(3_000_000) }, { key: secret })
  expect(answer.status).toBe(422)
  slow.end()
  other.end()
})

test('a project whose large bodies follow each other rests after each, but only while others call', async () => {
  const first = async (project: Awaited<ReturnType<typeof freshProject>>, meanwhile: string): Promise<string> => {
    const turns = [turnOfWhole(project.ctx), turnOfWhole(project.ctx)]
    for (const turn of turns) await turn.begin()
    await call('GET /contacts', undefined, { key: meanwhile })
    const next = turnOfWhole(project.ctx)
    const begun = next.begin().then(() => 'the next large body')
    for (const turn of turns) turn.end()
    const winner = await Promise.race([begun, new Promise<string>((resolve) => setImmediate(() => resolve('whoever else waits')))])
    await begun
    next.end()
    return winner
  }
  const [project, other, alone] = [await freshProject(world), await freshProject(world), await freshProject(world)]
  expect(await first(project, other.secret)).toBe('whoever else waits')
  await expect.poll(() => first(alone, alone.secret)).toBe('the next large body')
})

test('the projects of one account share the turns of it', async () => {
  const [one, two, three, other] = await Promise.all(Array.from({ length: 4 }, () => freshProject(world)))
  const turnOf = (project: typeof one, account: string) => turnOfWhole(callIn(world, { ...project?.ctx, account }))
  const turns = [turnOf(one, 'usr_a'), turnOf(two, 'usr_a')]
  for (const turn of turns) await turn.begin()
  const third = turnOf(three, 'usr_a')
  let began = false
  const waiting = third.begin().then(() => {
    began = true
  })
  const another = turnOf(other, 'usr_b')
  await another.begin()
  expect(began).toBe(false)
  for (const turn of [...turns, another]) turn.end()
  await waiting
  third.end()
})

test('operations with large bodies that take long leave room for the bodies of others', async () => {
  const slow = await Promise.all(
    ['usr_c', 'usr_d', 'usr_e'].map(async (account) => turnOfWhole(callIn(world, { ...(await freshProject(world)).ctx, account }))),
  )
  for (const turn of slow) await turn.beginWork(40_000_000)
  const { secret } = await freshProject(world)
  const answer = await call('POST /v1/send', { to: 'ada@example.com', subject: 'x'.repeat(6_000_000) }, { key: secret })
  expect(answer.status).toBe(422)
  for (const turn of slow) turn.end()
})

test('a turn is followed by a rest of three times its length, also of a long one', () => {
  expect([restAfter(0), restAfter(20), restAfter(300), restAfter(60_000), restAfter(Number.NEGATIVE_INFINITY)]).toEqual([
    0, 60, 900, 3_000, 0,
  ])
})
