/** A text of an address, or undefined where there is none. */
export function text(given: unknown): string | undefined {
  if (typeof given === 'number' || typeof given === 'boolean') return String(given)
  return typeof given === 'string' && given !== '' ? given.slice(0, 500) : undefined
}

/** One of some values; anything else in an address is left out. */
export function oneOf<T extends string>(values: readonly T[], given: unknown): T | undefined {
  return values.find((value) => value === given)
}

/** Those of some values that an address lists, each once; undefined for none. */
export function someOf<T extends string>(values: readonly T[], given: unknown): T[] | undefined {
  const listed = Array.isArray(given) ? given : [given]
  const found = values.filter((value) => listed.includes(value))
  return found.length > 0 ? found : undefined
}

/** Where a page of a list begins or ends: cursors, as Pager writes them into addresses. */
export interface Place {
  after?: string | undefined
  before?: string | undefined
}

/** The place of an address. */
export function placeOf(given: Record<string, unknown>): Place {
  return { after: text(given.after), before: text(given.before) }
}

/** The arguments of a connection for a place. */
export function pageOf({ after, before }: Place, size = 50): { first?: number; after?: string; last?: number; before?: string } {
  if (before !== undefined) return { last: size, before }
  return { first: size, ...(after !== undefined && { after }) }
}
