import { type Comparable, type Family, familyOf, isFilled, operatorsOf } from '../../data/operators.ts'
import type { ConditionInput, FieldFilterInput, FilterGroupInput, FilterOperator, FilterUnit } from '../../graphql/graphql.ts'

/** One test of a contact, as it is being edited. */
export interface Rule {
  id: string
  kind: 'rule'
  field: string
  operator: FilterOperator
  value?: unknown
  unit?: FilterUnit | undefined
}

/** Rules and groups of which all or at least one must match. */
export interface Group {
  id: string
  kind: 'group'
  logic: 'AND' | 'OR'
  children: readonly Part[]
}

/** A part of a condition. */
export type Part = Rule | Group

/** How many groups may be in each other, and how many rules a condition may have, in the editor. */
export const bounds = { depth: 8, rules: 100 }

let last = 0
const newId = (): string => `part-${++last}`

/** A rule that is to be filled in. */
export function newRule(rule: Omit<Rule, 'id' | 'kind'> = { field: 'email', operator: 'CONTAINS' }): Rule {
  return { ...rule, id: newId(), kind: 'rule' }
}

/** A rule without what it compares with. */
export const bare = ({ id, kind, field, operator }: Rule): Rule => ({ id, kind, field, operator })

const partsOf = ({ value, unit }: Rule) => ({ ...(value !== undefined && { value }), ...(unit && { unit }) })

/** A rule that asks another field: what does not fit it is left out rather than changed. */
export function asking(rule: Rule, { field, family, fields }: { field: string; family: Family; fields: readonly Comparable[] }): Rule {
  const { operator } = rule
  const operators = operatorsOf(field, fields, family)
  const kept = operators.includes(operator) && familyOf(rule.field, operator) === family
  // Only whether contacts are subscribed is true or false.
  const fits = kept && (field === 'subscribed') === (rule.field === 'subscribed')
  return { ...bare(rule), field, operator: kept ? operator : (operators[0] ?? operator), ...(fits && partsOf(rule)) }
}

/** A group with a first rule. */
export function newGroup(logic: Group['logic'], children: readonly Part[] = [newRule()]): Group {
  return { id: newId(), kind: 'group', logic, children }
}

/** Reads a stored condition. Nothing of it is lost: writing it again means the same contacts. */
export function readCondition(condition: ConditionInput): Group {
  const { groups, logic } = condition
  if (!groups) return newGroup('AND', [ruleOf(condition as FieldFilterInput)])
  return flat(newGroup(logic ?? 'AND', groups.map(partOf)))
}

function partOf({ filters, conditions }: FilterGroupInput): Part {
  const rules = filters.map(ruleOf)
  const parts: Part[] = conditions ? [...rules, readCondition(conditions)] : rules
  const [only] = parts
  return parts.length === 1 && only ? only : flat(newGroup('AND', parts))
}

const ruleOf = ({ field, operator, value, unit }: FieldFilterInput): Rule =>
  newRule({ field, operator, ...(value !== undefined && value !== null && { value }), ...(unit && { unit }) })

// A group inside one of the same kind, or by itself, says nothing of its own.
function flat(group: Group): Group {
  const children = group.children.flatMap((part) => (part.kind === 'group' && part.logic === group.logic ? part.children : [part]))
  const [only] = children
  if (children.length === 1 && only?.kind === 'group') return only
  return { ...group, children }
}

/** Writes a condition as the API takes it, in the order of its parts. */
export function writeCondition({ logic, children }: Group): ConditionInput {
  return { logic, groups: logic === 'OR' ? children.map(alternativeOf) : runsOf(children) }
}

function alternativeOf(part: Part): FilterGroupInput {
  if (part.kind === 'rule') return { filters: [filterOf(part)] }
  const rules = part.children.filter((one) => one.kind === 'rule')
  if (part.logic === 'AND' && rules.length === part.children.length) return { filters: rules.map(filterOf) }
  return { filters: [], conditions: writeCondition(part) }
}

// Rules that follow each other are one group.
function runsOf(children: readonly Part[]): FilterGroupInput[] {
  const groups: FilterGroupInput[] = []
  for (const part of children) {
    const previous = groups.at(-1)
    if (part.kind === 'group') groups.push({ filters: [], conditions: writeCondition(part) })
    else if (previous && !previous.conditions) previous.filters.push(filterOf(part))
    else groups.push({ filters: [filterOf(part)] })
  }
  return groups
}

const filterOf = ({ field, operator, value, unit }: Rule): FieldFilterInput => ({
  field,
  operator,
  ...(value !== undefined && { value }),
  ...(unit && { unit }),
})

/** The rules of a part, in order. */
export function rulesOf(part: Part): Rule[] {
  return part.kind === 'rule' ? [part] : part.children.flatMap(rulesOf)
}

/** Whether every rule is filled in, and no group is empty. */
export function isComplete(part: Part): boolean {
  if (part.kind === 'rule') return isFilled(part)
  return part.children.length > 0 && part.children.every(isComplete)
}

/** A group with one of its parts changed, or removed when that is null. Groups that become empty are removed as well. */
export function withPart(group: Group, id: string, change: (part: Part) => Part | null): Group {
  if (group.id === id) return (change(group) as Group | null) ?? group
  const children = group.children.flatMap((part): Part[] => {
    if (part.id === id) return [change(part) ?? []].flat()
    if (part.kind === 'rule') return [part]
    const next = withPart(part, id, change)
    return next.children.length === 0 ? [] : [next]
  })
  return { ...group, children }
}
