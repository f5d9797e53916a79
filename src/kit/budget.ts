import { createRotation } from './rotation.ts'
import { createTally } from './tally.ts'

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

/**
 * Creates a budget of `max`, of which an owner has at most a share of what the others leave, and always one amount, however large.
 * Default: all of it.
 */
export function createBudget(max: number, { maxShare = 1 }: { maxShare?: number } = {}): Budget {
  const waiting = createRotation<Waiting>()
  const taken = createTally()

  const fits = (amount: number): boolean => taken.total === 0 || taken.total + amount <= max

  function hasShare(owner: string, amount: number): boolean {
    const own = taken.of(owner)
    return own === 0 || maxShare === 1 || own + amount <= maxShare * (max - taken.total + own)
  }

  // Whoever's turn it is waits until there is enough, so that a large amount is granted in the end. Those who have their share have no
  // turn, nor has what waits behind in their name.
  function next(): Waiting | undefined {
    let isFull = false
    let refused: string | undefined
    const may = (owner: string, { amount }: Waiting): boolean => {
      if (isFull || refused === owner) return false
      if (hasShare(owner, amount)) isFull = !fits(amount)
      else refused = owner
      return !isFull && refused !== owner
    }
    return waiting.take(may, () => !isFull)
  }

  function grantNext(): void {
    for (let one = next(); one; one = next()) {
      taken.add(one.owner, one.amount)
      one.grant()
    }
  }

  function giveBack(owner: string, amount: number): () => void {
    let given = false
    return () => {
      if (given) return
      given = true
      taken.add(owner, -amount)
      grantNext()
    }
  }

  return {
    async take(amount, owner) {
      await new Promise<void>((grant) => {
        waiting.add(owner, { owner, amount, grant })
        grantNext()
      })
      return giveBack(owner, amount)
    },
    use: () => ({ taken: taken.total, max }),
  }
}

interface Waiting {
  owner: string
  amount: number
  grant(): void
}
