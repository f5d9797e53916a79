import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTurns } from '../../src/kit/turns.ts'
import { createArrivingPlace, createSlowBodies } from '../../src/server/arriving.ts'
import { bodyTurn } from '../../src/server/large-bodies.ts'
import { heldRequest } from '../help/held.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const { world, call, url } = await testServer()

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Places among which two bodies of an owner arrive, and what has begun. */
function port() {
  const turns = createTurns({ max: Number.POSITIVE_INFINITY, maxPerOwner: 2 })
  const slow = createSlowBodies()
  const begun: string[] = []
  const noted = async (name: string, place: Promise<void> | undefined) => {
    await place
    begun.push(name)
  }
  return {
    begun,
    slow,
    begin(name: string, owner = 'usr_a') {
      const take = (work: (begun: () => void) => Promise<void>) =>
        new Promise<void>((resolve, reject) => void turns.run(owner, () => work(resolve)).catch(reject))
      const place = createArrivingPlace({ owners: owner, slow, take })
      void noted(name, place.begin())
      return {
        arrive: (bytes: number) => {
          const waits = place.arrived(bytes)
          if (waits) void noted(`${name} again`, waits)
          return waits !== undefined
        },
        end: () => place.end(() => 0),
      }
    },
    turn: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  }
}

const second = 1_000
const kilobytes = 1_024

describe('a body that arrives', () => {
  test('slowly, less than 64 KB within a second, leaves its place to others and is read on', async () => {
    const { begin, begun, turn } = port()
    const [slow, fast] = [begin('slow'), begin('fast')]
    begin('next')
    slow.arrive(63 * kilobytes)
    fast.arrive(64 * kilobytes)
    await turn(second - 1)
    expect(begun).toEqual(['slow', 'fast'])
    await turn(1)
    expect(begun).toEqual(['slow', 'fast', 'next'])
    expect(slow.arrive(63 * kilobytes)).toBe(false)
  })

  test('faster again waits for a place', async () => {
    const { begin, begun, turn, slow: slowBodies } = port()
    const one = begin('one')
    await turn(second)
    expect(slowBodies.total).toBe(1)
    const others = [begin('second'), begin('third')]
    expect([one.arrive(30 * kilobytes), one.arrive(34 * kilobytes)]).toEqual([false, true])
    await turn(0)
    expect([begun, slowBodies.total]).toEqual([['one', 'second', 'third'], 0])
    others[0]?.end()
    await turn(0)
    expect(begun).toEqual(['one', 'second', 'third', 'one again'])
  })

  test('for more than two seconds waits behind those that wait', async () => {
    const { begin, begun, turn } = port()
    const both = [begin('one'), begin('two')]
    begin('three')
    for (const _second of [1, 2]) {
      for (const one of both) expect(one.arrive(100 * kilobytes)).toBe(false)
      await turn(second)
    }
    expect(both[0]?.arrive(100 * kilobytes)).toBe(true)
    await turn(0)
    expect(begun).toEqual(['one', 'two', 'three'])
    both[1]?.end()
    await turn(0)
    expect(begun).toEqual(['one', 'two', 'three', 'one again'])
  })

  test('slowly keeps its place where 8 of its owner arrive without one, or two and 64 in all', async () => {
    const { begin, begun, turn, slow } = port()
    const bodies = Array.from({ length: 11 }, (_, n) => begin(String(n)))
    await turn(10 * second)
    expect([slow.of('usr_a'), begun.length]).toEqual([8, 10])
    bodies[0]?.end()
    await turn(second)
    expect([slow.of('usr_a'), begun.length]).toEqual([8, 11])
    for (let owner = 0; owner < 30; owner++) for (const n of [1, 2]) begin(`${owner} ${n}`, `usr_${owner}`)
    await turn(second)
    for (const n of [1, 2, 3, 4, 5]) begin(`last ${n}`, 'usr_last')
    await turn(5 * second)
    expect([slow.of('usr_29'), slow.of('usr_last'), begun.filter((name) => name.startsWith('last')).length]).toEqual([2, 2, 4])
    for (const body of bodies) body.end()
    expect(slow.of('usr_a')).toBe(0)
  })
})

test('a body whose turn is over before it begins leaves nothing behind', async () => {
  const turn = bodyTurn((await freshProject(world)).ctx)
  const timers = vi.getTimerCount()
  turn.end()
  await expect(turn.begin()).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect(vi.getTimerCount()).toBe(timers)
})

test('two clients that send slowly keep no other large call of their project waiting', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const { secret } = await freshProject(world)
  const body = Buffer.from(JSON.stringify({ email: 'ada@example.com', event: 'x'.repeat(200_000) }))
  const slow = await Promise.all([1, 2].map(() => heldRequest(url, { path: '/v1/track', key: secret, body })))
  const large = call('POST /v1/track', { email: 'ada@example.com', event: 'x'.repeat(200_000) }, { key: secret })
  let answered = false
  void large.finally(() => {
    answered = true
  })
  while (!answered) {
    await vi.advanceTimersByTimeAsync(second)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect((await large).status).toBe(422)
  for (const finish of slow) expect(await finish()).toContain('HTTP/1.1 422')
})

test('an operation that takes long keeps no large body of its project waiting', async () => {
  const { ctx } = await freshProject(world)
  const [slow, next] = [bodyTurn(ctx), bodyTurn(ctx)]
  await slow.beginWork(3_000_000)
  let began = false
  void next.beginWork(3_000_000).then(() => {
    began = true
  })
  await vi.advanceTimersByTimeAsync(4_999)
  expect(began).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(began).toBe(true)
  slow.end()
  next.end()
})
