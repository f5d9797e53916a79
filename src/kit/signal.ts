/** How a wait ended: by the signal, by its timeout, or because the world closes. */
export type Wake = 'signal' | 'timeout' | 'closing'

/** Lets work wait until there is something to do. */
export interface Signal {
  /** Ends all waits; when there is none, the next wait ends immediately, so that no signal is lost. */
  notify(): void
  /** Waits for the signal, for at most `timeoutMs` (default: without a limit) and until the world closes. Never rejects. */
  wait(timeoutMs?: number): Promise<Wake>
}

/** Creates a signal; every wait ends when `closing` is aborted. */
export function createSignal(closing?: AbortSignal): Signal {
  const waiting = new Set<() => void>()
  let pending = false

  function wait(timeoutMs?: number): Promise<Wake> {
    if (closing?.aborted) return Promise.resolve('closing')
    if (pending) {
      pending = false
      return Promise.resolve('signal')
    }
    return new Promise((resolve) => {
      const end = (how: Wake): void => {
        clearTimeout(timer)
        closing?.removeEventListener('abort', onAbort)
        waiting.delete(onSignal)
        resolve(how)
      }
      const onSignal = (): void => end('signal')
      const onAbort = (): void => end('closing')
      const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs, 'timeout')
      closing?.addEventListener('abort', onAbort)
      waiting.add(onSignal)
    })
  }

  return {
    wait,
    notify() {
      pending = waiting.size === 0
      for (const onSignal of [...waiting]) onSignal()
    },
  }
}
