import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { batchInLanes } from '../../src/kit/lanes.ts'
import { statement } from '../../src/kit/postgres/db.ts'
import { until } from '../help/until.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld()
await world.db.prisma.$executeRawUnsafe('create table test_rows (project_id text, name text, n int, primary key (project_id, name))')
const upsert = statement<object>(
  'test_upsert_rows',
  `insert into test_rows as r (project_id, name, n) select project_id, name, count(*) from unnest($1::text[], $2::text[]) as t(project_id, name)
   group by project_id, name order by project_id, name on conflict (project_id, name) do update set n = r.n + excluded.n`,
)
const holdRow = statement<object>('test_hold_row', 'select 1 from test_rows where project_id = $1 and name = $2 for update')

interface Item {
  owner: string
  name: string
  bytes?: number
  /** Bytes that are known to be written again, and those that are guessed. */
  rewritten?: number
  guessed?: number
}

const rewrittenBytesOf = ({ rewritten = 0, guessed = 0 }: Item) => ({ known: rewritten, likely: rewritten + guessed })

/** Writes rows of many owners; `groups` are the statements it sent, `alone` those of single items. */
function writer() {
  const groups: Item[][] = []
  const alone: Item[][] = []
  const on = (db: Pick<typeof world.db, 'run'>, sent: Item[][]) => async (items: Item[]) => {
    sent.push(items)
    await db.run(upsert, [items.map(({ owner }) => owner), items.map(({ name }) => name)])
    return items
  }
  const write = batchInLanes({
    flush: on(world.db.impatient, groups),
    flushAlone: on(world.db, alone),
    max: 250,
    ownerOf: ({ owner }: Item) => owner,
    locksOf: ({ owner, name }) => [`${owner} ${name}`],
    bytesOf: ({ bytes }) => bytes ?? 10,
    rewrittenBytesOf,
  })
  return { groups, alone, write }
}

describe('a row that is locked', () => {
  test('makes only those wait who need it, and they are written once it is free', async () => {
    const { write } = writer()
    await Promise.all(['locked', 'a', 'b'].map((name) => write({ owner: 'one', name })))
    const finished: string[] = []
    const all = await world.db.transaction(async (tx) => {
      await tx.run(holdRow, ['one', 'locked'])
      const begin = (owner: string, name: string) => write({ owner, name }).then(() => void finished.push(`${owner} ${name}`))
      const first = ['locked', 'a', 'locked', 'b'].map((name) => begin('one', name))
      first.push(begin('two', 'a'))
      await until(async () => finished.length === 3)
      const later = [begin('one', 'locked'), begin('one', 'a'), begin('two', 'locked')]
      await until(async () => finished.length === 5)
      expect(finished.filter((name) => name === 'one locked')).toEqual([])
      return { calls: [...first, ...later] }
    })
    await Promise.all(all.calls)
    const [row] = await world.db.prisma.$queryRawUnsafe<{ n: number }[]>(
      `select n from test_rows where project_id = 'one' and name = 'locked'`,
    )
    expect(row?.n).toBe(4)
  })

  test('holds one connection, however many calls wait for it', async () => {
    const { write, alone } = writer()
    await write({ owner: 'many', name: 'locked' })
    const { calls } = await world.db.transaction(async (tx) => {
      await tx.run(holdRow, ['many', 'locked'])
      const calls = Array.from({ length: 30 }, () => write({ owner: 'many', name: 'locked' }))
      await until(async () => alone.length > 0)
      await write({ owner: 'many', name: 'other' })
      expect(alone).toHaveLength(1)
      return { calls }
    })
    await Promise.all(calls)
  })
})

test('heavy items of two owners whose rows are locked do not hold up those of a third', async () => {
  const { write } = writer()
  const heavy = (owner: string, name: string) => write({ owner, name, bytes: 100_000 })
  const locked = [
    ['first', 'a'],
    ['first', 'b'],
    ['second', 'a'],
    ['second', 'b'],
  ] as const
  await Promise.all(locked.map(([owner, name]) => write({ owner, name })))
  const { calls } = await world.db.transaction(async (tx) => {
    for (const row of locked) await tx.run(holdRow, row)
    const calls = locked.map(([owner, name]) => heavy(owner, name))
    await heavy('third', 'a')
    return { calls }
  })
  await Promise.all(calls)
})

test('heavy items are written alone, others in groups', async () => {
  const { write, groups, alone } = writer()
  await Promise.all(Array.from({ length: 6 }, (_, at) => write({ owner: 'heavy', name: `h${at}`, bytes: 100_000 })))
  expect(groups.map((items) => items.length)).toEqual([1, 1, 1, 1, 1, 1])
  expect(alone).toEqual([])
  await Promise.all(Array.from({ length: 10 }, (_, at) => write({ owner: 'light', name: `l${at}` })))
  expect(groups.slice(6).map((items) => items.length)).toEqual([10])
})

test('a group holds about 256 KB at most', async () => {
  const { write, groups } = writer()
  await Promise.all(Array.from({ length: 20 }, (_, at) => write({ owner: 'medium', name: `m${at}`, bytes: 60_000 })))
  expect(groups.map((items) => items.length)).toEqual([5, 5, 5, 5])
})

