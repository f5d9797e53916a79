/** A bounded amount of something that work in progress uses, such as bytes of memory. */
export interface Budget {
  /**
   * Waits until so much is free, first come, first served, and takes it. More than the whole budget is granted when nothing else
   * is taken. Returns what gives it back; calling that again changes nothing.
   */
  take(amount: number): Promise<() => void>
}

/** Creates a budget of `max`. */
export function createBudget(max: number): Budget {
  const waiting: { amount: number; grant: () => void }[] = []
  let taken = 0

  const fits = (amount: number): boolean => taken === 0 || taken + amount <= max

  function grantNext(): void {
    for (let next = waiting[0]; next && fits(next.amount); next = waiting[0]) {
      waiting.shift()
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
    async take(amount) {
      if (waiting.length === 0 && fits(amount)) taken += amount
      else await new Promise<void>((grant) => waiting.push({ amount, grant }))
      return giveBack(amount)
    },
  }
}
