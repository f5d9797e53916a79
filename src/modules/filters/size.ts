const maxLevels = 10
const maxFilters = 100
const maxLength = 64 * 1024

/**
 * Why a condition is too large, whatever its shape: checked before the shape, which would describe each of thousands of filters
 * that are wrong.
 */
export function whyTooLarge(condition: unknown): string | undefined {
  let level = [condition]
  let filters = 0
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxLevels) return `must have at most ${maxLevels} levels of conditions`
    const groups = level.flatMap((one) => listAt(one, 'groups'))
    filters += level.length - level.filter((one) => has(one, 'groups')).length
    filters += groups.reduce<number>((sum, group) => sum + listAt(group, 'filters').length, 0)
    if (filters > maxFilters) return `must have at most ${maxFilters} filters`
    // Each of them has a filter of its own.
    if (groups.length > maxFilters) return `must have at most ${maxFilters} groups`
    level = groups.filter((group) => has(group, 'conditions')).map((group) => group.conditions)
  }
  return (JSON.stringify(condition) ?? '').length > maxLength ? 'must be at most 64 KB as JSON' : undefined
}

function listAt(value: unknown, key: string): unknown[] {
  const list = has(value, key) ? value[key] : undefined
  return Array.isArray(list) ? list : []
}

function has<Key extends string>(value: unknown, key: Key): value is Record<Key, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) && (value as Record<Key, unknown>)[key] !== undefined
}
