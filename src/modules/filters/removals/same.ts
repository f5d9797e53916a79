import { isFilter } from '../language.ts'
import type { Condition, FieldFilter } from '../shapes.ts'

/**
 * Whether two conditions are the same one, however they are written: a single filter is a group of one, the order of filters, groups and
 * listed values says nothing, nor does what is null or comes twice.
 */
export function isSameCondition(one: Condition, other: Condition): boolean {
  return textOf(one) === textOf(other)
}

function textOf(condition: Condition): string {
  if (isFilter(condition)) return textOfFilter(condition)
  const groups = condition.groups.map(({ filters, conditions }) =>
    joined('AND', [...filters.map(textOfFilter), ...(conditions ? [textOf(conditions)] : [])]),
  )
  return joined(condition.logic, groups)
}

// One alone is what it joins.
function joined(logic: string, parts: string[]): string {
  const [first = '', ...others] = [...new Set(parts)].sort()
  return others.length === 0 ? first : `${logic}(${[first, ...others].join(',')})`
}

function textOfFilter({ field, operator, value, unit }: FieldFilter): string {
  const values = Array.isArray(value) ? value : [value]
  const listed = [...new Set(values.map((one) => JSON.stringify(one ?? null)))].sort()
  return JSON.stringify([field, operator, listed, unit ?? null])
}
