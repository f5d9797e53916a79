import { restAfterRun } from './callers.ts'
import type { Ctx } from './context.ts'

const pieceBytes = 1_048_576
// About what the thread takes to read a piece: Postgres sends it as text of twice its length.
const pieceMs = 8

/**
 * The octets of a stored value, which has so many bytes, in pieces of 1 MB between which others are answered; null when it was removed
 * meanwhile.
 *
 * @param read returns so many octets from the `from`th on, counted from 1
 */
export async function readOctets(
  ctx: Ctx,
  bytes: number,
  read: (from: number, count: number) => Promise<{ piece: Buffer }[]>,
): Promise<Buffer[] | null> {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes; at += pieceBytes) {
    const [found] = await read(at + 1, pieceBytes)
    if (!found) return null
    pieces.push(found.piece)
    if (bytes > pieceBytes) await restAfterRun(ctx, pieceMs)
  }
  return pieces
}
