import { AsyncLocalStorage } from 'node:async_hooks'

/** Who is charged with the time that their work takes of this thread, in ms. */
export interface Payer {
  charge(ms: number): void
}

const payers = new AsyncLocalStorage<Payer | undefined>()
// Whose work is being done, and since when.
let payer: Payer | undefined
let since = 0
let isEnding = false

/**
 * Does work whose time on this thread is charged: what it does at once, and whatever continues it, from where `resumed` is called until
 * other work is resumed or this turn of the event loop ends. What waits for something else takes no time.
 */
export function chargedTo<Result>(to: Payer, work: () => Result): Result {
  return payers.run(to, () => {
    resumed()
    return work()
  })
}

/** Does work that is nobody's in particular, such as what many callers have asked for together. */
export function unpaid<Result>(work: () => Result): Result {
  return payers.run(undefined, work)
}

/** Makes a function whose work is charged to whoever is charged now, whenever and by whomever it is called. */
export function chargedAsNow<Args extends unknown[], Result>(work: (...args: Args) => Result): (...args: Args) => Result {
  return AsyncLocalStorage.bind((...args: Args) => {
    resumed()
    return work(...args)
  })
}

/** To be called where work continues that has waited, such as for the database: what takes time now belongs to whoever it is done for. */
export function resumed(): void {
  const next = payers.getStore()
  if (next !== payer) change(next)
}

function change(next: Payer | undefined): void {
  const now = performance.now()
  payer?.charge(now - since)
  payer = next
  since = now
  if (!next || isEnding) return
  isEnding = true
  setImmediate(() => {
    isEnding = false
    change(undefined)
  })
}
