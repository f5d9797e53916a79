import { attempt, continued, endOfTurn, type Flush, halvesOf, type Waiting } from './batch.ts'
import { isContention } from './postgres/contention.ts'
import { isLockTimeout } from './postgres/db.ts'
import { recent } from './recent.ts'
import { createRotation, type Rotation } from './rotation.ts'
import { unpaid } from './thread-time.ts'
import { createTurns, type Owners, type Turns } from './turns.ts'

/** How calls of many owners, such as projects, become statements. */
export interface LanesPlan<In, Out> {
  /** Writes a group on connections that do not wait long for locks (`db.impatient`). */
  flush: Flush<In, Out>
  /** Writes one item that has to wait for a lock. */
  flushAlone: Flush<In, Out>
  /** Items per group at most. */
  max: number
  /** Whom an item belongs to. */
  ownerOf(item: In): string
  /** Names of the rows that an item locks and others may lock as well, such as its contact. */
  locksOf(item: In): string[]
  /** About how many bytes it has in a statement; Infinity for one that must not be grouped. Default: all are small. */
  bytesOf?(item: In): number
  /** About how many bytes of rows it reads and writes again, whatever it changes of them. Default: none. */
  rewrittenBytesOf?(item: In): Rewritten
  /** Whose heavy items count together. Default: those of `ownerOf`. */
  ownersOf?(item: In): Owners
}

/** About how many bytes are written again: those that are known, and these together with those that are guessed. */
export interface Rewritten {
  known: number
  likely: number
}

const laneCount = 4
const heavyBytes = 64 * 1024
const wideBytes = 1024 * 1024
const maxGroupBytes = 256 * 1024
const suspectMs = 10_000
const maxSuspects = 1_000

/**
 * Group commit that is fair: `batch` with these additions. Owners are spread over a few lanes and take turns within one. Heavy items are
 * written alone, beside the lanes, a few at a time, and those that are known to write very much again one after the other; those that are
 * known to write much again are grouped in a lane per owner, which takes the turns of heavy items. A group that an item makes fail is
 * split beside its lane, and the owner of that item has a lane of its own for 10 s. An item whose row is locked by somebody else, or
 * written over and over, waits for it beside the lanes, and those that need the same row wait for that item.
 */
