import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmod, copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type EmbeddedPostgres, findPostgres, startPostgres } from '../../../src/kit/postgres/embedded.ts'
import { findFolders } from '../../../src/kit/postgres/folders.ts'
import { freshFolder } from '../../help/folder.ts'
import { freshDataDir } from '../../help/processes.ts'
import { query } from '../../help/query.ts'
import { until } from '../../help/until.ts'

const isRoot = process.getuid?.() === 0
// Everybody may enter it: so under root too a cluster is in its data folder.
const place = await freshFolder()
await chmod(place, 0o755)
const started: EmbeddedPostgres[] = []
afterAll(() => Promise.all(started.map((it) => it.stop())))

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const postgres = await startPostgres({ dataDir })
  started.push(postgres)
  return postgres
}

const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to])
const nameIn = async ({ url }: EmbeddedPostgres) => (await query(url, 'select name from names'))[0]?.[0]
const write = ({ url }: EmbeddedPostgres, name: string) => query(url, `update names set name = '${name}'`)
const pointerOf = (dataDir: string) => join(dataDir, 'postgres.path')
const lockOf = (home: string) => join(home, 'cluster', 'postmaster.pid')

async function fill(dataDir: string): Promise<string> {
  const postgres = await startPostgres({ dataDir })
  await query(postgres.url, `create table names as select 'first' as name`)
  await postgres.stop()
  return dataDir
}

/** A stopped data folder as earlier versions left it under root: with the absolute path of the home in it. */
async function inside(name: string): Promise<string> {
  const dataDir = await fill(join(place, name))
  await writeFile(pointerOf(dataDir), join(dataDir, 'postgres'))
  return dataDir
}

/** A stopped data folder of an earlier version whose home is elsewhere. */
async function outside(name: string): Promise<{ dataDir: string; home: string }> {
  const dataDir = await fill(join(place, name))
  const home = join(place, `${name}-home`)
  await rename(join(dataDir, 'postgres'), home)
  await writeFile(pointerOf(dataDir), home)
  return { dataDir, home }
}

/** Runs the server of a data folder as if the Postwire that started it had been killed. */
async function orphan(dataDir: string, home: string): Promise<{ hasEnded(): boolean; end(): void }> {
  const { native, uid } = await findFolders(dataDir)
  const record = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8'))
  await writeFile(join(dataDir, 'postgres.json'), JSON.stringify({ ...record, owner: spawnSync('true').pid }))
  const options = ['-D', join(home, 'cluster'), '-c', `port=${record.port}`, '-c', 'unix_socket_directories=']
  const user = uid === undefined ? {} : { uid, gid: uid }
  const server = spawn(join(native, 'bin', 'postgres'), options, { cwd: '/', stdio: 'ignore', ...user })
  await until(async () => (await readFile(lockOf(home), 'utf8').catch(() => '')).includes('ready'))
  return { hasEnded: () => server.exitCode !== null, end: () => void server.kill('SIGINT') }
}

describe('a cluster in its data folder', () => {
  test('a copy has its own, beside the original, also with the lock file of its server', async () => {
    const one = await inside('one')
    const original = await start(one)
    const two = join(place, 'two')
    await original.stop()
    copy(one, two)
    const first = await start(one)
    await copyFile(lockOf(join(one, 'postgres')), lockOf(join(two, 'postgres')))
    const second = await start(two)
    await write(second, 'second')
    expect([await nameIn(first), await nameIn(second)]).toEqual(['first', 'second'])
    expect(second.url).not.toBe(first.url)
    expect(await findPostgres(one)).toBe(first.url)
  })

  test('a moved data folder keeps it', async () => {
    const moved = join(place, 'moved')
    await rename(await inside('old'), moved)
    const postgres = await start(moved)
    expect(await nameIn(postgres)).toBe('first')
    await postgres.stop()
  })

  test('one that was moved while its server runs is in use', async () => {
    const moved = join(place, 'moved while it runs')
    const dataDir = await fill(join(place, 'runs'))
    const postgres = await start(dataDir)
    await rename(dataDir, moved)
    const record = JSON.parse(await readFile(join(moved, 'postgres.json'), 'utf8'))
    await writeFile(join(moved, 'postgres.json'), JSON.stringify({ ...record, owner: process.ppid }))
    await expect(startPostgres({ dataDir: moved })).rejects.toThrow(`The data folder ${moved} is in use by another Postwire`)
    expect(await nameIn(postgres)).toBe('first')
  })

  test('a server that has outlived its Postwire is ended, and its database used', async () => {
    const dataDir = await fill(join(place, 'orphaned'))
    const server = await orphan(dataDir, join(dataDir, 'postgres'))
    const postgres = await start(dataDir)
    expect(await nameIn(postgres)).toBe('first')
    expect(server.hasEnded()).toBe(true)
  })

  test('moved to where the user of the cluster may not go, it is refused with what to do', async () => {
    const closed = join(place, 'closed')
    await mkdir(closed, { mode: 0o700 })
    const moved = join(closed, 'data')
    await rename(await inside('before'), moved)
    const result = await start(moved).then(nameIn, (error: Error) => error.message)
    expect(result).toMatch(isRoot ? /^PostgreSQL cannot open .*\/closed\/data\/postgres\/cluster: .*chmod o\+x/ : 'first')
  })
})

