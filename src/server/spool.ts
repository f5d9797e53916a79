import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Failure } from '../kit/errors.ts'

/** What arrives from a caller, in a file that ends with this object or with the process. */
export interface Spooled {
  bytes: number
  /** Everything, in memory. */
  read(): Promise<Buffer>
  close(): Promise<void>
}

/**
 * Writes what is left of a stream into a temporary file (TMPDIR), after what was read of it before. Null as soon as there are
 * more than `limit` bytes; rejects when the stream ends early, and with SERVICE_UNAVAILABLE when the disk is full.
 */
export async function spool(source: Readable, before: Buffer[], limit: number): Promise<Spooled | null> {
  const path = join(tmpdir(), `postwire-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  // Without a name it is gone when it is closed, also by a crash.
  await unlink(path)
  let bytes = 0
  let complete = false
  const append = async (chunk: Buffer): Promise<boolean> => {
    bytes += chunk.length
    if (bytes <= limit) await file.appendFile(chunk)
    return bytes <= limit
  }
  try {
    for (const chunk of before) if (!(await append(chunk))) return null
    // The connection has to stay open for the answer.
    for await (const chunk of source.iterator({ destroyOnReturn: false })) if (!(await append(chunk))) return null
    complete = true
  } catch (error) {
    throw isFull(error) ? new Failure('SERVICE_UNAVAILABLE', 'The server has no room for so large a body now.', retryLater) : error
  } finally {
    if (!complete) await file.close()
  }
  return {
    bytes,
    async read() {
      const all = Buffer.allocUnsafeSlow(bytes)
      for (let at = 0; at < bytes; ) {
        const { bytesRead } = await file.read(all, at, bytes - at, at)
        if (bytesRead === 0) throw new Error('A spooled body is shorter than what was written')
        at += bytesRead
      }
      return all
    },
    close: () => file.close(),
  }
}

const retryLater = { headers: { 'Retry-After': '60' } }

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
