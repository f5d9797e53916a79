/** What waits, by owner, such as a project: owners take turns, however much each has waiting. */
export interface Rotation<Item> {
  /** Adds an item behind the others of its owner. */
  add(owner: string, item: Item): void
  /** The item whose turn it is; undefined when nothing waits. */
  first(): Item | undefined
  /**
   * Takes the next item that `may` have its turn, of the first owner that has one; undefined when there is none. The owner goes to the
   * end. Of owners that may have no turn at all (`mayOwner`) the items are not looked at.
   */
  take(may?: (owner: string, item: Item) => boolean, mayOwner?: (owner: string) => boolean): Item | undefined
  /** Removes an item that does not wait any more. */
  remove(owner: string, item: Item): void
  /** Removes all items of an owner and returns them, in order. */
  removeAll(owner: string): Item[]
  has(owner: string): boolean
  /** How many items are such; the others are not looked at when there are `max`. */
  count(isSuch: (item: Item) => boolean, max: number): number
  isEmpty(): boolean
}

/** Creates a rotation in which nothing waits. */
export function createRotation<Item extends object>(): Rotation<Item> {
  const waiting = new Map<string, Item[]>()
  return {
    add(owner, item) {
      const items = waiting.get(owner)
      if (items) items.push(item)
      else waiting.set(owner, [item])
    },
    first() {
      const [items] = waiting.values()
      return items?.[0]
    },
    take(may = () => true, mayOwner = () => true) {
      for (const [owner, items] of waiting) {
        if (!mayOwner(owner)) continue
        const at = items.findIndex((item) => may(owner, item))
        if (at === -1) continue
        const [item] = items.splice(at, 1)
        waiting.delete(owner)
        if (items.length > 0) waiting.set(owner, items)
        return item
      }
      return undefined
    },
    remove(owner, item) {
      const left = waiting.get(owner)?.filter((one) => one !== item) ?? []
      if (left.length > 0) waiting.set(owner, left)
      else waiting.delete(owner)
    },
    removeAll(owner) {
      const items = waiting.get(owner) ?? []
      waiting.delete(owner)
      return items
    },
    has: (owner) => waiting.has(owner),
    count(isSuch, max) {
      let count = 0
      for (const items of waiting.values()) {
        for (const item of items) {
          if (count === max) return count
          if (isSuch(item)) count++
        }
      }
      return count
    },
    isEmpty: () => waiting.size === 0,
  }
}
