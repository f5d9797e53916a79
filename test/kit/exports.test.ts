import { setImmediate as settled } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { callersOf } from '../../src/kit/callers.ts'
import { callIn } from '../../src/kit/context.ts'
import { inPieces, inPlace } from '../../src/kit/exports.ts'
import { turnsDuring } from '../help/turns.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld()
const call = (account: string, projectId = `prj_${account}`, address = account) =>
  callIn(world, { account, projectId, client: { address } })

async function* pieces(): AsyncGenerator<string, void> {
  yield 'first'
  yield 'second'
}

/** Begins exports, each with its first piece. */
function exporter() {
  const open: AsyncIterator<string>[] = []
  const cutOff: string[] = []
  async function begin(account: string, { projectId, address }: { projectId?: string; address?: string } = {}): Promise<void> {
    const { pieces: made, ended } = inPlace(call(account, projectId, address), pieces)
    ended?.addEventListener('abort', () => cutOff.push(account))
    const one = made[Symbol.asyncIterator]()
    await one.next()
    open.push(one)
  }
  const end = async (at = 0): Promise<void> => void (await open.splice(at, 1)[0]?.return?.())
  const endAll = async (): Promise<void> => {
    while (open.length > 0) await end()
  }
  return { begin, end, endAll, cutOff, open }
}

test('an account has four exports at a time, whatever their projects, and a project four of whatever accounts', async () => {
  const { begin, end, endAll } = exporter()
  const refused = {
    code: 'RATE_LIMIT_EXCEEDED',
    message: '4 exports of this account or project run, which is the maximum. Try again in 10 seconds.',
  }
  for (const n of [1, 2, 3, 4]) await begin('usr_a', { projectId: `prj_${n}` })
  await expect(begin('usr_a', { projectId: 'prj_5' })).rejects.toMatchObject(refused)
  for (const account of ['usr_b', 'usr_c', 'usr_d']) await begin(account, { projectId: 'prj_1' })
  await expect(begin('usr_e', { projectId: 'prj_1' })).rejects.toMatchObject(refused)
  await end()
  await begin('usr_a', { projectId: 'prj_1' })
  await expect(begin('usr_a', { projectId: 'prj_5' })).rejects.toMatchObject(refused)
  await endAll()
})

test('there are forty places, the last twenty are one for each owner and address, and who has none waits for one', async () => {
  const { begin, endAll, end, open } = exporter()
  for (let n = 0; n < 20; n++) await begin(`usr_many_${Math.floor(n / 4)}`)
  for (let n = 0; n < 19; n++) await begin(`usr_one_${n}`)
  const [more, beside] = [begin('usr_one_0'), begin('usr_beside', { address: 'usr_one_1' })]
  await begin('usr_last')
  const late = begin('usr_late')
  await settled()
  expect(open).toHaveLength(40)
  await end()
  await late
  expect(open).toHaveLength(40)
  for (let n = 0; n < 25; n++) await end()
  await Promise.all([more, beside])
  await endAll()
})

test('who has waited for 15 s is told to try again, and those who gave up leave their count', async () => {
  const { begin, endAll } = exporter()
  for (let n = 0; n < 40; n++) await begin(`usr_${n}`)
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const waiting = [1, 2, 3, 4].map(() => begin('usr_late'))
  const refused = { code: 'SERVICE_UNAVAILABLE', message: 'Too many exports run at the moment.' }
  const all = Promise.all(waiting.map((one) => expect(one).rejects.toMatchObject(refused)))
  await vi.advanceTimersByTimeAsync(15_000)
  await all
  vi.useRealTimers()
  await endAll()
  await begin('usr_late')
  await endAll()
})

test('while all places are taken, the longest export of the address with the most is cut off after 30 s', async () => {
  const { begin, endAll, cutOff } = exporter()
  for (let n = 0; n < 20; n++) await begin(`usr_${n}`, { address: `2001:db8:1:${n.toString(16)}::1` })
  for (let n = 20; n < 40; n++) await begin(`usr_${n}`)
  world.clock.turn(30_000)
  await begin('usr_late')
  expect(cutOff).toEqual(['usr_0'])
  world.clock.turn(-30_000)
  await endAll()
})

const long = 'x'.repeat(64 * 1024)

test('owners take turns with the pieces of their exports, however many exports and projects one of them has', async () => {
  const order: string[] = []
  const exported = (account: string, projectId: string) =>
    Array.fromAsync(
      inPieces(call(account, projectId), [1, 2, 3], () => {
        order.push(account)
        return long
      }),
    )
  const all = await Promise.all([
    ...['prj_1', 'prj_2', 'prj_3', 'prj_4'].map((projectId) => exported('usr_a', projectId)),
    exported('usr_b', 'prj_b'),
  ])
  expect(all.map((texts) => texts.map(({ length }) => length))).toEqual(Array(5).fill(Array(3).fill(long.length)))
  // The exports of the other one have two pieces before each of its own, and not four.
  expect(order.lastIndexOf('usr_b')).toBeLessThan(9)
})

test('a piece ends after 64 KB or some milliseconds, and holds every item once and in order', async () => {
  const short = Array.from({ length: 20_000 }, (_, n) => `${n}\r\n`)
  const texts = await Array.fromAsync(inPieces(call('usr_a'), short, (item) => item))
  expect(texts.join('')).toBe(short.join(''))
  expect(texts.length).toBeGreaterThan(1)
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(long.length + 10)
  const slow = await Array.fromAsync(inPieces(call('usr_a'), ['a', 'b'], busy))
  expect(slow).toEqual(['a', 'b'])
})

// Keeps the thread for as long as a piece may take.
function busy(text: string): string {
  for (const until = performance.now() + 4; performance.now() < until; );
  return text
}

test('others are answered between pieces, and for much longer while they call', async () => {
  const items = Array.from({ length: 10 }, () => 'a')
  const exported = (write: (item: string) => string) => turnsDuring(() => Array.fromAsync(inPieces(call('usr_a'), items, write)))
  callersOf(world).add('usr_a')
  const alone = await exported(busy)
  const beside = await exported((item) => {
    callersOf(world).add('usr_b')
    return busy(item)
  })
  expect(alone).toBeGreaterThanOrEqual(items.length)
  // Each rest is many turns of a loop that has nothing else to do.
  expect(beside).toBeGreaterThan(10 * items.length)
  expect(beside).toBeGreaterThan(3 * alone)
})
