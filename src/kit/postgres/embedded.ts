import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { holdFolder } from './folder-lock.ts'
import { findFolders, type PostgresFolders } from './folders.ts'
import { isAlive, PostgresError, readIfExists, readRecord, type ServerRecord, serverOf, writeRecord } from './running.ts'

/** A running PostgreSQL that this process has started. */
export interface EmbeddedPostgres {
  /** Connection URL with user and password, on 127.0.0.1. */
  url: string
  /** Current process id of the postmaster. */
  pid(): number
  /** Fast shutdown: open transactions are rolled back, everything committed is on disk. Takes at most 10 s. */
  stop(): Promise<void>
}

/** How an embedded PostgreSQL is started. */
export interface PostgresPlan {
  dataDir: string
  /** Settings of postgresql.conf, over the defaults here. */
  settings?: { [name: string]: string }
  /** Called with a sentence when the server has ended unexpectedly, and when nothing can hold the data folder for this process. */
  report?: (sentence: string) => void
}

const user = 'postwire'
const database = 'postwire'
const startMs = 60_000
const stopMs = 10_000
const restartMs = 200
const attempts = 3

/**
 * Starts the embedded PostgreSQL 18 of a data folder: creates the cluster the first time (UTF-8, SCRAM passwords, fsync
 * on), listens on a free port of 127.0.0.1 and waits until it is ready. A server that ends unexpectedly is started again on
 * the same port. It ends with this process, also when this process is killed. Throws PostgresError with a sentence.
 */
export async function startPostgres(plan: PostgresPlan): Promise<EmbeddedPostgres> {
  const release = await holdFolder(plan.dataDir, plan.report)
  try {
    const { stop, ...started } = await startHeld(plan)
    return { ...started, stop: () => stop().finally(release) }
  } catch (error) {
    await release()
    throw error
  }
}

// In a data folder that no other process holds.
async function startHeld(plan: PostgresPlan): Promise<EmbeddedPostgres> {
  const folders = await findFolders(plan.dataDir)
  const previous = await readRecord(folders.record)
  await stopOrphan(folders, previous, plan.dataDir)
  const password = previous?.password ?? randomBytes(24).toString('hex')
  if (!(await hasCluster(folders))) await createCluster(folders, password)
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(attempt === 1 ? previous?.port : undefined)
    await writeRecord(folders.record, { password, port, owner: process.pid })
    const start = () => launch(folders, port, plan.settings ?? {})
    try {
      return { url: addressOf({ password, port }), ...keepRunning(await start(), start, plan.report) }
    } catch (error) {
      if (attempt >= attempts) throw error
    }
  }
}

/** The connection URL of the embedded PostgreSQL of a data folder while another process runs it, otherwise null. */
export async function findPostgres(dataDir: string): Promise<string | null> {
  const folders = await findFolders(dataDir)
  const record = await readRecord(folders.record)
  if (record === undefined || !isAlive(record.owner)) return null
  return (await serverOf(folders.cluster)) === undefined ? null : addressOf(record)
}

function addressOf({ password, port }: Pick<ServerRecord, 'password' | 'port'>): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
}

// A server that ends unexpectedly (killed, out of memory) is started again, as an init system would do.
function keepRunning(first: ChildProcess, start: () => Promise<ChildProcess>, report: PostgresPlan['report']) {
  let child = first
  let stopping = false
  let restart = Promise.resolve()
  const relaunch = async (): Promise<void> => {
    report?.('The embedded PostgreSQL ended unexpectedly and is being restarted.')
    while (!stopping) {
      await sleep(restartMs)
      const next = await start().catch((error: Error) => report?.(error.message))
      if (next) return guard(next)
    }
  }
  const guard = (next: ChildProcess): void => {
    child = next
    child.once('exit', () => {
      if (!stopping) restart = relaunch()
    })
  }
  guard(first)
  return {
    pid: () => child.pid as number,
    async stop() {
      stopping = true
      await restart
      await stop(child)
    },
  }
}

async function hasCluster(folders: PostgresFolders): Promise<boolean> {
  return (await readIfExists(join(folders.cluster, 'PG_VERSION'))) !== undefined
}

// Stops a server that has outlived the process that started it. Removes a lock file whose server no longer runs, because
// its process id may now belong to another process (as after every restart of a container).
async function stopOrphan(folders: PostgresFolders, previous: ServerRecord | undefined, dataDir: string): Promise<void> {
  const lock = join(folders.cluster, 'postmaster.pid')
  const deadline = Date.now() + stopMs
  for (let asked = false; ; asked = true) {
    const pid = await serverOf(folders.cluster)
    if (pid === undefined) return rm(lock, { force: true })
    if (previous && previous.owner !== process.pid && isAlive(previous.owner) && !asked) {
      throw new PostgresError(
        `The data folder ${resolve(dataDir)} is in use by another Postwire (process ${previous.owner}): stop it, or set another DATA_DIR or a DATABASE_URL here.`,
      )
    }
    if (Date.now() > deadline) throw new PostgresError(`PostgreSQL (process ${pid}) of ${folders.cluster} does not stop.`)
    if (!asked) process.kill(pid, 'SIGINT')
    await sleep(50)
  }
}

