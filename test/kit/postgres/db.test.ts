import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isDatabaseUnavailable, isDatabaseUnreachable, openDatabase, statement } from '../../../src/kit/postgres/db.ts'
import { freshFolder } from '../../help/folder.ts'
import { holder } from '../../help/holder.ts'
import { proxyTo } from '../../help/proxy.ts'
import { until } from '../../help/until.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const backend = statement<{ pid: number }>('test_backend', 'select pg_backend_pid() as pid', { allProjects: 'asks for the connection' })

async function administer<Row extends pg.QueryResultRow>(sql: string, values: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  const { rows } = await client.query<Row>(sql, values)
  await client.end()
  return rows
}

async function cut(pid: number): Promise<void> {
  await administer('select pg_terminate_backend($1)', [pid])
  await until(async () => (await administer('select 1 from pg_stat_activity where pid = $1', [pid])).length === 0)
}

test('a connection lost between two statements of a transaction fails that transaction only', async () => {
  const calls: string[] = []
  const failing = world.db.transaction(async (tx) => {
    tx.afterCommit(() => calls.push('called without a commit'))
    const [first] = await tx.run(backend, [])
    await cut(first?.pid ?? 0)
    await tx.run(backend, [])
  })
  await expect(failing).rejects.toThrow(/terminat|Connection|closed|not queryable/i)
  const pid = await world.db.transaction(async (tx) => {
    tx.afterCommit(() => calls.push('called'))
    return (await tx.run(backend, []))[0]?.pid
  })
  expect([typeof pid, calls]).toEqual(['number', ['called']])
})

test('a transaction whose process stands still ends after 20 s, so that others go on; it fails as unavailable', async () => {
  const { projectId } = await freshProject(world)
  const settings = statement<{ idle: string }>(
    'test_idle',
    `select current_setting('idle_in_transaction_session_timeout') as idle, set_config('idle_in_transaction_session_timeout', '100', false)`,
    { allProjects: 'asks for the connection' },
  )
  const lock = statement<object>('test_lock', 'select from projects where id = $1 for update', { allProjects: 'names its project' })
  const standing = world.db.transaction(async (tx) => {
    const [setting] = await tx.run(settings, [])
    expect(setting?.idle).toBe('20s')
    await tx.run(lock, [projectId])
    const [first] = await tx.run(backend, [])
    await until(async () => (await administer('select 1 from pg_stat_activity where pid = $1', [first?.pid])).length === 0)
    await tx.run(backend, [])
  })
  const failed = await standing.catch((error: unknown) => error)
  expect(isDatabaseUnreachable(failed)).toBe(true)
  expect(isDatabaseUnreachable(new pg.DatabaseError('', 0, 'error'))).toBe(false)
  expect(isDatabaseUnreachable(Object.assign(new pg.DatabaseError('', 0, 'error'), { code: '25P03' }))).toBe(true)
  await world.db.transaction((tx) => tx.run(lock, [projectId]))
})

test('a transaction in which the failure of a statement was caught has failed: nothing of it is stored, and nothing is called', async () => {
  const { projectId } = await freshProject(world)
  const calls: string[] = []
  const rename = statement<object>('test_rename', 'update projects set name = $2 where id = $1', { allProjects: 'names its project' })
  const refused = statement<object>('test_refused', 'select 1 / 0', { allProjects: 'reads nothing' })
  const work = world.db.transaction(async (tx) => {
    tx.afterCommit(() => calls.push('called without a commit'))
    await tx.run(rename, [projectId, 'Renamed'])
    await tx.run(refused, []).catch(() => undefined)
  })
  await expect(work).rejects.toThrow('A transaction was rolled back')
  expect(calls).toEqual([])
  expect(await world.db.prisma.project.findUniqueOrThrow({ where: { id: projectId } })).not.toMatchObject({ name: 'Renamed' })
})

test('a connection that is lost in the moment it opens fails the transaction, not the process', async () => {
  const octets = (type: string, body: string): Buffer => {
    const head = Buffer.alloc(5)
    head.write(type)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, Buffer.from(body, 'latin1')])
  }
  const stopping = octets('E', 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    // One chunk: the client becomes ready and is told of the end before anybody can use it.
    socket.once('data', () => socket.end(Buffer.concat([octets('R', '\0\0\0\0'), octets('Z', 'I'), stopping])))
    socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const database = openDatabase(`postgres://x:x@127.0.0.1:${port}/x`, 2, () => undefined)
  await expect(database.transaction(async () => 1)).rejects.toThrow()
  await database.close()
  for (const socket of sockets) socket.destroy()
  server.close()
})

test('on a half-open connection a statement and a transaction fail as unavailable after a bounded time, and the next ones work', async () => {
  const proxy = await proxyTo(world.databaseUrl)
  const database = openDatabase(proxy.url, 2, () => undefined, 200)
  await database.run(backend, [])
  proxy.silence()
  expect(await database.run(backend, []).catch(isDatabaseUnavailable)).toBe(true)
  expect(await database.run(backend, [])).toHaveLength(1)
  const silenced = database.transaction(async (tx) => {
    await tx.run(backend, [])
    proxy.silence()
    await tx.run(backend, [])
  })
  expect(await silenced.catch(isDatabaseUnavailable)).toBe(true)
  expect(await database.transaction((tx) => tx.run(backend, []))).toHaveLength(1)
  await database.close()
})

