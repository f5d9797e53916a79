import { isContention, pauseAfter } from './postgres/contention.ts'
import { isInputRefusal } from './postgres/db.ts'
import { resumed, unpaid } from './thread-time.ts'

/** A call that waits for its result. */
export interface Waiting<In, Out> {
  item: In
  resolve(out: Out): void
  reject(error: unknown): void
}

/** Writes or reads a group and returns one result per item, in order. */
export type Flush<In, Out> = (items: In[]) => Promise<Out[]>

/** When a group that takes long, perhaps because its connection is half-open, no longer holds up the next ones. */
export interface Beside {
  /** After how many ms. */
  afterMs: number
  /** How many such groups there may be at the same time. */
  max: number
}

/** For reads: a statement that takes longer than most holds up those who asked for it, and nobody else. */
export const readsBeside: Beside = { afterMs: 100, max: 4 }

/**
 * Concurrent calls become one statement. One flush runs at a time; items that arrive meanwhile are collected for the next
 * one, so that a call on an idle path does not wait and a busy path works in ever larger groups. When Postgres refuses what
 * an item holds, the group is halved until that item is alone; a group in a deadlock is tried again whole; any other error,
 * and a lost connection, fails the whole group, because halves would fail as well or the group may have been committed.
 *
 * @param flush writes a group and returns one result per item, in order
 * @param max   items per group at most
 * @param beside of reads, which may run beside each other
 */
export function batch<In, Out>(flush: Flush<In, Out>, max: number, beside?: Beside): (item: In) => Promise<Out> {
  let waiting: Waiting<In, Out>[] = []
  let flushing = false
  let slow = 0

  async function drain(): Promise<void> {
    flushing = true
    await endOfTurn()
    while (waiting.length > 0) {
      const group = waiting.slice(0, max)
      waiting = waiting.slice(max)
      if (await settleAside(group)) return
    }
    flushing = false
  }

  // Returns whether it took long, so that others are flushed beside it.
  async function settleAside(group: Waiting<In, Out>[]): Promise<boolean> {
    let isSlow = false
    const leave = (): void => {
      if (!beside || slow >= beside.max) return
      isSlow = true
      slow++
      flushing = false
      if (waiting.length > 0) void drain()
    }
    const timer = beside && setTimeout(leave, beside.afterMs)
    await settle(group)
    clearTimeout(timer)
    if (isSlow) slow--
    return isSlow
  }

  async function settle(group: Waiting<In, Out>[]): Promise<void> {
    const refusal = await attempt(group, flush)
    if (!refusal) return
    if (group.length === 1 || isContention(refusal)) return rejectAll(group, refusal)
    for (const half of halvesOf(group)) await settle(half)
  }

  return (item) =>
    continued(
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        if (!flushing) unpaid(() => void drain())
      }),
    )
}

/** The result of a call of a group, whose work goes on from there: as those of the others do at the same time, one of them pays for all. */
export async function continued<Out>(result: Promise<Out>): Promise<Out> {
  try {
    return await result
  } finally {
    resumed()
  }
}

function rejectAll<In, Out>(group: Waiting<In, Out>[], error: unknown): void {
  for (const one of group) one.reject(error)
}

/** Waits until every request of this turn of the event loop could join the first group. */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Splits a group of at least two. */
export function halvesOf<Item>(group: Item[]): [Item[], Item[]] {
  const half = Math.ceil(group.length / 2)
  return [group.slice(0, half), group.slice(half)]
}

const maxAttempts = 3

/**
 * Flushes a group and settles its calls. Returns the error that Postgres refused an item of it with, or aborted it with each time
 * because of others: then nothing was written, no call is settled, and the group has to be split.
 */
export async function attempt<In, Out>(group: Waiting<In, Out>[], flush: Flush<In, Out>): Promise<Error | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      const results = await flush(group.map(({ item }) => item))
      for (const [at, one] of group.entries()) one.resolve(results[at] as Out)
      return undefined
    } catch (error) {
      if (isInputRefusal(error)) return error
      if (isContention(error) && attempt === maxAttempts) return error as Error
      if (!isContention(error)) return rejectAll(group, error) as undefined
      await pauseAfter(attempt)
    }
  }
}
