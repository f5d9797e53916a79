import { expect, test } from 'vitest'
import { callersOf } from '../../src/kit/callers.ts'
import { callIn } from '../../src/kit/context.ts'
import { inPieces, inPlace } from '../../src/kit/exports.ts'
import { turnsDuring } from '../help/turns.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld()
const call = (account: string, projectId = `prj_${account}`) => callIn(world, { account, projectId })

async function* pieces(): AsyncGenerator<string, void> {
  yield 'first'
  yield 'second'
}

test('an account has four exports at a time, whatever their projects, and a project four of whatever accounts', async () => {
  const open: AsyncGenerator<string, void>[] = []
  async function begin(account: string, projectId: string): Promise<void> {
    const one = inPlace(call(account, projectId), pieces)
    await one.next()
    open.push(one)
  }
  const refused = {
    code: 'RATE_LIMIT_EXCEEDED',
    message: '4 exports of this account or project run, which is the maximum. Try again in 10 seconds.',
  }
  for (const n of [1, 2, 3, 4]) await begin('usr_a', `prj_${n}`)
  await expect(begin('usr_a', 'prj_5')).rejects.toMatchObject(refused)
  for (const account of ['usr_b', 'usr_c', 'usr_d']) await begin(account, 'prj_1')
  await expect(begin('usr_e', 'prj_1')).rejects.toMatchObject(refused)
  await open[0]?.return()
  await begin('usr_a', 'prj_1')
  await expect(begin('usr_a', 'prj_5')).rejects.toMatchObject(refused)
  for (const one of open) await one.return()
})

test('the last twenty places are one for each owner, and there are forty', async () => {
  const open: AsyncGenerator<string, void>[] = []
  async function begin(account: string): Promise<void> {
    const one = inPlace(call(account), pieces)
    await one.next()
    open.push(one)
  }
  const refused = { code: 'SERVICE_UNAVAILABLE', message: 'Too many exports run at the moment.' }
  for (let n = 0; n < 20; n++) await begin(`usr_many_${Math.floor(n / 4)}`)
  for (let n = 0; n < 19; n++) await begin(`usr_one_${n}`)
  await expect(begin('usr_one_0')).rejects.toMatchObject(refused)
  await begin('usr_last')
  await expect(begin('usr_late')).rejects.toMatchObject(refused)
  await open[0]?.return()
  await begin('usr_late')
  for (const one of open) await one.return()
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
