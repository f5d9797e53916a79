import { isFilter } from '../language.ts'
import type { Condition, FieldFilter, FilterUnit } from '../shapes.ts'

/**
 * Whether two conditions are the same one, however they are written: a single filter is a group of one, the order of filters, groups and
 * listed values says nothing, nor how they are grouped where all are joined alike, what is null or comes twice, or the unit of a span.
 */
export function isSameCondition(one: Condition, other: Condition): boolean {
  return textOf(nodeOf(one)) === textOf(nodeOf(other))
}

/** A filter, as text, or some of them that are joined. */
type Node = string | { logic: string; parts: string[] }

function nodeOf(condition: Condition): Node {
  if (isFilter(condition)) return textOfFilter(condition)
  const groups = condition.groups.map(({ filters, conditions }) =>
    joined('AND', [...filters.map(textOfFilter), ...(conditions ? [nodeOf(conditions)] : [])]),
  )
  return joined(condition.logic, groups)
}

// One alone is what it joins.
function joined(logic: string, nodes: Node[]): Node {
  const [only, ...others] = nodes
  if (only !== undefined && others.length === 0) return only
  const inside = nodes.flatMap((node) => (typeof node !== 'string' && node.logic === logic ? node.parts : textOf(node)))
  const parts = [...new Set(inside)].sort()
  // Several that are equal are one, whose own logic is not known any more.
  return parts.length === 1 ? (nodes.find((node) => textOf(node) === parts[0]) ?? parts[0] ?? '') : { logic, parts }
}

const textOf = (node: Node): string => (typeof node === 'string' ? node : `${node.logic}(${node.parts.join(',')})`)

const minutesIn: Record<FilterUnit, number> = { days: 1_440, hours: 60, minutes: 1 }

function textOfFilter({ field, operator, value, unit }: FieldFilter): string {
  if (unit && typeof value === 'number') return JSON.stringify([field, operator, value * minutesIn[unit]])
  const values = Array.isArray(value) ? value : [value]
  const listed = [...new Set(values.map((one) => JSON.stringify(one ?? null)))].sort()
  return JSON.stringify([field, operator, listed, unit ?? null])
}
