import { setTimeout as sleep } from 'node:timers/promises'

/** The result of `work`, or of `late` when it takes longer than `ms`; the work itself continues and its result is ignored. */
export async function within<Result>(ms: number, work: Promise<Result>, late: () => Result): Promise<Result> {
  const over = new AbortController()
  const timeout = sleep(ms, undefined, { signal: over.signal, ref: false }).then(late, (reason: Error) => {
    // The work ended first, so its result counts.
    if (!over.signal.aborted) throw reason
    return work
  })
  return Promise.race([work, timeout]).finally(() => over.abort())
}