describe('a cluster outside of its data folder', () => {
  test('of an earlier version is used, and knows its data folder from then on', async () => {
    const { dataDir, home } = await outside('earlier')
    expect(await nameIn(await start(dataDir))).toBe('first')
    expect(await readFile(join(home, 'data-dir.path'), 'utf8')).toBe(dataDir)
  })

  test('a copy of the data folder is refused, whether the original runs or not, which nothing happens to', async () => {
    const { dataDir, home } = await outside('original')
    const copied = join(place, 'copied')
    copy(dataDir, copied)
    const original = await start(dataDir)
    const refused = expect.stringMatching(`^The database in ${home} belongs to the data folder ${dataDir}, and ${copied} is a copy`)
    const tried = () => startPostgres({ dataDir: copied }).catch((error: Error) => error.message)
    expect(await tried()).toEqual(refused)
    expect(await nameIn(original)).toBe('first')
    await original.stop()
    expect(await tried()).toEqual(refused)
    expect(await nameIn(await start(dataDir))).toBe('first')
  })

  test('a copy of both, with the path written down, is a database of its own, and so is one started empty', async () => {
    const { dataDir, home } = await outside('both')
    await (await startPostgres({ dataDir })).stop()
    const [copied, empty] = [join(place, 'both copied'), join(place, 'both empty')]
    for (const folder of [copied, empty]) copy(dataDir, folder)
    copy(home, `${home}-copied`)
    await writeFile(pointerOf(copied), `${home}-copied\n`)
    await rm(pointerOf(empty))
    const servers = [await start(dataDir), await start(copied), await start(empty)] as const
    await write(servers[1], 'second')
    expect([await nameIn(servers[0]), await nameIn(servers[1])]).toEqual(['first', 'second'])
    await expect(nameIn(servers[2])).rejects.toThrow('relation "names" does not exist')
  })

  test('a moved data folder keeps it', async () => {
    const { dataDir } = await outside('here')
    await (await startPostgres({ dataDir })).stop()
    await rename(dataDir, join(place, 'there'))
    expect(await nameIn(await start(join(place, 'there')))).toBe('first')
  })

  test('a server that runs there, and may be that of another data folder, is not ended', async () => {
    const { dataDir, home } = await outside('unknown')
    const server = await orphan(await fill(join(place, 'neighbour')), home)
    await expect(startPostgres({ dataDir })).rejects.toThrow(`runs in ${home}, perhaps for another data folder than ${dataDir}`)
    expect(server.hasEnded()).toBe(false)
    server.end()
    await until(async () => server.hasEnded())
    expect(await nameIn(await start(dataDir))).toBe('first')
  })

  test('when it is gone, it can be moved back, and the database can be started empty', async () => {
    const { dataDir, home } = await outside('gone')
    await rename(home, `${home}-elsewhere`)
    const pointer = pointerOf(dataDir)
    await expect(startPostgres({ dataDir })).rejects.toThrow(
      `The database of ${dataDir} is in ${home}, and that folder no longer exists: move it back, or write the path where it is now to ${pointer}, or remove ${pointer} to start with an empty database.`,
    )
    await rename(`${home}-elsewhere`, home)
    const back = await startPostgres({ dataDir })
    expect(await nameIn(back)).toBe('first')
    await back.stop()
    await rm(pointer)
    await expect(nameIn(await start(dataDir))).rejects.toThrow('relation "names" does not exist')
  })
})

test('a copy of a data folder that only its user may enter has a database of its own, or is refused', async () => {
  const dataDir = await freshDataDir()
  await fill(dataDir)
  const copied = join(await freshFolder(), 'copied')
  copy(dataDir, copied)
  const original = await start(dataDir)
  const result = await start(copied).then(nameIn, (error: Error) => error.message)
  expect(result).toMatch(isRoot ? /^The database in .* belongs to the data folder/ : 'first')
  expect(await nameIn(original)).toBe('first')
})

// Under another user they are where npm has installed them.
test.runIf(isRoot).each(['"', '$', '`', '\n'])(
  'a path with %j, at which the programs of PostgreSQL cannot run, is refused',
  async (character) => {
    await expect(findFolders(join(place, `a${character}b`))).rejects.toThrow(/set a DATA_DIR without ", \$, ` and line breaks\.$/)
  },
)
