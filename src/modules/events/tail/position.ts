import { badCursor } from '../../../kit/paging.ts'

/** A position in the log: directly after the line it names, in the order in which lines become visible to everyone. */
export interface Position {
  epoch: number
  xid: bigint
  id: string
}

const shape = /^(\d{1,5})\.(\d{1,20})\.((?:evt_[0-9a-hjkmnp-tv-z]{26})?)$/
const maxXid = 2n ** 64n

/** Compares two positions: negative when `a` is before `b`, 0 when they are equal, positive when it is after. */
export function compare(a: Position, b: Position): number {
  if (a.epoch !== b.epoch) return a.epoch - b.epoch
  if (a.xid !== b.xid) return a.xid < b.xid ? -1 : 1
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}

/** The opaque cursor of a position. */
export function toCursor({ epoch, xid, id }: Position): string {
  return Buffer.from(`${epoch}.${xid}.${id}`).toString('base64url')
}

/** The position of a cursor; throws BAD_REQUEST for a text that is not a cursor. */
export function fromCursor(cursor: string): Position {
  const [, epoch = '', xid = '', id = ''] = shape.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (epoch === '' || Number(epoch) > 32_767 || BigInt(xid) >= maxXid) throw badCursor()
  return { epoch: Number(epoch), xid: BigInt(xid), id }
}
