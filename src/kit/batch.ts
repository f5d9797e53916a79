import { isPostgresError } from './postgres/db.ts'

interface Waiting<In, Out> {
  item: In
  resolve(out: Out): void
  reject(error: unknown): void
}

/**
 * Group commit: concurrent calls become one statement. There is one lane: while a flush is under way new items gather,
 * and the next flush takes them all, so an idle path waits for nothing and a busy one writes in ever larger groups.
 * When Postgres refuses a group it is halved until the poison item stands alone; a lost connection is never retried,
 * because the group may have been kept.
 *
 * @param flush writes a group and answers one result an item, in order
 * @param most  items a group holds at most
 */
export function batch<In, Out>(flush: (items: In[]) => Promise<Out[]>, most: number): (item: In) => Promise<Out> {
  let waiting: Waiting<In, Out>[] = []
  let flushing = false

  async function drain(): Promise<void> {
    flushing = true
    // Let every request of this turn of the event loop join the first group.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const group = waiting.slice(0, most)
      waiting = waiting.slice(most)
      await settle(group)
    }
    flushing = false
  }

  async function settle(group: Waiting<In, Out>[]): Promise<void> {
    try {
      const results = await flush(group.map(({ item }) => item))
      for (const [at, one] of group.entries()) one.resolve(results[at] as Out)
    } catch (error) {
      if (group.length === 1 || !isPostgresError(error)) {
        for (const one of group) one.reject(error)
        return
      }
      const half = Math.ceil(group.length / 2)
      await settle(group.slice(0, half))
      await settle(group.slice(half))
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!flushing) void drain()
    })
}