test('a project that reads many large values leaves connections to the others', async () => {
  const waits = statement<{ done: boolean }>('', 'select true as done from pg_advisory_xact_lock_shared($2) where $1::text is not null', {
    allProjects: 'reads no table',
  })
  const lock = await holder(world)
  await lock.run('select pg_advisory_xact_lock(88)')
  const busy = Array.from({ length: 20 }, () => world.db.large.run(waits, ['prj_busy', 88]))
  expect(await world.db.large.run(waits, ['prj_other', 89])).toEqual([{ done: true }])
  await lock.commit()
  expect(await Promise.all(busy)).toHaveLength(20)
})

const locked = statement<{ done: boolean }>('', 'select pg_advisory_xact_lock($2::int) is not null as done, $1::text as project_id')

describe.each(['scans', 'lists'] as const)('%s', (kind) => {
  test('of one project leave turns to those of others', async () => {
    const held = await holder(world)
    await held.run('select pg_advisory_xact_lock(1)')
    const waiting = Array.from({ length: 6 }, () => world.db[kind].run(locked, ['prj_busy', 1]))
    await held.waitedFor()
    for (let call = 0; call < 3; call++) expect(await world.db[kind].run(locked, ['prj_other', 2])).toMatchObject([{ done: true }])
    await held.commit()
    for (const rows of await Promise.all(waiting)) expect(rows).toMatchObject([{ done: true }])
  })

  test('of all projects of one account leave turns to those of others', async () => {
    const held = await holder(world)
    await held.run('select pg_advisory_xact_lock(1)')
    const waiting = Array.from({ length: 20 }, (_, at) => world.db.of('usr_busy')[kind].run(locked, [`prj_${at}`, 1]))
    await held.waitedFor()
    expect(await world.db.of('usr_other')[kind].run(locked, ['prj_other', 2])).toMatchObject([{ done: true }])
    expect(await world.db[kind].run(locked, ['prj_another', 2])).toMatchObject([{ done: true }])
    await held.commit()
    for (const rows of await Promise.all(waiting)) expect(rows).toMatchObject([{ done: true }])
  })

  test('that waited 15 s for their turn are not begun any more', async () => {
    const held = await holder(world)
    await held.run('select pg_advisory_xact_lock(1)')
    const running = [1, 2].map(() => world.db[kind].run(locked, ['prj_busy', 1]))
    await held.waitedFor()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const late = expect(world.db[kind].run(locked, ['prj_busy', 1])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await vi.advanceTimersByTimeAsync(15_001)
    await late
    vi.useRealTimers()
    await held.commit()
    await Promise.all(running)
    expect(await world.db[kind].run(locked, ['prj_busy', 1])).toMatchObject([{ done: true }])
  })
})

test('a connection that ends during a query of Prisma fails it as unavailable, and the next one works', async () => {
  const { projectId } = await freshProject(world)
  const held = await holder(world)
  await held.run('lock table templates in access exclusive mode')
  const asked = world.db.prisma.template.count({ where: { projectId } }).catch((error: unknown) => error)
  await held.terminate(await held.waitedFor())
  const failure = await asked
  expect([failure, isDatabaseUnavailable(failure)]).toEqual([expect.any(Error), true])
  await held.commit()
  expect(await world.db.prisma.template.count({ where: { projectId } })).toBe(0)
})

test('a server whose socket does not exist is unavailable; another file that does not exist says nothing about it', async () => {
  const nowhere = join(await freshFolder(), 'nothing')
  const database = openDatabase(`postgresql://postgres@/postgres?host=${nowhere}`, 1, () => undefined)
  expect(await database.run(backend, []).catch(isDatabaseUnavailable)).toBe(true)
  await database.close()
  expect(await readFile(nowhere).catch(isDatabaseUnavailable)).toBe(false)
})

test('a process that may have no more files for a connection cannot reach the database at the moment; for another file it says nothing', () => {
  const failure = (more: object) => Object.assign(new Error('too many open files'), { code: 'EMFILE' }, more)
  expect(isDatabaseUnavailable(failure({ syscall: 'connect', address: '127.0.0.1', port: 5432 }))).toBe(true)
  expect(isDatabaseUnavailable(failure({ syscall: 'open', path: '/tmp/picture' }))).toBe(false)
})

test.each([
  ['53000', true],
  ['53100', true],
  ['53200', true],
  ['53300', true],
  ['53400', false],
  ['54000', false],
])('whether the database is unavailable at the moment to a statement that fails with %s: %s', async (state, isUnavailable) => {
  const failing = statement('', `do $$ begin raise exception 'no room' using errcode = '${state}'; end $$`, { allProjects: 'a test' })
  const statements = [
    () => world.db.run(failing, []),
    () => world.db.transaction((tx) => tx.run(failing, [])),
    () => world.db.prisma.$executeRawUnsafe(failing.text),
  ]
  for (const run of statements) {
    const failed = run().then(() => 'it ran', isDatabaseUnavailable)
    expect(await failed).toBe(isUnavailable)
  }
})

test('a database that is out of disk or memory can be reached', () => {
  for (const code of ['53000', '53100', '53200']) expect(isDatabaseUnreachable(Object.assign(new Error('no room'), { code }))).toBe(false)
  expect(isDatabaseUnreachable(Object.assign(new Error('too many connections'), { code: '53300' }))).toBe(true)
})
