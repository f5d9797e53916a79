import { BREAK, type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode, visit } from 'graphql'

/** How much validation compares of a document: `pairs` of fields with the same name of the same object; `steps` is how long it took to count. */
export interface Overlaps {
  pairs: number
  steps: number
}

/**
 * Counts what validation (Field Selection Merging) compares: for every selection set, each two fields below it that would be merged,
 * through fragments and at any depth. It stops when it has counted more than `max` of either, so that it takes a millisecond at most.
 */
export function countOverlaps(document: DocumentNode, max: Overlaps): Overlaps {
  const named = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION)
  const fragments = new Map(named.map((one) => [one.name.value, one]))
  const counted: Overlaps = { pairs: 0, steps: 0 }
  const isTooMuch = (): boolean => counted.pairs > max.pairs || counted.steps > max.steps
  visit(document, {
    SelectionSet(set) {
      merge([set], { fragments, counted, isTooMuch })
      return isTooMuch() ? BREAK : undefined
    },
  })
  return counted
}

interface Count {
  fragments: Map<string, FragmentDefinitionNode>
  counted: Overlaps
  isTooMuch(): boolean
}

// Selection sets of one object, which are merged level by level.
function merge(sets: SelectionSetNode[], count: Count): void {
  const levels = [sets]
  for (let level = levels.pop(); level && !count.isTooMuch(); level = levels.pop()) {
    const fields = new Map<string, SelectionSetNode[]>()
    const times = new Map<string, number>()
    for (const set of level) collect(set, { fields, times }, count, new Set())
    for (const merged of fields.values()) levels.push(merged)
  }
}

interface Level {
  /** What is selected below the fields of each name, and how often each name stands. */
  fields: Map<string, SelectionSetNode[]>
  times: Map<string, number>
}

function collect({ selections }: SelectionSetNode, level: Level, count: Count, within: Set<string>): void {
  for (const one of selections) {
    count.counted.steps++
    if (count.isTooMuch()) return
    if (one.kind === Kind.INLINE_FRAGMENT) collect(one.selectionSet, level, count, within)
    else if (one.kind === Kind.FRAGMENT_SPREAD) {
      const name = one.name.value
      const fragment = count.fragments.get(name)
      // One that stands in itself is refused later.
      if (fragment && !within.has(name)) collect(fragment.selectionSet, level, count, new Set(within).add(name))
    } else {
      const name = (one.alias ?? one.name).value
      const before = level.times.get(name) ?? 0
      level.times.set(name, before + 1)
      count.counted.pairs += before
      if (one.selectionSet) level.fields.set(name, [...(level.fields.get(name) ?? []), one.selectionSet])
    }
  }
}
