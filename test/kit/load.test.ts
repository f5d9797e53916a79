import { describe, expect, test } from 'vitest'
import { callIn } from '../../src/kit/context.ts'
import { loader, loaderPerCall, rowReader, rowsOfProjects } from '../../src/kit/load.ts'
import { statement } from '../../src/kit/postgres/db.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld()
const inProject = (projectId: string) => callIn(world, { projectId, actor: { kind: 'system' } })
const query = { select: { id: true } }

/** A loader of rows that exist unless their id begins with an x, and what it was asked. */
function counted() {
  const asked: [string, string[], object][] = []
  const find = loader(async ({ projectId }, ids, selection) => {
    asked.push([projectId, ids, selection])
    if (ids.includes('broken')) throw new Error('broken')
    return ids.filter((id) => !id.startsWith('x')).map((id) => ({ id, projectId }))
  })
  return { find, asked }
}

describe('loader', () => {
  test('reads what is asked for at once in one statement, each id once', async () => {
    const { find, asked } = counted()
    const ids = ['a', 'b', 'a', 'x1']
    const found = await Promise.all(ids.map((id) => find(inProject('p1'), { id }, query)))
    expect(found).toEqual([{ id: 'a', projectId: 'p1' }, { id: 'b', projectId: 'p1' }, { id: 'a', projectId: 'p1' }, null])
    expect(asked).toEqual([['p1', ['a', 'b', 'x1'], query]])
  })

  test('never mixes projects or selections', async () => {
    const { find, asked } = counted()
    const more = { select: { id: true, name: true } }
    const calls = [
      find(inProject('p1'), { id: 'a' }, query),
      find(inProject('p2'), { id: 'a' }, query),
      find(inProject('p1'), { id: 'a' }, more),
    ]
    expect((await Promise.all(calls)).map((row) => row?.projectId)).toEqual(['p1', 'p2', 'p1'])
    expect(asked).toHaveLength(3)
  })

  test('asks again for what is asked later, and for no id nothing at all', async () => {
    const { find, asked } = counted()
    await find(inProject('p1'), { id: 'a' }, query)
    await find(inProject('p1'), { id: 'a' }, query)
    expect(await find(inProject('p1'), { id: null }, query)).toBeNull()
    expect(asked).toHaveLength(2)
  })

  test('fails for all who asked when the statement fails', async () => {
    const { find } = counted()
    const calls = ['a', 'broken'].map((id) => find(inProject('p1'), { id }, query))
    expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})

test('what several calls asked for is read although the first of them has left, and what it alone asked for is not', async () => {
  const one = statement<{ id: string }>('', 'select unnest($1::text[]) as id', { allProjects: 'reads no table' })
  const find = loader(({ db }, ids) => db.run(one, [ids]))
  const call = (left?: () => AbortSignal) => ({ ...inProject('p1'), db: world.db.of('usr_one', left) })
  const gone = () => AbortSignal.abort()
  expect(await Promise.all([find(call(gone), { id: 'a' }, {}), find(call(), { id: 'b' }, {})])).toEqual([{ id: 'a' }, { id: 'b' }])
  await expect(find(call(gone), { id: 'a' }, {})).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('a loader that calls share gives nothing of one caller to the reading', async () => {
  const given: string[][] = []
  const find = loader(async (ctx, ids) => {
    given.push(Object.keys(ctx).sort())
    return ids.map((id) => ({ id }))
  })
  const call = { ...inProject('p1'), takeRoom: () => undefined }
  await Promise.all([1, 2].map((at) => find(call, { id: `a${at}` }, {})))
  expect(given).toEqual([['db', 'projectId', 'world']])
})

describe('loaderPerCall', () => {
  /** A loader whose rows are as long as their ids, of which a reading may have 3 characters. */
  function bounded() {
    const read: string[][] = []
    const find = loaderPerCall(async ({ projectId, takeRoom }, ids) => {
      read.push([projectId, ...ids])
      takeRoom?.(ids.join('').length)
      return ids.map((id, at) => ({ id, fits: ids.slice(0, at + 1).join('').length <= 3 }))
    })
    return { find, read }
  }

  test('calls in the same moment have bounds of their own and take room in their own answers, also with the same request id', async () => {
    const { find, read } = bounded()
    const taken: [string, number][] = []
    const call = (name: string) => ({
      ...inProject('p1'),
      requestId: 'req_same',
      takeRoom: (bytes: number) => void taken.push([name, bytes]),
    })
    const [one, other] = [call('one'), call('other')]
    const asked = [find(one, { id: 'aa' }), find(other, { id: 'aa' }), find({ ...one }, { id: 'b' }), find(other, { id: 'cc' })]
    expect((await Promise.all(asked)).map((row) => row?.fits)).toEqual([true, true, true, false])
    expect(read).toEqual([
      ['p1', 'aa', 'b'],
      ['p1', 'aa', 'cc'],
    ])
    expect(taken).toEqual([
      ['one', 3],
      ['other', 4],
    ])
  })

  test('never mixes the projects of a call, asks again for what is asked later, and for no id nothing', async () => {
    const { find, read } = bounded()
    const call = inProject('p1')
    await Promise.all([find(call, { id: 'a' }), find({ ...call, projectId: 'p2' }, { id: 'a' })])
    await find(call, { id: 'a' })
    expect(await find(call, { id: null })).toBeNull()
    expect(read).toEqual([
      ['p1', 'a'],
      ['p2', 'a'],
      ['p1', 'a'],
    ])
  })
})

describe('rowsOfProjects', () => {
  const reading = statement<{ projectId: string; n: number; at: Date }>(
    'kit_rows_of_projects',
    `select id as "projectId", n, $2::timestamptz as at from unnest($1::text[]) as u(id), generate_series(1, 2) n where id not like 'x%' order by n desc`,
    { allProjects: 'a table of this test alone' },
  )

  /** A reader on the database, and the projects of each statement that it ran. */
  function watched() {
    const groups: string[][] = []
    const run: typeof world.db.run = (statement, values) => {
      groups.push(values[0] as string[])
      return world.db.run(statement, values)
    }
    const spied = { ...world, db: { ...world.db, run } }
    const read = rowsOfProjects(reading, (now) => [now])
    return { groups, read: (projectId: string) => read({ world: spied, projectId }) }
  }

  test('reads those of the calls of one turn in one statement, each project once, in order, none for one without rows', async () => {
    const { groups, read } = watched()
    const found = await Promise.all(['p1', 'p2', 'p1', 'x1'].map(read))
    const rows = (projectId: string) => [2, 1].map((n) => ({ projectId, n, at: world.clock.now() }))
    expect(found).toEqual([rows('p1'), rows('p2'), rows('p1'), []])
    expect(groups).toEqual([['p1', 'p2', 'x1']])
    expect(await read('p2')).toEqual(rows('p2'))
    expect(groups).toHaveLength(2)
  })

  test('reads those of more than 100 calls in statements of 100', async () => {
    const { groups, read } = watched()
    const ids = Array.from({ length: 250 }, (_, at) => `p${at}`)
    const found = await Promise.all(ids.map(read))
    expect(found.map(([row]) => row?.projectId)).toEqual(ids)
    expect(groups.map((group) => group.length)).toEqual([100, 100, 50])
  })
})

describe('rowReader', () => {
  const present = statement<{ id: string; projectId: string }>(
    'kit_present_rows',
    `select id, $1::text as "projectId" from unnest($2::text[]) as u(id) where id not like 'x%' and 1 / case when id = 'broken' then 0 else 1 end = 1`,
    { allProjects: 'a table of this test alone' },
  )

  /** A reader on the database, and the ids of each statement that it ran. */
  function watched() {
    const groups: string[][] = []
    const run: typeof world.db.run = (reading, values) => {
      groups.push(values[1] as string[])
      return world.db.run(reading, values)
    }
    const spied = { ...world, db: { ...world.db, run } }
    const read = rowReader(present)
    return { groups, read: (projectId: string, id: string) => read({ world: spied, projectId }, id) }
  }

  test('reads what is asked for at once in one statement per project, and while that runs the rest in groups of 20', async () => {
    const { groups, read } = watched()
    const ids = Array.from({ length: 30 }, (_, n) => `a${n}`)
    const found = await Promise.all([...ids, 'a0', 'x1'].map((id) => read('p1', id)))
    expect(found.map((row) => row?.id)).toEqual([...ids, 'a0', undefined])
    expect(groups.map((group) => group.length)).toEqual([20, 12])
    const apart = await Promise.all(['p1', 'p2'].map((projectId) => read(projectId, 'a')))
    expect(apart.map((row) => row?.projectId)).toEqual(['p1', 'p2'])
    expect(groups).toHaveLength(4)
  })

  test('of a group that one id makes fail, only that one fails', async () => {
    const { read } = watched()
    const settled = await Promise.allSettled(['a', 'broken', 'b'].map((id) => read('p1', id)))
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })
})
