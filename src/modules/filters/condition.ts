import { z } from 'zod'
import { isWithin } from '../../kit/json-limits.ts'
import { problemsOfCondition, problemsOfStored, type Use } from './language.ts'
import { AnyCondition, type Condition as ConditionType, conditionExample, conditionText, maxFilters } from './shapes.ts'

const examples = [conditionExample]

const bounded = z.preprocess((condition, ctx) => {
  const message = whyTooLarge(condition)
  if (message) ctx.addIssue({ code: 'custom', message, params: { code: 'too_big' } })
  return condition
}, AnyCondition)

/** A condition that selects contacts, as segments and audiences have; refused with everything that is wrong with it. */
export const Condition = bounded.superRefine(check('audience')).meta({ description: conditionText, examples })

/**
 * The condition of a workflow: it may also ask the context of the execution, by `event.<key>` with an operator that does not
 * ask whether an event was triggered.
 */
export const WorkflowCondition = bounded.superRefine(check('workflow')).meta({
  description: `${conditionText} \`event.<key>\` with an operator of custom data asks the event that started the execution.`,
  examples,
})

/**
 * The condition of a workflow that is stored: as WorkflowCondition, and it may also say what was accepted when it was sent and is
 * refused since.
 */
export const StoredWorkflowCondition = bounded.superRefine(check('workflow', problemsOfStored))

function check(use: Use, problemsIn = problemsOfCondition) {
  return (condition: ConditionType, ctx: z.RefinementCtx): void => {
    for (const { path, message, code } of problemsIn(condition, use)) ctx.addIssue({ code: 'custom', path, message, params: { code } })
  }
}

const maxLevels = 10
const maxLength = 64 * 1024

/**
 * Why a condition is too large, whatever its shape: checked before the shape, which would describe each of thousands of filters
 * that are wrong.
 */
function whyTooLarge(condition: unknown): string | undefined {
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
  // One that is much longer is not written to know that.
  const isLong = !isWithin(condition, { characters: maxLength, values: maxLength }) || (JSON.stringify(condition) ?? '').length > maxLength
  return isLong ? 'must be at most 64 KB as JSON' : undefined
}

function listAt(value: unknown, key: string): unknown[] {
  const list = has(value, key) ? value[key] : undefined
  return Array.isArray(list) ? list : []
}

function has<Key extends string>(value: unknown, key: Key): value is Record<Key, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) && (value as Record<Key, unknown>)[key] !== undefined
}
