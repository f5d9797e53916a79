import { FilterOperator, FilterUnit } from '../../filters/shapes.ts'

// What the config of a step, and what a step did, have of closed sets, as they are stored, which is the spelling of REST.
const units = FilterUnit.options
const sets: Readonly<Record<string, readonly string[]>> = {
  operator: FilterOperator.options,
  unit: units,
  delayUnit: units,
  mode: ['binary', 'multi'],
  subscriptionAction: ['none', 'subscribe', 'unsubscribe'],
}

// The parts in which there may be more of them. Everything else, such as a value or the body of a webhook, belongs to the user.
const parts = new Set(['branches', 'condition', 'conditions', 'groups', 'filters'])

const enumOf = (value: string): string => value.replace(/([a-z])(?=[A-Z])/g, '$1_').toUpperCase()

const stored = new Map(Object.entries(sets).map(([key, values]) => [key, new Map(values.map((value) => [enumOf(value), value]))]))

// Deeper than any condition may be, each of which takes four levels.
const maxDepth = 60

function respelled(part: unknown, spell: (key: string, value: string) => string, depth = 0): unknown {
  if (typeof part !== 'object' || part === null || depth > maxDepth) return part
  if (Array.isArray(part)) return part.map((one) => respelled(one, spell, depth + 1))
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (parts.has(key)) return [key, respelled(value, spell, depth + 1)]
      return [key, typeof value === 'string' && Object.hasOwn(sets, key) ? spell(key, value) : value]
    }),
  )
}

/** A step with its config as it is stored, of one with operators and units as GraphQL spells enums; what is spelled otherwise stays. */
export function spelledAsStored<Step extends { config?: unknown }>(step: Step): Step {
  return { ...step, config: respelled(step.config, (key, value) => stored.get(key)?.get(value) ?? value) }
}

/** A config, or what a step did, with operators and units as GraphQL spells enums. */
export function configAsGraphql(config: unknown): unknown {
  return respelled(config, (key, value) => (sets[key]?.includes(value) ? enumOf(value) : value))
}

/** How the config is spelled in GraphQL, for its descriptions. */
export const spellingText =
  'Operators, units, `mode` and `subscriptionAction` are spelled as enums in GraphQL, as in a ConditionInput: `EQUALS`, `DAYS`, `MULTI`, `UNSUBSCRIBE`.'
