import { createRotation } from './rotation.ts'

/** A bounded amount of something that work in progress uses, such as bytes of memory. */
export interface Budget {
  /**
   * Waits until so much is free and takes it; owners that wait, such as projects, take turns. More than the whole budget is
   * granted when nothing else is taken. Returns what gives it back; calling that again changes nothing.
   */
  take(amount: number, owner: string): Promise<() => void>
  /** How much is taken at the moment, and of how much. */
  use(): { taken: number; max: number }
}

/** Creates a budget of `max`. */
export function createBudget(max: number): Budget {
  const waiting = createRotation<{ amount: number; grant: () => void }>()
  let taken = 0

  const fits = (amount: number): boolean => taken === 0 || taken + amount <= max

  // Whoever's turn it is waits until there is enough, so that a large amount is granted in the end.
  function grantNext(): void {
    for (let next = waiting.first(); next && fits(next.amount); next = waiting.first()) {
      waiting.take()
      taken += next.amount
      next.grant()
    }
  }

  function giveBack(amount: number): () => void {
    let given = false
    return () => {
      if (given) return
      given = true
      taken -= amount
      grantNext()
    }
  }

  return {
    async take(amount, owner) {
      if (waiting.isEmpty() && fits(amount)) taken += amount
      else await new Promise<void>((grant) => waiting.add(owner, { amount, grant }))
      return giveBack(amount)
    },
    use: () => ({ taken, max }),
  }
}
