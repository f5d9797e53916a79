import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/kit/postgres/db.ts'
import { explainStartError, findSecret } from '../../src/start/start.ts'
import { freshFolder } from '../help/folder.ts'
import { startProgram } from '../help/program.ts'
import { root } from '../help/sources.ts'

const reasonOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error)

test('a start that fails for a file that does not exist says which, and nothing of a database', async () => {
  const path = join(await freshFolder(), 'demo.json')
  const sentence = explainStartError(await reasonOf(readFile(path)))
  expect(sentence).toMatch(/^A file could not be used: ENOENT: no such file or directory/)
  expect(sentence).toContain(path)
})

test('a start that fails because another program has taken the port meanwhile says so', async () => {
  const [first, second] = [createServer(), createServer()]
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve))
  const { port } = first.address() as AddressInfo
  const failure = await reasonOf(new Promise((_, reject) => second.once('error', reject).listen(port, '127.0.0.1')))
  expect(explainStartError(failure)).toBe(
    `Port ${port} of 127.0.0.1 is in use: stop the program that listens there, or set PORT to another one (PORT=0 takes a free one).`,
  )
  await new Promise((resolve) => first.close(resolve))
})

test('a start that fails because the socket of a server does not exist says that the database cannot be reached', async () => {
  const folder = await freshFolder()
  const database = openDatabase(`postgresql://postgres@/postgres?host=${folder}`, 1, () => undefined)
  const failure = await reasonOf(database.prisma.$queryRawUnsafe('select 1'))
  expect(explainStartError(failure)).toMatch(/^The database at DATABASE_URL cannot be reached: /)
  await database.close()
})

test('a start that fails because a server answers nothing says that the database cannot be reached', async () => {
  const silent = createServer((socket) => void socket.resume())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const client = new pg.Client({ connectionString: `postgresql://postgres@127.0.0.1:${port}/postgres`, connectionTimeoutMillis: 50 })
  const failure = await reasonOf(client.connect())
  expect(explainStartError(failure)).toMatch(/^The database at DATABASE_URL cannot be reached: /)
  await new Promise((resolve) => silent.close(resolve))
})

/** Starts the program below; `ended` is how it has ended. */
async function startNeverClosing() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', neverClosing], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return { child, ended }
}

test('a process that does not close within 10 s ends, also while native code works that nothing can cut short', async () => {
  const { child, ended } = await startNeverClosing()
  child.kill('SIGTERM')
  expect(await ended).toBe('SIGKILL')
})

test('a second signal, a second after the first one, ends such a process at once', async () => {
  const { child, ended } = await startNeverClosing()
  const again = setInterval(() => child.kill('SIGINT'), 100)
  expect(await ended).toBe('SIGKILL')
  clearInterval(again)
  expect(child.stderr.read()).toBeNull()
})

// Takes minutes of a thread of libuv.
const neverClosing = `
  import { pbkdf2 } from 'node:crypto'
  import { listenForStop } from '${new URL('../../src/start/start.ts', import.meta.url).href}'
  listenForStop()
  setInterval(() => {}, 1_000)
  pbkdf2('secret', 'salt', 200_000_000, 64, 'sha512', () => {})
  console.log('ready')
`

test('a start with a certificate that cannot be read ends before it looks for its database', async () => {
  const settings = {
    BOUNCE_PORT: '1',
    RETURN_PATH_HOST: 'mail.example.com',
    BOUNCE_TLS_CERT: '/nowhere/cert.pem',
    BOUNCE_TLS_KEY: '/nowhere/key.pem',
  }
  const env = { ...settings, ROLE: 'worker', DATABASE_URL: 'postgresql://postgres@127.0.0.1:1/postgres' }
  const program = startProgram(process.execPath, ['src/start/launch.js'], { cwd: root, env })
  expect([await program.ended, program.stderr()]).toEqual([1, expect.stringMatching(/BOUNCE_TLS_CERT: the file cannot be read: ENOENT/)])
})

test('of processes that start at once with one folder each has the same secret, whole', async () => {
  const folder = await freshFolder()
  const find = `
    import { findSecret } from '${new URL('../../src/start/start.ts', import.meta.url).href}'
    const all = await Promise.all(Array.from({ length: 100 }, (_, n) => findSecret({ DATA_DIR: '${folder}/' + n })))
    console.log(JSON.stringify(all))
  `
  const programs = [1, 2, 3].map(() => startProgram(process.execPath, ['--input-type=module', '-e', find], { cwd: root, env: {} }))
  expect(await Promise.all(programs.map(({ ended }) => ended))).toEqual([0, 0, 0])
  const [first = [], ...others] = programs.map(({ stdout }) => JSON.parse(stdout()) as string[])
  expect(first.filter((secret) => secret.length < 32)).toEqual([])
  expect(others).toEqual([first, first])
  expect(await readdir(join(folder, '0'))).toEqual(['secret'])
})

test('a start in a folder that cannot be written to says so, and nothing of ports', async () => {
  const listening = createServer().listen({ path: join(await freshFolder(), 'missing', 'in-use') })
  const [error] = (await once(listening, 'error')) as [NodeJS.ErrnoException]
  expect(explainStartError(error)).toMatch(
    /^Nothing can be written to .*missing \(listen \w+.*\): set DATA_DIR to a folder of this user\.$/,
  )
})

test('a secret that exists is read, also where nothing can be written beside it', async () => {
  const folder = await freshFolder()
  await writeFile(join(folder, 'secret'), 'x'.repeat(64))
  await chmod(folder, 0o500)
  const before = await stat(folder)
  expect(await findSecret({ DATA_DIR: folder })).toBe('x'.repeat(64))
  // Not even as a user for whom permissions do not count.
  expect((await stat(folder)).mtimeMs).toBe(before.mtimeMs)
})
