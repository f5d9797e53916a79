import { hash, randomFillSync } from 'node:crypto'

/** The kinds of resources and the prefix of their ids. */
export const prefixes = {
  contact: 'cnt',
  email: 'eml',
  event: 'evt',
  template: 'tpl',
  segment: 'seg',
  campaign: 'cmp',
  workflow: 'wfl',
  step: 'stp',
  transition: 'trn',
  execution: 'exe',
  stepExecution: 'stx',
  domain: 'dom',
  project: 'prj',
  user: 'usr',
  session: 'ses',
  invitation: 'inv',
  notification: 'ntf',
  upload: 'upl',
  suspension: 'sus',
  request: 'req',
  content: 'bdy',
  erasure: 'ers',
  job: 'job',
  capturedMail: 'cap',
  claim: 'clm',
} as const

/** A kind of resource that has ids. */
export type IdKind = keyof typeof prefixes

/**
 * What callers do with the ids of each kind: the GraphQL type that `node` finds by them, `id` where they only name something,
 * or null where callers never see them.
 */
export const idUses: Record<IdKind, Capitalize<string> | 'id' | null> = {
  contact: 'Contact',
  email: 'Email',
  event: 'Event',
  template: 'Template',
  segment: 'Segment',
  campaign: 'Campaign',
  workflow: 'Workflow',
  step: 'id',
  transition: 'id',
  execution: 'WorkflowExecution',
  stepExecution: 'id',
  domain: 'Domain',
  project: 'Project',
  user: 'id',
  session: 'id',
  invitation: 'id',
  notification: null,
  upload: 'Upload',
  suspension: 'id',
  request: 'id',
  // An attachment has a field of this name: its Content-ID, a text of the caller.
  content: null,
  erasure: null,
  job: 'Job',
  capturedMail: null,
  claim: null,
}

/** Whether a field holds ids, by its name: `id`, or words that end with a kind and `Id` or `Ids`. Throws for a kind that is none of ours. */
export function holdsIds(field: string): boolean {
  if (field === 'id') return true
  const [, words] = /^(\w+?)Ids?$/.exec(field) ?? []
  if (words === undefined) return false
  const kind = isIdKind(words) ? words : words.replace(/^.*(?=[A-Z])/, '').toLowerCase()
  if (!isIdKind(kind)) throw new Error(`The field ${field} names no kind of ids: add "${kind}" to kit/ids.ts, or name the field otherwise`)
  return idUses[kind] !== null
}

function isIdKind(kind: string): kind is IdKind {
  return Object.hasOwn(prefixes, kind)
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const pool = Buffer.alloc(8192)
let poolAt = pool.length
/** The last id made by a clock: its time and its number within that millisecond. */
interface Place {
  ms: number
  counter: number
}

// Of two clocks, the one used last first: a process may hold two that are far apart, and each is in order.
let places: [Place, Place] = [
  { ms: 0, counter: 0 },
  { ms: 0, counter: 0 },
]

// The time in an id is never before the moment of its creation, and after it, when the clock was set back, by less than this.
const maxAheadMs = 60_000

/**
 * A new id: `<prefix>_` and 26 lower-case Crockford base32 characters of a UUIDv7 (RFC 9562), so that id order is
 * creation order; within one process strictly so, also inside one millisecond and while the clock is set back by less
 * than a minute.
 */
export function newId(kind: IdKind, now: Date): string {
  if (poolAt + 8 > pool.length) {
    randomFillSync(pool)
    poolAt = 0
  }
  const random = pool.readBigUInt64BE(poolAt)
  poolAt += 8
  const place = placeAt(now.getTime(), Number(random & 0x3ffn))
  const high = (BigInt(place.ms) << 16n) | 0x7000n | BigInt(place.counter)
  const low = (random & 0x3fff_ffff_ffff_ffffn) | 0x8000_0000_0000_0000n
  return `${prefixes[kind]}_${base32(high, low)}`
}

/** The place after the last one near that time, or the first one of another clock, beginning at `start`. */
function placeAt(at: number, start: number): Place {
  const near = places.filter(({ ms }) => Math.abs(ms - at) < maxAheadMs)
  const last = near.length === 2 && places[1].ms > places[0].ms ? places[1] : near[0]
  const next = !last || at > last.ms ? { ms: at, counter: start } : { ms: last.ms, counter: last.counter + 1 }
  if (next.counter > 0xfff) Object.assign(next, { ms: next.ms + 1, counter: 0 })
  places = [next, last === places[1] || !last ? places[0] : places[1]]
  return next
}

/** The id of something that happened at that moment and has a name elsewhere: of the same name always the same. */
export function derivedId(kind: IdKind, at: Date, name: string): string {
  const bits = hash('sha256', name, 'buffer')
  const high = (BigInt(Math.max(0, at.getTime())) << 16n) | 0x7000n | BigInt(bits.readUInt16BE(0) & 0xfff)
  const low = (bits.readBigUInt64BE(2) & 0x3fff_ffff_ffff_ffffn) | 0x8000_0000_0000_0000n
  return `${prefixes[kind]}_${base32(high, low)}`
}

/** The lowest id of anything created at that moment: the start of a time range in a list ordered by id. */
export function lowestId(kind: IdKind, at: Date): string {
  return `${prefixes[kind]}_${base32(BigInt(Math.max(0, at.getTime())) << 16n, 0n)}`
}

/**
 * The bounds of the ids of a time range: everything created at or after `from` and before `to` has an id within them.
 * Something created up to a minute after `to` may have one too, so the creation time must be compared as well.
 */
export function idRange(kind: IdKind, from: Date | undefined, to: Date | undefined): { fromId?: string; toId?: string } {
  return {
    ...(from && { fromId: lowestId(kind, from) }),
    ...(to && { toId: lowestId(kind, new Date(to.getTime() + maxAheadMs)) }),
  }
}

// 128 bits as 26 characters of 5 bits, the first one holding 3. The halves are split into small numbers first: shifting a
// 128-bit BigInt 26 times is ten times slower.
function base32(high: bigint, low: bigint): string {
  const first28 = Number(high >> 36n)
  const next30 = Number((high >> 6n) & 0x3fff_ffffn)
  const middle30 = Number(((high & 0x3fn) << 24n) | (low >> 40n))
  const late30 = Number((low >> 10n) & 0x3fff_ffffn)
  const last10 = Number(low & 0x3ffn)
  return digits(first28, 6) + digits(next30, 6) + digits(middle30, 6) + digits(late30, 6) + digits(last10, 2)
}

function digits(value: number, length: number): string {
  let out = ''
  for (let shift = (length - 1) * 5; shift >= 0; shift -= 5) out += alphabet[(value >>> shift) & 31]
  return out
}

const shape = /^([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}$/
const kinds = new Map<string, IdKind>(Object.entries(prefixes).map(([kind, prefix]) => [prefix, kind as IdKind]))

/** The kind of resource that the prefix of an id stands for, or undefined when the text is not an id. */
export function kindOfId(id: string): IdKind | undefined {
  const match = shape.exec(id)
  return match ? kinds.get(match[1] ?? '') : undefined
}
