import pg from 'pg'
import { expect, test } from 'vitest'
import { batch } from '../../src/kit/batch.ts'
import { openDatabase, statement } from '../../src/kit/postgres/db.ts'
import { until } from '../help/until.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld()
await world.db.prisma.$executeRawUnsafe('create table test_numbers (project_id text, n int check (n >= 0))')
const insert = statement<{ n: number }>(
  'test_insert_numbers',
  `insert into test_numbers (project_id, n) select 'p', n::int from unnest($1::text[]) with ordinality as t(n, ord) order by ord returning n`,
)
const stored = async () =>
  (await world.db.prisma.$queryRawUnsafe<{ n: number }[]>('select n from test_numbers order by n')).map(({ n }) => n)
const numbers = Array.from({ length: 250 }, (_, at) => at)

/** A group writer that also says how large each of its groups was. */
function writer(db = world.db) {
  const sizes: number[] = []
  const write = batch(async (items: unknown[]) => {
    sizes.push(items.length)
    return (await db.run(insert, [items.map(String)])).map(({ n }) => n)
  }, 250)
  return { sizes, write }
}

test('concurrent calls are one statement, and each gets its own result', async () => {
  await world.db.prisma.$executeRawUnsafe('truncate test_numbers')
  const { sizes, write } = writer()
  expect(await Promise.all(numbers.map(write))).toEqual(numbers)
  expect(sizes).toEqual([250])
})

test.each([
  ['violates a constraint', -1],
  ['is no value of its type', 'three'],
])('of a group with an item that %s only that item fails', async (_why, bad) => {
  await world.db.prisma.$executeRawUnsafe('truncate test_numbers')
  const { write } = writer()
  const results = await Promise.allSettled([...numbers.slice(0, 20), bad].map(write))
  expect(results.map(({ status }) => status)).toEqual([...numbers.slice(0, 20).map(() => 'fulfilled'), 'rejected'])
  expect(await stored()).toEqual(numbers.slice(0, 20))
})

test('a group on a server that is read-only fails with one statement', async () => {
  const url = new URL(world.databaseUrl)
  url.searchParams.set('options', '-c default_transaction_read_only=on')
  const readOnly = openDatabase(url.href, 2, () => undefined)
  const { sizes, write } = writer(readOnly)
  const results = await Promise.allSettled(numbers.map(write))
  await readOnly.close()
  expect(results.every((one) => one.status === 'rejected' && one.reason.code === '25006')).toBe(true)
  expect(sizes).toEqual([250])
})

test.each(['40001', '40P01'])('a group that Postgres aborted because of others (%s) is tried again whole, a few times', async (code) => {
  const failing = async (times: number) => {
    const sizes: number[] = []
    const write = batch(async (items: number[]) => {
      sizes.push(items.length)
      if (sizes.length <= times) throw Object.assign(new pg.DatabaseError('aborted', 0, 'error'), { code })
      return items
    }, 250)
    return { results: await Promise.allSettled([1, 2, 3].map(write)), sizes }
  }
  const once = await failing(1)
  expect([once.results.map(({ status }) => status), once.sizes]).toEqual([
    ['fulfilled', 'fulfilled', 'fulfilled'],
    [3, 3],
  ])
  const always = await failing(99)
  expect([always.results.map(({ status }) => status), always.sizes]).toEqual([
    ['rejected', 'rejected', 'rejected'],
    [3, 3, 3],
  ])
})

test('a group whose connection is lost fails whole, because it may have been written', async () => {
  const sizes: number[] = []
  const write = batch(async (items: number[]): Promise<number[]> => {
    sizes.push(items.length)
    throw new Error('Connection terminated unexpectedly')
  }, 250)
  const results = await Promise.allSettled([1, 2, 3].map(write))
  expect([results.map(({ status }) => status), sizes]).toEqual([['rejected', 'rejected', 'rejected'], [3]])
})

test('reads that take long hold up nobody else, up to a number of them', async () => {
  const started: number[][] = []
  const answers = new Map<number, () => void>()
  const flush = (items: number[]): Promise<number[]> => {
    started.push(items)
    const { promise, resolve } = Promise.withResolvers<number[]>()
    answers.set(items[0] ?? -1, () => resolve(items))
    return promise
  }
  const find = batch(flush, 10, { afterMs: 5, max: 2 })
  const calls = [1, 2, 3, 4].map(async (item, at) => {
    await until(async () => started.length === Math.min(at, 3))
    return find(item)
  })
  await until(async () => started.length === 3)
  // Two are beside, the third one is waited for.
  expect(started).toEqual([[1], [2], [3]])
  for (const item of [3, 1, 2]) answers.get(item)?.()
  await until(async () => started.length === 4)
  answers.get(4)?.()
  expect(await Promise.all(calls)).toEqual([1, 2, 3, 4])
  expect(started).toEqual([[1], [2], [3], [4]])
})
