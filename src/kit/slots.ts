import { createSignal } from './signal.ts'

/** Limits how many pieces of work run at the same time. */
export interface Slots {
  /** How many more pieces of work could start now. */
  free(): number
  /** Waits for a free slot, starts the work and returns without waiting for its end. First come, first served. */
  start(work: () => Promise<void>): Promise<void>
  /** Resolves as soon as nothing is running. */
  idle(): Promise<void>
}

/** Creates slots for `max` pieces of work at a time; `onError` receives the errors of work that fails. */
export function createSlots(max: number, onError: (error: unknown) => void): Slots {
  const ended = createSignal()
  const queue: object[] = []
  let running = 0

  async function run(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      onError(error)
    } finally {
      running--
      ended.notify()
    }
  }

  return {
    free: () => max - running,
    async start(work) {
      const turn = {}
      queue.push(turn)
      while (running >= max || queue[0] !== turn) await ended.wait()
      queue.shift()
      running++
      // A slot may be free for the next in the queue as well.
      if (queue.length > 0 && running < max) ended.notify()
      void run(work)
    },
    async idle() {
      while (running > 0) await ended.wait()
    },
  }
}
