/** How much of something owners, such as projects or client addresses, have at the moment; those who have nothing take no memory. */
export interface Tally {
  /** How much an owner has. */
  of(owner: string): number
  /** How much all have; what belongs to several owners counts once. */
  readonly total: number
  /** The owners who have something. */
  owners(): Iterable<string>
  /** Adds to what the owners of something have, or takes away with a negative amount. */
  add(owners: string | readonly string[], amount: number): void
}

/** Creates a tally, in which nobody has anything yet. */
export function createTally(): Tally {
  const amounts = new Map<string, number>()
  let total = 0
  const of = (owner: string): number => amounts.get(owner) ?? 0
  return {
    of,
    get total() {
      return total
    },
    owners: () => amounts.keys(),
    add(owners, amount) {
      total += amount
      for (const owner of typeof owners === 'string' ? [owners] : owners) {
        const left = of(owner) + amount
        if (left === 0) amounts.delete(owner)
        else amounts.set(owner, left)
      }
    },
  }
}