export function batchInLanes<In, Out>(plan: LanesPlan<In, Out>): (item: In) => Promise<Out> {
  const { flush, flushAlone, ownerOf, locksOf, bytesOf = () => 0, rewrittenBytesOf = () => none, ownersOf = ownerOf } = plan
  const lanes = new Map<string, Rotation<Waiting<In, Out>>>()
  const suspects = recent<string, true>({ max: maxSuspects, ttlMs: suspectMs })
  const behindLocks = new Map<string, Waiting<In, Out>[]>()
  const heavy = createTurns({ max: 4, maxPerOwner: 2 })
  const wide = createTurns({ max: 1, maxPerOwner: 1 })
  // Each waits on a connection of the pool.
  const blocked = createTurns({ max: 3, maxPerOwner: 1 })
  const splits = createTurns({ max: 4, maxPerOwner: 1 })
  const apart = createTurns({ max: 2, maxPerOwner: 1 })

  function accept(one: Waiting<In, Out>): void {
    if (waitsBehindLock(one)) return
    const owner = ownerOf(one.item)
    const { known } = rewrittenBytesOf(one.item)
    if (known >= wideBytes) return void writeBeside(wide, one)
    if (bytesOf(one.item) >= heavyBytes) return void writeBeside(heavy, one)
    if (isSuspect(owner)) enter(owner, one, (work) => (isSuspect(owner) ? apart.run(owner, work) : work()))
    else if (known >= heavyBytes) enter(`${owner} beside`, one, (work) => heavy.run(ownersOf(one.item), work))
    else enter(laneOf(owner), one, (work) => work())
  }

  function enter(name: string, one: Waiting<In, Out>, inTurn: InTurn): void {
    const open = lanes.get(name)
    if (open) return void open.add(ownerOf(one.item), one)
    const lane = createRotation<Waiting<In, Out>>()
    lane.add(ownerOf(one.item), one)
    lanes.set(name, lane)
    unpaid(() => void drain(name, lane, inTurn))
  }

  async function drain(name: string, lane: Rotation<Waiting<In, Out>>, inTurn: InTurn): Promise<void> {
    await endOfTurn()
    while (!lane.isEmpty()) {
      await inTurn(async () => {
        const group = take(lane)
        const refusal = await attempt(group, flush)
        if (refusal) void splits.run(name, () => split(group, refusal))
      })
    }
    lanes.delete(name)
  }

  function take(lane: Rotation<Waiting<In, Out>>): Waiting<In, Out>[] {
    const group: Waiting<In, Out>[] = []
    const rows = new Set<string>()
    let bytes = 0
    for (let next = lane.take(); next; next = lane.take()) {
      group.push(next)
      bytes += bytesOf(next.item) + addedBytesOf(next.item, rows)
      if (group.length === plan.max || bytes >= maxGroupBytes) break
    }
    return group
  }

  // A row is written once, however many items of the group change it.
  function addedBytesOf(item: In, rows: Set<string>): number {
    const { likely } = rewrittenBytesOf(item)
    if (likely === 0) return 0
    const before = rows.size
    for (const row of locksOf(item)) rows.add(row)
    return rows.size > before ? likely : 0
  }

  async function split(group: Waiting<In, Out>[], refusal: Error): Promise<void> {
    const [only] = group
    if (only && group.length === 1) return blame(only, refusal)
    // At the same time, so that the good half does not wait for the other one.
    await Promise.all(
      halvesOf(group).map(async (half) => {
        const free = half.filter((one) => !waitsBehindLock(one))
        const again = free.length > 0 && (await attempt(free, flush))
        if (again) await split(free, again)
      }),
    )
  }

  function blame(one: Waiting<In, Out>, refusal: Error): void {
    suspects.set(ownerOf(one.item), true)
    if (!isHeldByOthers(refusal)) one.reject(refusal)
    else if (!waitsBehindLock(one)) void waitForLock(one)
  }

  async function waitForLock(one: Waiting<In, Out>): Promise<void> {
    const behind: Waiting<In, Out>[] = []
    const locks = locksOf(one.item)
    for (const lock of locks) behindLocks.set(lock, behind)
    await blocked.run(ownerOf(one.item), () => writeAlone(one))
    for (const lock of locks) if (behindLocks.get(lock) === behind) behindLocks.delete(lock)
    for (const next of behind) accept(next)
  }

  function waitsBehindLock(one: Waiting<In, Out>): boolean {
    if (behindLocks.size === 0) return false
    const lock = locksOf(one.item).find((name) => behindLocks.has(name))
    if (lock === undefined) return false
    behindLocks.get(lock)?.push(one)
    return true
  }

  async function writeAlone(one: Waiting<In, Out>): Promise<void> {
    const refusal = await attempt([one], flushAlone)
    if (refusal) one.reject(refusal)
  }

  // Without waiting long for a lock in its turn, so that locked rows of two projects do not stop the heavy items of all.
  async function writeBeside(turns: Turns, one: Waiting<In, Out>): Promise<void> {
    const refusal = await turns.run(ownersOf(one.item), () => attempt([one], flush))
    if (!refusal) return
    if (!isHeldByOthers(refusal)) one.reject(refusal)
    else if (!waitsBehindLock(one)) void waitForLock(one)
  }

  function isSuspect(owner: string): boolean {
    return suspects.get(owner) === true
  }

  return (item) => continued(new Promise((resolve, reject) => accept({ item, resolve, reject })))
}

const none: Rewritten = { known: 0, likely: 0 }

/** Runs the work of a group once it is its turn. */
type InTurn = (work: () => Promise<void>) => Promise<void>

function isHeldByOthers(refusal: Error): boolean {
  return isLockTimeout(refusal) || isContention(refusal)
}

function laneOf(owner: string): string {
  let hash = 0
  for (let at = 0; at < owner.length; at++) hash = (Math.imul(hash, 31) + owner.charCodeAt(at)) | 0
  return `lane ${Math.abs(hash) % laneCount}`
}
