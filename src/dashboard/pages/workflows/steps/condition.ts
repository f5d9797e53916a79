import type { ConditionInput } from '../../../graphql/graphql.ts'
import { type Group, newGroup, newRule, readCondition } from '../../../parts/condition/tree.ts'

type Config = Record<string, unknown>

// `contact.data.plan` is `data.plan`, and `workflow.x` is `event.x`: the language has several names for one field.
function renamed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(renamed)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, inner]) => {
      if (key === 'field' && typeof inner === 'string') return [key, fieldOf(inner)]
      return [key, key === 'value' ? inner : renamed(inner)]
    }),
  )
}

/** The name of a field as conditions of segments have it. */
export function fieldOf(field: string): string {
  return field.replace(/^contact\./, '').replace(/^workflow\./, 'event.')
}

/** The condition of a config that is answered by yes or no; null where there is none yet. */
export function groupOf({ condition, logic, groups, field, operator, value, unit }: Config): Group | null {
  if (condition !== undefined && condition !== null) return readCondition(renamed(condition) as ConditionInput)
  if (Array.isArray(groups)) return readCondition(renamed({ logic: logic ?? 'AND', groups }) as ConditionInput)
  if (typeof field !== 'string') return null
  const test = {
    field: fieldOf(field),
    operator: operator ?? 'EQUALS',
    ...(value !== undefined && { value }),
    ...(unit !== undefined && { unit }),
  }
  return newGroup('AND', [newRule(test as Parameters<typeof newRule>[0])])
}
