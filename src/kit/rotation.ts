import { siteOfNetwork } from './networks.ts'

/**
 * What waits, by owner, such as a project: owners take turns, however much each has waiting. Client networks of one IPv6 site, of which
 * one person may have 65,536, take the turns of one owner.
 */
export interface Rotation<Item> {
  /** Adds an item behind the others of its owner. */
  add(owner: string, item: Item): void
  /** The item whose turn it is; undefined when nothing waits. */
  first(): Item | undefined
  /**
   * Takes the next item that `may` have its turn, of the first owner that has one; undefined when there is none. The owner goes to the
   * end. Of owners that may have no turn at all (`mayOwner`) the items are not looked at, and of sites (`maySite`) not the owners.
   */
  take(
    may?: (owner: string, item: Item) => boolean,
    mayOwner?: (owner: string) => boolean,
    maySite?: (site: string) => boolean,
  ): Item | undefined
  /** Removes an item that does not wait any more. */
  remove(owner: string, item: Item): void
  /** Removes all items of an owner and returns them, in order. */
  removeAll(owner: string): Item[]
  /** Whether something of an owner waits, or of the site of which it is. */
  has(owner: string): boolean
  /** How many items are such; the others are not looked at when there are `max`. */
  count(isSuch: (item: Item) => boolean, max: number): number
  isEmpty(): boolean
}

/** Creates a rotation in which nothing waits. */
export function createRotation<Item extends object>(): Rotation<Item> {
  // By site, which is the owner itself if it is not a network; then by owner.
  const waiting = new Map<string, Map<string, Item[]>>()
  const itemsOf = (owner: string): Item[] => waiting.get(siteOfNetwork(owner))?.get(owner) ?? []

  function set(owner: string, items: Item[]): void {
    const site = siteOfNetwork(owner)
    const owners = waiting.get(site) ?? new Map<string, Item[]>()
    if (items.length > 0) waiting.set(site, owners.set(owner, items))
    else if (owners.delete(owner) && owners.size === 0) waiting.delete(site)
  }

  return {
    add(owner, item) {
      const items = itemsOf(owner)
      items.push(item)
      if (items.length === 1) set(owner, items)
    },
    first() {
      const [owners] = waiting.values()
      return owners?.values().next().value?.[0]
    },
    take(may = () => true, mayOwner = () => true, maySite = () => true) {
      for (const [site, owners] of waiting) {
        if (!maySite(site)) continue
        for (const [owner, items] of owners) {
          const at = mayOwner(owner) ? items.findIndex((item) => may(owner, item)) : -1
          if (at === -1) continue
          const [item] = items.splice(at, 1)
          set(owner, items)
          moveToEnd(owners, owner)
          moveToEnd(waiting, site)
          return item
        }
      }
      return undefined
    },
    remove(owner, item) {
      set(
        owner,
        itemsOf(owner).filter((one) => one !== item),
      )
    },
    removeAll(owner) {
      const items = itemsOf(owner)
      set(owner, [])
      return items
    },
    has: (owner) => waiting.has(siteOfNetwork(owner)),
    count(isSuch, max) {
      let count = 0
      for (const owners of waiting.values()) {
        for (const items of owners.values()) {
          for (const item of items) {
            if (count === max) return count
            if (isSuch(item)) count++
          }
        }
      }
      return count
    },
    isEmpty: () => waiting.size === 0,
  }
}

function moveToEnd<Value>(map: Map<string, Value>, key: string): void {
  const value = map.get(key)
  if (value === undefined) return
  map.delete(key)
  map.set(key, value)
}