async function createCluster(folders: PostgresFolders, password: string): Promise<void> {
  const parent = dirname(folders.cluster)
  // A name of its own: the initdb of a start that was killed may still be at work.
  const draft = join(parent, `${draftName}-${randomBytes(6).toString('hex')}`)
  const secret = `${draft}-password`
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const left = (await readdir(parent)).filter((name) => name.startsWith(draftName))
  await mkdir(draft, { mode: 0o700 })
  await writeFile(secret, password, { mode: 0o600 })
  if (folders.uid !== undefined) for (const path of [parent, draft, secret]) await chown(path, folders.uid, folders.uid)
  const options = [
    '-D',
    draft,
    '-U',
    user,
    `--pwfile=${secret}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
  ]
  await runAs(folders, 'initdb', options)
  await runAs(folders, 'postgres', ['--single', '-D', draft, 'postgres'], `create database ${database}\n`)
  await rm(secret)
  await chmod(draft, 0o700)
  // Last, so that an interrupted first start leaves nothing that looks complete.
  await rename(draft, folders.cluster)
  for (const name of left) await rm(join(parent, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

const draftName = 'cluster.new'

function identity(folders: PostgresFolders) {
  const env = { LC_ALL: 'C', TZ: 'UTC' }
  return { cwd: '/', env, ...(folders.uid !== undefined && { uid: folders.uid, gid: folders.uid }) }
}

async function runAs(folders: PostgresFolders, program: string, options: string[], input = ''): Promise<void> {
  // In its own session, so that a Ctrl-C in the terminal does not interrupt it.
  const child = spawn(join(folders.native, 'bin', program), options, {
    ...identity(folders),
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let errorOutput = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errorOutput += chunk.toString()
  })
  child.stdin.end(input)
  const code = await new Promise<number | null>((done, fail) => child.once('error', fail).once('close', done)).catch((cause: Error) => {
    throw new PostgresError(
      `${program} of the embedded PostgreSQL cannot run here (${cause.message}): set DATABASE_URL to a PostgreSQL 18.`,
      { cause },
    )
  })
  if (code !== 0) throw new PostgresError(`${program} of the embedded PostgreSQL failed: ${reasonIn(errorOutput)}`)
}

// What it does afterwards, such as removing what it has written, comes last.
function reasonIn(text: string): string {
  return lastLine(text.match(/^.*(FATAL|error|ERROR):.*$/gm)?.join('\n') ?? text)
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}

async function launch(folders: PostgresFolders, port: number, more: { [name: string]: string }): Promise<ChildProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    jit: 'off',
    // One statement that reads much leaves a processor to the others, and to this process.
    max_parallel_workers: String(Math.max(1, availableParallelism() - 1)),
    max_wal_size: '4GB',
    autovacuum_naptime: '15s',
    ...more,
  }
  const path = join(dirname(folders.cluster), 'postgres.log')
  const file = await open(path, 'w', 0o600)
  const options = ['-D', folders.cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  // In its own session: a Ctrl-C in the terminal reaches this process only, which stops the database last.
  const child = spawn(join(folders.native, 'bin', 'postgres'), options, {
    ...identity(folders),
    detached: true,
    stdio: ['ignore', file.fd, file.fd],
  })
  await file.close()
  child.on('error', () => undefined)
  // Before it is ready: this process may also end while the server is still recovering from a crash.
  watch(child, folders)
  await untilReady(child, folders.cluster, path)
  child.unref()
  return child
}

async function untilReady(child: ChildProcess, cluster: string, log: string): Promise<void> {
  const deadline = Date.now() + startMs
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
      throw new PostgresError(`The embedded PostgreSQL did not start: ${lastLine((await readIfExists(log)) ?? '')}`)
    }
    const lines = (await readIfExists(join(cluster, 'postmaster.pid')))?.split('\n')
    if (Number(lines?.[0]) === child.pid && lines?.[7]?.trim() === 'ready') return
    await sleep(10)
  }
  child.kill('SIGQUIT')
  throw new PostgresError(`The embedded PostgreSQL was not ready after ${startMs / 1000} s; its log is ${log}.`)
}

// A shell that waits for the end of its input, which comes when this process ends in any way.
function watch(child: ChildProcess, folders: PostgresFolders): void {
  if (child.pid === undefined) return
  const script = `read line; kill -INT ${child.pid} 2>/dev/null`
  const watcher = spawn('/bin/sh', ['-c', script], { ...identity(folders), detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  watcher.on('error', () => undefined)
  watcher.unref()
  ;(watcher.stdin as unknown as { unref(): void }).unref()
  child.once('exit', () => watcher.kill('SIGKILL'))
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.ref()
  child.kill('SIGINT')
  const late = setTimeout(() => child.kill('SIGQUIT'), stopMs)
  await ended
  clearTimeout(late)
}

async function freePort(preferred = 0): Promise<number> {
  const server = createServer()
  const port = await new Promise<number>((done, fail) => {
    server.once('error', fail)
    server.listen(preferred, '127.0.0.1', () => done((server.address() as { port: number }).port))
  }).catch((error: Error) => (preferred === 0 ? Promise.reject(error) : freePort()))
  await new Promise((done) => server.close(done))
  return port
}
