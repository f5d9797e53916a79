import { randomBytes } from 'node:crypto'
import { link, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isSame, PostgresError } from './running.ts'

// What a socket's address may have is 104 to 108 bytes, by the system.
const maxAddressBytes = 100
const attempts = 5
const settledMs = 100
const answerMs = 1_000
// Nobody listens there any more, it has gone meanwhile, or it is no socket.
const none = ['ECONNREFUSED', 'ENOENT', 'ENOTSOCK']
// A file system that has no sockets, or no links to them.
const unsupported = ['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EINVAL', 'ENOSYS', 'ENAMETOOLONG']

/**
 * Holds a data folder for this process, until what it returns is called or the process ends in any way: while one holds it, a start of
 * another one fails with PostgresError, also in another container, which sees no process of this one. It is a socket in the folder that
 * answers for as long as its process lives. Where the file system has none, nothing is held, and `report` is called with a sentence.
 */
export async function holdFolder(folder: string, report?: (sentence: string) => void): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  const reach = await reachable(folder)
  const path = join(reach.folder, 'in-use')
  const draft = join(reach.folder, `in-use.${randomBytes(6).toString('hex')}`)
  const release = async (server?: Server): Promise<void> => {
    await new Promise<void>((done) => (server ? server.close(() => done()) : done()))
    await rm(draft, { force: true })
    await reach.close()
  }
  let server: Server | undefined
  try {
    server = await listen(draft)
    await take(draft, path, folder)
    // Another start may have found what was there before, and put this one aside for a moment; then a third one may have taken the name.
    await sleep(settledMs)
    if (!(await isSame(draft, path))) throw inUse(folder)
    // A process that is killed would leave it.
    await rm(draft)
  } catch (error) {
    await release(server)
    if (!unsupported.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    report?.(notHeld(folder))
    return async () => undefined
  }
  const held = server
  return async () => {
    // Before the socket ends: the next one to hold it may have taken its place right after.
    await rm(path, { force: true })
    await release(held)
  }
}

// The name is a second link to a socket that answers already, so that whoever finds it can ask. What does not answer is put aside
// first, and asked once more there: another start may have taken the name meanwhile.
async function take(draft: string, path: string, folder: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const taken = await link(draft, path).catch((error: NodeJS.ErrnoException) => error)
    if (taken === undefined) return
    if (taken.code !== 'EEXIST') throw taken
    if (attempt > attempts) throw inUse(folder)
    if (await isFolder(path)) throw new PostgresError(`${resolve(folder, 'in-use')} is a folder: rename it, Postwire needs the name.`)
    const holder = await holderAt(path)
    if (holder !== undefined) throw inUse(folder, holder)
    const aside = `${draft}.old`
    const moved = await rename(path, aside).catch((error: NodeJS.ErrnoException) => error)
    if (moved !== undefined) continue
    const other = await holderAt(aside)
    if (other !== undefined) await link(aside, path).catch(unlessTaken)
    await rm(aside, { force: true })
    if (other !== undefined) throw inUse(folder, other)
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() ?? false
}

function unlessTaken(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

function notHeld(folder: string): string {
  return `The file system of the data folder ${resolve(folder)} has no sockets: nothing keeps another Postwire from using it at the same time.`
}

function inUse(folder: string, holder = ''): PostgresError {
  const process = holder === '' ? '' : ` (process ${holder})`
  return new PostgresError(
    `The data folder ${resolve(folder)} is in use by another Postwire${process}: stop it, or set another DATA_DIR or a DATABASE_URL here.`,
  )
}

// The process that answers at a socket, by its id, or empty where it does not say it in time; undefined when none does. Sockets are
// reached by the file system, so by every process that sees the folder.
function holderAt(path: string): Promise<string | undefined> {
  return new Promise((done, fail) => {
    let said = ''
    const socket = connect(path)
    socket.setEncoding('utf8').setTimeout(answerMs, () => socket.destroy())
    socket.on('data', (text: string) => {
      said += text
    })
    socket.once('connect', () => socket.once('close', () => done(said)))
    socket.once('error', (error: NodeJS.ErrnoException) => (none.includes(error.code ?? '') ? done(undefined) : fail(error)))
  })
}

function listen(path: string): Promise<Server> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.on('error', () => undefined).end(String(process.pid)))
    server.once('error', fail)
    server.listen({ path }, () => {
      server.unref()
      done(server)
    })
  })
}

// A folder whose path is too long for the address of a socket is reached through its open handle, which Linux has as a path.
async function reachable(folder: string): Promise<{ folder: string; close(): Promise<void> }> {
  const longest = `${resolve(folder)}/in-use.0123456789ab.old`
  if (Buffer.byteLength(longest) <= maxAddressBytes) return { folder: resolve(folder), close: async () => undefined }
  const handle = await open(folder)
  return { folder: `/proc/self/fd/${handle.fd}`, close: () => handle.close() }
}