test('so does one of items that write much again, each row counted once', async () => {
  const { write, groups } = writer()
  await Promise.all(Array.from({ length: 9 }, (_, at) => write({ owner: 'one', name: `w${at}`, rewritten: 100_000 })))
  await Promise.all(Array.from({ length: 9 }, (_, at) => write({ owner: 'two', name: `g${at}`, guessed: 100_000 })))
  await Promise.all(Array.from({ length: 9 }, () => write({ owner: 'three', name: 'same', rewritten: 100_000 })))
  expect(groups.map((items) => items.length)).toEqual([3, 3, 3, 3, 3, 3, 9])
})

/** A writer without a database that holds each group back until it is released. */
function heldWriter(max: number, refuse: (item: Item) => boolean = () => false) {
  const groups: string[][] = []
  const releases: (() => void)[] = []
  const write = batchInLanes({
    flush: async (items: Item[]) => {
      groups.push(items.map(({ owner }) => owner))
      await new Promise<void>((resolve) => releases.push(resolve))
      if (items.some(refuse)) throw Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code: '23514' })
      return items
    },
    flushAlone: async (items: Item[]) => items,
    max,
    ownerOf: ({ owner }) => owner,
    locksOf: ({ name }) => [name],
    bytesOf: ({ bytes }) => bytes ?? 10,
    rewrittenBytesOf,
  })
  const release = async () => {
    for (const next of releases.splice(0)) next()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { groups, write, release }
}

test('an owner with little waits behind one group of an owner with much, not behind all of it', async () => {
  const { groups, write, release } = heldWriter(4)
  // Twenty owners in four lanes: every lane has some.
  const owners = Array.from({ length: 20 }, (_, at) => `owner ${at}`)
  const much = Array.from({ length: 40 }, () => write({ owner: 'owner 0', name: 'x' }))
  await release()
  const little = owners.slice(1).map((owner) => write({ owner, name: 'x' }))
  let done = 0
  for (const each of little) void each.then(() => done++)
  for (let round = 0; done < little.length; round++) {
    expect(round).toBeLessThan(12)
    await release()
  }
  expect(groups.flat().filter((owner) => owner === 'owner 0').length).toBeLessThan(30)
  while (groups.flat().length < 59) await release()
  await release()
  await Promise.all(much)
})

test('items that write very much again are written one after the other, and hold up nobody else', async () => {
  const { groups, write, release } = heldWriter(4)
  const very = ['a', 'b'].map((owner) => write({ owner, name: owner, rewritten: 2_000_000 }))
  const others = [write({ owner: 'c', name: 'c' }), write({ owner: 'd', name: 'd', bytes: 100_000 })]
  await until(async () => groups.length === 3)
  expect(groups.toSorted()).toEqual([['a'], ['c'], ['d']])
  await release()
  await Promise.all(others)
  await until(async () => groups.length === 4)
  await release()
  await Promise.all(very)
})

test('items that write much again are written beside the others, of which none waits for them, and in the turns of their owners', async () => {
  const { groups, write, release } = heldWriter(4)
  const names = ['a', 'b', 'c']
  const much = Array.from({ length: 40 }, (_, at) => write({ owner: 'much', name: `row ${at}`, rewritten: 100_000 }))
  const others = names.map((name) => write({ owner: 'much', name }))
  const little = names.map((name) => write({ owner: name, name, rewritten: 100_000 }))
  await until(async () => groups.length === 5)
  expect(groups.map((owners) => owners.join(' ')).toSorted()).toEqual(['a', 'b', 'c', 'much much much', 'much much much'])
  await release()
  await Promise.all([...others, ...little])
  while (groups.flat().length < 46) await release()
  await release()
  await Promise.all(much)
})

test('an owner whose item made a group fail has a lane of its own for a while', async () => {
  const { groups, write, release } = heldWriter(250, ({ name }) => name === 'bad')
  const owners = Array.from({ length: 20 }, (_, at) => `owner ${at}`)
  const first = owners.map((owner) => write({ owner, name: owner === 'owner 7' ? 'bad' : 'good' }))
  const settled = Promise.allSettled(first)
  let over = false
  void settled.then(() => {
    over = true
  })
  while (!over) await release()
  expect((await settled).map(({ status }) => status)).toEqual(owners.map((owner) => (owner === 'owner 7' ? 'rejected' : 'fulfilled')))
  groups.length = 0
  const second = Promise.all(owners.map((owner) => write({ owner, name: 'good' })))
  for (let sent = 0; sent < 5; sent++) await release()
  await second
  expect(groups.find((group) => group.includes('owner 7'))).toEqual(['owner 7'])
})

test('of owners whose items made groups fail, so many are remembered at most: then the first is as any other again', async () => {
  const { groups, write, release } = heldWriter(250, ({ name }) => name === 'bad')
  const fail = async (owners: string[]): Promise<void> => {
    let over = false
    void Promise.allSettled(owners.map((owner) => write({ owner, name: 'bad' }))).then(() => {
      over = true
    })
    while (!over) await release()
  }
  // Of the same lane as owner 7.
  const shared = async (): Promise<boolean> => {
    groups.length = 0
    const written = Promise.all(['owner 7', 'owner 3'].map((owner) => write({ owner, name: 'good' })))
    for (let sent = 0; sent < 5; sent++) await release()
    await written
    return groups.some((group) => group.length === 2)
  }
  expect(await shared()).toBe(true)
  await fail(['owner 7'])
  expect(await shared()).toBe(false)
  await fail(Array.from({ length: 1_000 }, (_, n) => `bad ${n}`))
  expect(await shared()).toBe(true)
})
