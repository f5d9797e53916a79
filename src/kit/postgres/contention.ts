import { setTimeout as sleep } from 'node:timers/promises'

const maxTries = 10
const firstPauseMs = 5
const maxPauseMs = 100

/**
 * Does work again that Postgres aborted because of others (`isContention`), up to 10 times in all, or as often as is given: nothing of
 * it was stored. It pauses in between, for longer each time and for a random time, so that those who are in each other's way part.
 */
export async function untilUncontended<T>(work: () => Promise<T>, tries = maxTries): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= tries || !isContention(error)) throw error
      await pauseAfter(attempt)
    }
  }
}

/** Pauses after an attempt that was in the way of others, the first of which is 1. */
export async function pauseAfter(attempt: number): Promise<void> {
  await sleep(Math.random() * Math.min(maxPauseMs, firstPauseMs * 2 ** (attempt - 1)))
}

/** Whether Postgres aborted a transaction because of others: a deadlock or a serialization failure. */
export function isContention(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === '40P01' || code === '40001'
}
