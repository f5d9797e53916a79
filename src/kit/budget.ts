/** A bounded amount of something that work in progress uses, such as bytes of memory. */
export interface Budget {
  /**
   * Waits until so much is free and takes it; owners that wait, such as projects, take turns. More than the whole budget is
   * granted when nothing else is taken. Returns what gives it back; calling that again changes nothing.
   */
  take(amount: number, owner: string): Promise<() => void>
}

/** Creates a budget of `max`. */
export function createBudget(max: number): Budget {
  const waiting = new Map<string, { amount: number; grant: () => void }[]>()
  let taken = 0

  const fits = (amount: number): boolean => taken === 0 || taken + amount <= max

  // An owner whose turn it was goes to the end of the map, where the loop meets it again while there is room.
  function grantNext(): void {
    for (const [owner, [next, ...others]] of waiting) {
      if (!next || !fits(next.amount)) return
      waiting.delete(owner)
      if (others.length > 0) waiting.set(owner, others)
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
      if (waiting.size === 0 && fits(amount)) taken += amount
      else await new Promise<void>((grant) => waiting.set(owner, [...(waiting.get(owner) ?? []), { amount, grant }]))
      return giveBack(amount)
    },
  }
}
