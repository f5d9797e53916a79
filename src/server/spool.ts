import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Failure } from '../kit/errors.ts'
import type { Log } from '../kit/log.ts'
import { gatherOctets, giveBack } from '../kit/octets.ts'

/** What arrives from a caller, in a file that ends with this object or with the process. */
export interface Spooled {
  bytes: number
  /** Everything, in memory. */
  read(): Promise<Buffer>
  close(): Promise<void>
}

interface Plan {
  before: Buffer
  limit: number
  /** Whether so many more bytes may be written, which are then so many in all; without it always. */
  hasRoom?: (bytes: number, inAll: number) => boolean
  /** Called when so many more bytes have arrived: what it returns is waited for before more are read. */
  onArrived?: (bytes: number) => Promise<void> | undefined
  /** Called when what was read before is in the file, and no longer in memory but for some KB. */
  onStored?: () => void
  /** Called when the file is closed. */
  onClose?: () => void
}

const writtenAtOnce = 64 * 1024

/**
 * Writes what is left of a stream into a temporary file (TMPDIR), after what was read of it before. Null as soon as there are
 * more than `limit` bytes; rejects as the stream does when that ends early, and with SERVICE_UNAVAILABLE when there is no room
 * and, logged with its cause, when the file cannot be made or written, such as when the disk is full.
 */
export async function spool(
  log: Log,
  source: Readable,
  { before, limit, hasRoom, onArrived, onStored, onClose }: Plan,
): Promise<Spooled | null> {
  const file = await openNameless().catch(unavailable(log))
  let bytes = 0
  let complete = false
  const gathered = gatherOctets()
  let waiting = 0
  const close = (): Promise<void> => file.close().finally(onClose)
  const write = async (): Promise<void> => {
    waiting = 0
    const octets = gathered.take()
    await file.appendFile(octets).catch(unavailable(log))
    giveBack(octets)
  }
  const append = async (chunk: Buffer): Promise<boolean> => {
    bytes += chunk.length
    if (bytes > limit) return false
    if (hasRoom && !hasRoom(chunk.length, bytes)) throw noRoom()
    gathered.add(chunk)
    waiting += chunk.length
    if (waiting >= writtenAtOnce) await write()
    await onArrived?.(chunk.length)
    return true
  }
  try {
    if (!(await append(before))) return null
    onStored?.()
    // The connection has to stay open for the answer.
    for await (const chunk of source.iterator({ destroyOnReturn: false })) if (!(await append(chunk))) return null
    await write()
    complete = true
  } finally {
    if (!complete) await close()
  }
  return { bytes, read: () => readAll(file, bytes).catch(unavailable(log)), close }
}

// The name of a file is removed a moment after it was made, also by other processes.
const leftMs = 60_000
const ownName = /^postwire-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Removes the empty files that a crash has left between making a file and removing its name; what cannot be removed is logged. */
export async function removeLeftFiles(log: Log): Promise<void> {
  const unremoved = (err: unknown): void => log.warn({ err }, 'an empty file in TMPDIR could not be removed')
  const names = await readdir(tmpdir()).catch((err: unknown) => {
    unremoved(err)
    return []
  })
  for (const name of names.filter((one) => ownName.test(one))) await removeLeft(join(tmpdir(), name)).catch(unremoved)
}

async function removeLeft(path: string): Promise<void> {
  const { size, mtimeMs } = await stat(path)
  if (size === 0 && Date.now() - mtimeMs > leftMs) await unlink(path)
}

// Without a name a file is gone when it is closed, also by a crash.
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `postwire-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

async function readAll(file: FileHandle, bytes: number): Promise<Buffer> {
  const all = Buffer.allocUnsafeSlow(bytes)
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await file.read(all, at, bytes - at, at)
    if (bytesRead === 0) throw new Error('A spooled body is shorter than what was written')
    at += bytesRead
  }
  return all
}

// Only the operator can do something about it.
function unavailable(log: Log): (error: unknown) => never {
  return (error) => {
    log.error({ err: error }, 'a large body could not be stored in TMPDIR')
    throw noRoom('60')
  }
}

/** The failure of a body for which there is no room; it can be sent again after some seconds. */
export function noRoom(seconds = '10'): Failure {
  return new Failure('SERVICE_UNAVAILABLE', 'The server has no room for so large a body now.', {
    suggestion: `Nothing was changed; try again in ${seconds} seconds, with fewer large requests at a time.`,
    headers: { 'Retry-After': seconds, Connection: 'close' },
  })
}
