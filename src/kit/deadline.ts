import { setTimeout as pause } from 'node:timers/promises'

/** What work answers, or what `late` says when it takes longer than `ms`; the work itself goes on and is not heard. */
export async function within<Result>(ms: number, work: Promise<Result>, late: () => Result): Promise<Result> {
  const over = new AbortController()
  const timeout = pause(ms, undefined, { signal: over.signal, ref: false }).then(late, (reason: Error) => {
    // Ended by the work, which has the say then.
    if (!over.signal.aborted) throw reason
    return work
  })
  return Promise.race([work, timeout]).finally(() => over.abort())
}
