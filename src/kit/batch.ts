import { isPostgresError } from './postgres/db.ts'

interface Waiting<In, Out> {
  item: In
  resolve(out: Out): void
  reject(error: unknown): void
}

/**
 * Group commit: concurrent calls become one statement. One flush runs at a time; items that arrive meanwhile are collected
 * for the next one, so that a call on an idle path does not wait and a busy path writes in ever larger groups. When Postgres
 * refuses a group it is halved until the failing item is alone; a lost connection is never retried, because the group may
 * have been committed.
 *
 * @param flush writes a group and returns one result per item, in order
 * @param max   items per group at most
 */
export function batch<In, Out>(flush: (items: In[]) => Promise<Out[]>, max: number): (item: In) => Promise<Out> {
  let waiting: Waiting<In, Out>[] = []
  let flushing = false

  async function drain(): Promise<void> {
    flushing = true
    // Let every request of this turn of the event loop join the first group.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const group = waiting.slice(0, max)
      waiting = waiting.slice(max)
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
