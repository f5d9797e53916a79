import { describe, expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import type { Database } from '../../../src/kit/postgres/db.ts'
import { statement } from '../../../src/kit/postgres/db.ts'
import { holder } from '../../help/holder.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const locked = statement<{ done: boolean }>('', 'select pg_advisory_xact_lock($2::int) is not null as done, $1::text as project_id')

/** Something that waits while somebody else holds the contacts of all projects, or the lock 1. */
const kinds: Record<string, (db: Database, projectId: string) => Promise<unknown>> = {
  'changes in transactions': (db) => db.transaction((tx) => tx.run(locked, ['', 1])),
  'single statements': (db) => db.run(locked, ['', 1]),
  'queries of Prisma': (db, projectId) => db.prisma.contact.count({ where: { projectId } }),
  scans: (db, projectId) => db.scans.run(locked, [projectId, 1]),
  lists: (db, projectId) => db.lists.run(locked, [projectId, 1]),
  'large values': (db, projectId) => db.large.run(locked, [projectId, 1]),
}

const quick = statement<{ one: number }>('', 'select 1 as one', { allProjects: 'reads no table' })
const quickOf = statement<{ one: number }>('', 'select 1 as one, $1::text as project_id')

describe.each(Object.keys(kinds))('%s', (kind) => {
  const wait = kinds[kind] as (typeof kinds)[string]

  test('that wait for a lock, of however many projects of one account, hold up nobody else', async () => {
    const { projectId } = await freshProject(world)
    const other = world.db.of('usr_other')
    const turns = [other.scans, other.lists, other.large]
    const held = await holder(world)
    await held.run('select pg_advisory_xact_lock(1)')
    await held.run('lock table contacts in access exclusive mode')
    const waiting = Array.from({ length: 30 }, () => wait(world.db.of('usr_busy'), projectId))
    await held.waitedFor()
    for (let call = 0; call < 3; call++) {
      expect(await other.run(quick, [])).toEqual([{ one: 1 }])
      expect(await other.transaction((tx) => tx.run(quick, []))).toEqual([{ one: 1 }])
      expect(await other.prisma.template.count({ where: { projectId } })).toBe(0)
      for (const executor of turns) expect(await executor.run(quickOf, ['prj_other'])).toMatchObject([{ one: 1 }])
      // What the program does for itself takes no turn, and finds a connection as well.
      expect(await world.db.run(quick, [])).toEqual([{ one: 1 }])
      expect(await world.db.transaction((tx) => tx.run(quick, []))).toEqual([{ one: 1 }])
    }
    await held.commit()
    expect(await Promise.all(waiting)).toHaveLength(30)
  })
})

test('calls without an account that wait for a lock, from however many addresses of one network, hold up no other network', async () => {
  const { projectId } = await freshProject(world)
  const db = (address: string) => callIn(world, { client: { address } }).db
  const held = await holder(world)
  await held.run('select pg_advisory_xact_lock(1)')
  const waiting = Array.from({ length: 30 }, (_, n) => db(`2001:db8::${n}`).run(locked, [projectId, 1]))
  await held.waitedFor()
  for (let call = 0; call < 3; call++) expect(await db('2001:db8:0:1::1').run(quick, [])).toEqual([{ one: 1 }])
  await held.commit()
  expect(await Promise.all(waiting)).toHaveLength(30)
})

test('rows that Prisma looks up by their keys at the same time are one statement, whoever asks', async () => {
  const { projectId } = await freshProject(world)
  const { prisma } = world.db.of('usr_one')
  const found = await Promise.all(
    Array.from({ length: 20 }, (_, n) => prisma.contact.findUnique({ where: { projectId_id: { projectId, id: `cnt_${n}` } } })),
  )
  expect(found).toEqual(Array(20).fill(null))
})

const lengthOf = (rows: readonly unknown[]): number => rows.length

describe('of a caller who has left', () => {
  const gone = { code: 'SERVICE_UNAVAILABLE' }

  test.each(Object.entries(kinds))('%s that have not begun are given up, and the next call finds its turn', async (_kind, wait) => {
    const { projectId } = await freshProject(world)
    const caller = new AbortController()
    const held = await holder(world)
    await held.run('select pg_advisory_xact_lock(1)')
    await held.run('lock table contacts in access exclusive mode')
    const waiting = Array.from({ length: 30 }, () =>
      wait(
        world.db.of('usr_busy', () => caller.signal),
        projectId,
      ),
    )
    const settled = Promise.allSettled(waiting)
    await held.waitedFor()
    caller.abort()
    await held.commit()
    const statuses = (await settled).map((one) => (one.status === 'rejected' ? one.reason.code : 'done'))
    expect(statuses.filter((status) => status === gone.code).length).toBeGreaterThanOrEqual(26)
    expect(statuses).toContain('done')
    expect(await wait(world.db.of('usr_busy'), projectId)).toBeDefined()
  })

  const change = statement('', 'update contacts set data = data where project_id = $1')

  test.each<[string, (db: Database, projectId: string) => Promise<unknown>]>([
    ['a transaction', (db) => db.transaction((tx) => tx.run(quick, []))],
    ['a statement', (db, projectId) => db.run(change, [projectId])],
    ['a query of Prisma', (db, projectId) => db.prisma.contact.updateMany({ where: { projectId }, data: { subscribed: true } })],
    ['a scan', (db, projectId) => db.scans.run(change, [projectId])],
    ['a statement among lists', (db, projectId) => db.lists.run(change, [projectId])],
    ['a statement of large values', (db, projectId) => db.large.run(change, [projectId])],
  ])('what follows a change by %s is done as well, so that nothing is done by half', async (_kind, change) => {
    const { projectId } = await freshProject(world)
    const caller = new AbortController()
    const [changing, reading] = [1, 2].map(() => world.db.of('usr_one', () => caller.signal)) as [Database, Database]
    await change(changing, projectId)
    await reading.run(quick, [])
    for (const executor of [reading.scans, reading.lists, reading.large]) await executor.run(quickOf, [projectId])
    caller.abort()
    const works = (db: Database) => [
      db.run(quick, []).then(lengthOf),
      db.transaction((tx) => tx.run(quick, [])).then(lengthOf),
      db.prisma.contact.findMany({ where: { projectId } }).then(lengthOf),
      db.scans.run(quickOf, [projectId]).then(lengthOf),
      db.lists.run(quickOf, [projectId]).then(lengthOf),
      db.large.run(quickOf, [projectId]).then(lengthOf),
    ]
    expect(await Promise.all(works(changing))).toEqual([1, 1, 0, 1, 1, 1])
    for (const work of works(reading)) await expect(work).rejects.toMatchObject(gone)
  })

  test('what lasts is done', async () => {
    const lasting = world.db.of('usr_one', () => AbortSignal.abort()).lasting()
    expect(await lasting.run(quick, [])).toEqual([{ one: 1 }])
    expect(await lasting.transaction((tx) => tx.run(quick, []))).toEqual([{ one: 1 }])
    expect(await lasting.scans.run(quickOf, ['prj_one'])).toMatchObject([{ one: 1 }])
  })
})
