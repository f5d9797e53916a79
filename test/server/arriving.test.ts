import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTurns } from '../../src/kit/turns.ts'
import { createArrivingPlace, createSlowBodies } from '../../src/server/arriving.ts'
import { turnOfWhole } from '../help/body-turn.ts'
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
    begin(name: string, owner = 'usr_a', isComplete = () => false) {
      const take = (work: (begun: () => void) => Promise<void>) =>
        new Promise<void>((resolve, reject) => void turns.run(owner, () => work(resolve)).catch(reject))
      const place = createArrivingPlace({ owners: owner, slow, isComplete, take })
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
    /** Turns the clock, and calls what lets more arrive before each quarter of a second. */
    async turn(ms: number, arrive?: () => void) {
      if (!arrive) return void (await vi.advanceTimersByTimeAsync(ms))
      for (let quarter = 0; quarter < ms / 250; quarter++) {
        arrive()
        await vi.advanceTimersByTimeAsync(250)
      }
    },
  }
}

const second = 1_000
const kilobytes = 1_024

describe('a body that arrives', () => {
  test('slowly, less than 32 KB in half a second, leaves its place to others and is read on', async () => {
    const { begin, begun, turn } = port()
    const [slow, fast] = [begin('slow'), begin('fast')]
    begin('next')
    await turn(0)
    const arrive = () => expect([slow.arrive(15.75 * kilobytes), fast.arrive(16 * kilobytes)]).toEqual([false, false])
    await turn(0.25 * second, arrive)
    arrive()
    await turn(249)
    expect(begun).toEqual(['slow', 'fast'])
    await turn(1)
    expect(begun).toEqual(['slow', 'fast', 'next'])
    expect(slow.arrive(31 * kilobytes)).toBe(false)
  })

  test('not at all for a quarter of a second leaves its place to others', async () => {
    const { begin, begun, turn, slow } = port()
    const [one, two] = [begin('one'), begin('two')]
    begin('next')
    await turn(0)
    await turn(0.5 * second, () => [one, two].forEach((body) => void body.arrive(20 * kilobytes)))
    two.arrive(1)
    await turn(249)
    expect(begun).toEqual(['one', 'two'])
    await turn(1)
    expect([begun, slow.of('usr_a')]).toEqual([['one', 'two', 'next'], 1])
    expect(one.arrive(1)).toBe(false)
  })

  test('faster again waits for a place', async () => {
    const { begin, begun, turn, slow: slowBodies } = port()
    const one = begin('one')
    await turn(0)
    await turn(second, () => one.arrive(1))
    expect(slowBodies.total).toBe(1)
    const others = [begin('second'), begin('third')]
    await turn(0)
    expect([one.arrive(15 * kilobytes), one.arrive(17 * kilobytes)]).toEqual([false, true])
    await turn(0)
    expect([begun, slowBodies.total]).toEqual([['one', 'second', 'third'], 0])
    others[0]?.end()
    await turn(0)
    expect(begun).toEqual(['one', 'second', 'third', 'one again'])
  })

  test('for longer than its time waits behind those that wait', async () => {
    const { begin, begun, turn } = port()
    const both = [begin('one'), begin('two')]
    begin('three')
    await turn(0)
    await turn(0.75 * second, () => expect(both.map((one) => one.arrive(30 * kilobytes))).toEqual([false, false]))
    expect(both[0]?.arrive(30 * kilobytes)).toBe(true)
    await turn(0)
    expect(begun).toEqual(['one', 'two', 'three'])
    both[1]?.end()
    await turn(0)
    expect(begun).toEqual(['one', 'two', 'three', 'one again'])
  })

  test('and whose operation takes long keeps its place where 8 of its owner have left theirs, or two and 64 in all', async () => {
    const { begin, begun, turn, slow } = port()
    const whole = (name: string, owner: string) => begin(name, owner, () => true)
    const bodies = Array.from({ length: 11 }, (_, n) => whole(String(n), 'usr_a'))
    await turn(10 * second)
    expect([slow.of('usr_a'), begun.length]).toEqual([8, 10])
    bodies[0]?.end()
    await turn(second)
    expect([slow.of('usr_a'), begun.length]).toEqual([8, 11])
    for (let owner = 0; owner < 30; owner++) for (const n of [1, 2]) whole(`${owner} ${n}`, `usr_${owner}`)
    await turn(second)
    for (const n of [1, 2, 3, 4, 5]) whole(`last ${n}`, 'usr_last')
    await turn(5 * second)
    expect([slow.of('usr_29'), slow.of('usr_last'), begun.filter((name) => name.startsWith('last')).length]).toEqual([2, 2, 4])
    for (const body of bodies) body.end()
    expect(slow.of('usr_a')).toBe(0)
  })

  describe('where 8 of its owner arrive slowly without a place', () => {
    async function occupied() {
      const { begin, begun, turn, slow } = port()
      const eight = Array.from({ length: 8 }, (_, n) => begin(String(n)))
      const trickle = () => eight.forEach((body) => void body.arrive(1))
      await turn(5 * second, trickle)
      expect([slow.of('usr_a'), begun.length]).toEqual([8, 8])
      return { begin, begun, turn, trickle, slow, eight }
    }

    test('slowly keeps its place for its time', async () => {
      const { begin, begun, turn, trickle } = await occupied()
      const two = [begin('one'), begin('two')]
      begin('next')
      await turn(0)
      await turn(0.75 * second, () => {
        trickle()
        expect(two.map((body) => body.arrive(1))).toEqual([false, false])
      })
      expect(begun).not.toContain('next')
      expect(two.map((body) => body.arrive(1))).toEqual([true, true])
      await turn(0)
      expect(begun).toContain('next')
    })

    test('and of which nothing arrives any more leaves its place, however many there are, and waits for one when more of it arrives', async () => {
      const { begin, begun, turn, trickle, slow, eight } = await occupied()
      const stalled = Array.from({ length: 40 }, (_, n) => begin(`stalled ${n}`))
      await turn(5 * second, trickle)
      expect([slow.of('usr_a'), begun.length]).toEqual([8, 48])
      const others = [begin('next', 'usr_a', () => true), begin('another', 'usr_a', () => true)]
      await turn(0)
      expect(begun.slice(48)).toEqual(['next', 'another'])
      expect(stalled[39]?.arrive(1)).toBe(true)
      await turn(0)
      expect(begun).toHaveLength(50)
      others[0]?.end()
      await turn(0)
      expect(begun[50]).toBe('stalled 39 again')
      expect(stalled[39]?.arrive(1)).toBe(false)
      for (const body of [...eight, ...stalled, ...others]) body.end()
      expect(slow.of('usr_a')).toBe(0)
    })

    test('slowly, and then not at all for a second, leaves room for others that do', async () => {
      const { begin, begun, turn, slow, eight } = await occupied()
      await turn(2 * second)
      expect(slow.of('usr_a')).toBe(0)
      const others = [begin('one', 'usr_a', () => true), begin('two', 'usr_a', () => true)]
      await turn(0)
      expect(eight[0]?.arrive(1)).toBe(true)
      others[0]?.end()
      await turn(0)
      expect(begun.at(-1)).toBe('0 again')
    })
  })
})

test('a body whose turn is over before it begins leaves nothing behind', async () => {
  const turn = turnOfWhole((await freshProject(world)).ctx)
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
  const [slow, next] = [turnOfWhole(ctx), turnOfWhole(ctx)]
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
