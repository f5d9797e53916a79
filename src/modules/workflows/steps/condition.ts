import { z } from 'zod'
import { listOf } from '../../../kit/bounded.ts'
import { brief } from '../../../kit/cut.ts'
import { problemsOf } from '../../../kit/problems.ts'
import { Text } from '../../../kit/shapes.ts'
import { getContact } from '../../contacts/contacts.ts'
import { findMemberships } from '../../filters/compile.ts'
import { StoredWorkflowCondition, WorkflowCondition } from '../../filters/condition.ts'
import { type Answers, askContact } from '../../filters/evaluate.ts'
import { leavesOf } from '../../filters/language.ts'
import { membershipAmong, membershipIn } from '../../filters/membership.ts'
import { askedBySegments, removalIn, SegmentHeld } from '../../filters/removals/removals.ts'
import { asksHistory, type Condition, ConditionLogic, FilterOperator, type FilterOutcome, FilterUnit } from '../../filters/shapes.ts'
import { kind, type PlacedCondition } from './kind.ts'
import type { Outcome, Visit } from './visit.ts'

/** Maximum number of branches of a condition. */
export const maxBranches = 20
const maxGroups = 100
const [yes, no, otherwise] = ['yes', 'no', 'default']

const test = { operator: FilterOperator.optional(), value: z.unknown().optional(), unit: FilterUnit.optional() }

const Branch = z.object({
  id: Text.min(1)
    .max(64)
    .refine((id) => id !== otherwise, {
      error: `must not be "${otherwise}", the branch of what matches no other`,
      params: { code: 'reserved' },
    }),
  name: Text.max(100).nullable().optional(),
  ...test,
})

const Fields = z.object({
  /** `multi`: the field is compared branch by branch. */
  mode: z.enum(['binary', 'multi']).optional(),
  field: Text.max(512).optional(),
  ...test,
  branches: listOf(Branch, { max: maxBranches }).optional(),
  condition: z.unknown().optional(),
  logic: ConditionLogic.optional(),
  groups: listOf(z.unknown(), { max: maxGroups }).optional(),
})
type ConditionConfig = z.output<typeof Fields>

// What is not complete yet may be saved.
const unfinished = new Set(['required', 'too_small'])

const config = Fields.superRefine((given, ctx) => {
  const refuse = (path: string[], message: string, code: string) => ctx.addIssue({ code: 'custom', path, message, params: { code } })
  const ids = (given.branches ?? []).map(({ id }) => id)
  const twice = ids.findIndex((id, at) => ids.indexOf(id) !== at)
  if (twice !== -1) refuse(['branches', String(twice), 'id'], 'is the id of another branch as well', 'duplicate')
  for (const { at, sent } of sentIn(given)) {
    for (const { field, message, code } of problemsIn(sent, WorkflowCondition))
      if (!unfinished.has(code) && isGiven(sent, field)) refuse([...at.split('.'), ...field.split('.')].filter(Boolean), message, code)
  }
})

/** What may be a condition, with the names of fields as the language has them. */
interface Sent {
  at: string
  sent: unknown
  /** The exit that it leads to. */
  exit: string
}

function sentIn({ mode, field, operator, value, unit, branches = [], condition, logic, groups }: ConditionConfig): Sent[] {
  const leafOf = (one: Pick<ConditionConfig, 'operator' | 'value' | 'unit'>) => given({ field, ...one })
  if (mode === 'multi')
    return branches.map(({ id, operator, value, unit }, at) => ({
      at: `branches.${at}`,
      sent: renamed(leafOf({ operator, value, unit })),
      exit: id,
    }))
  if (condition !== undefined) return [{ at: 'condition', sent: renamed(condition), exit: yes }]
  if (groups !== undefined || logic !== undefined) return [{ at: '', sent: renamed(given({ logic, groups })), exit: yes }]
  return field === undefined ? [] : [{ at: '', sent: renamed(leafOf({ operator, value, unit })), exit: yes }]
}

function given(parts: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined))
}

// `contact.data.plan` is `data.plan`, `contact.email` is `email`, and `workflow.x` is `event.x`: both are the context.
function renamed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(renamed)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, inner]) => {
      if (key === 'field' && typeof inner === 'string') return [key, inner.replace(/^contact\./, '').replace(/^workflow\./, 'event.')]
      return [key, key === 'value' ? inner : renamed(inner)]
    }),
  )
}

// A part that is not there may be missing, and is not wrong.
function isGiven(sent: unknown, field: string): boolean {
  let part: unknown = sent
  for (const key of field.split('.').filter(Boolean)) part = (part as Record<string, unknown> | null | undefined)?.[key]
  return part !== undefined
}

function problemsIn(sent: unknown, shape: z.ZodType) {
  const read = shape.safeParse(sent)
  return read.success ? [] : problemsOf(read.error)
}

// Those that are complete, in order.
function conditionsOf(given: ConditionConfig): PlacedCondition[] {
  return sentIn(given).flatMap(({ at, sent, exit }) => {
    const read = StoredWorkflowCondition.safeParse(sent)
    return read.success ? [{ at, condition: read.data as Condition, exit }] : []
  })
}

function missing(given: ConditionConfig): string | null {
  const part = given.mode === 'multi' ? missingInBranches(given) : missingInLeaf(given)
  if (part !== null) return part
  const [lacking] = sentIn(given).flatMap(({ at, sent }) =>
    problemsIn(sent, StoredWorkflowCondition).map(({ field }) => [at, field].filter(Boolean).join('.')),
  )
  return lacking === undefined ? null : `"${lacking}"`
}

function missingInBranches({ field, branches = [] }: ConditionConfig): string | null {
  const bare = branches.findIndex(({ operator }) => operator === undefined)
  if (branches.length === 0) return '"branches"'
  if (field === undefined) return '"field"'
  return bare === -1 ? null : `"branches.${bare}.operator"`
}

function missingInLeaf({ field, operator, condition, logic, groups }: ConditionConfig): string | null {
  if (condition !== undefined || logic !== undefined || groups !== undefined) return null
  if (field === undefined) return '"field" and "operator", or a "condition"'
  return operator === undefined ? '"operator"' : null
}

function exitsOf({ mode, branches = [] }: ConditionConfig): string[] {
  return mode === 'multi' ? [...branches.map(({ id }) => id), otherwise] : [yes, no]
}

function nameOfExit(exit: string, { mode, branches = [] }: ConditionConfig): string {
  if (mode !== 'multi') return exit === yes ? 'Yes' : 'No'
  if (exit === otherwise) return 'Otherwise'
  return branches.find(({ id }) => id === exit)?.name || exit
}

/** Asks the contact and the event, and leads to one of several exits. */
export const condition = kind({
  label: 'Condition',
  meaning: 'Asks the contact and the event that started the execution, and leads to one of several exits.',
  parts:
    '`field`, `operator`, `value`, `unit`; or `mode: "multi"` with a `field` and up to 20 `branches` (`id`, `name`, `operator`, `value`, `unit`); or a `condition` as segments have it. `event.<key>` asks the data of the event',
  output:
    '`field`, `operator`, `expectedValue`, `actualValue`, `result`, `branch`; with several branches `field`, `mode`, `matchedBranch` (null for `default`), `actualValue`, `branch`; with a condition `filters` (each `field`, `operator`, `actualValue`, `result`), `result`, `branch`',
  config,
  exits: exitsOf,
  nameOfExit,
  exitsText: '`yes` or `no`, or the id of a branch or `default`',
  expects: exitsOf,
  missing,
  conditions: conditionsOf,
  run: ask,
})

// A version never changes, so that its conditions are read once.
const placed = new WeakMap<ConditionConfig, PlacedCondition[]>()

// The first condition that matches decides.
async function ask(visit: Visit<ConditionConfig>): Promise<Outcome> {
  const { ctx, contactId, step } = visit
  const conditions = placed.get(step.config) ?? conditionsOf(step.config)
  placed.set(step.config, conditions)
  const contact = await getContact(ctx, { id: contactId })
  const asksContext = conditions.some(({ condition }) => [...leavesOf(condition)].some(({ filter }) => filter.field.startsWith('event.')))
  const context = asksContext ? await visit.readContext() : {}
  const asked = conditions.map(({ condition }) => condition)
  const found = await findMemberships(asked, membershipIn(ctx))
  const answers = await askContact(ctx, { conditions: asked, membership: membershipAmong(found), contact, context })
  const outcome = await outcomeOf(step.config, conditions, answers)
  // To be asked after the contact was: everybody, or nobody, may be a member of a segment by now.
  return (await removalIn(ctx, askedBySegments(asked, found))) ? { kind: 'fail', error: new SegmentHeld().message } : outcome
}

async function outcomeOf(config: ConditionConfig, conditions: readonly PlacedCondition[], answers: Answers): Promise<Outcome> {
  let outcomes: FilterOutcome[] = []
  for (const { condition, exit } of conditions) {
    const { matches, leaves } = await answers.explain(condition)
    if (matches) return { kind: 'leave', exit, output: outputOf(config, leaves, exit) }
    outcomes = leaves
  }
  const exit = config.mode === 'multi' ? otherwise : no
  return { kind: 'leave', exit, output: outputOf(config, outcomes, exit) }
}

// A value of an event may have a megabyte, which is no part of what a step did, and a hundred filters may ask it.
const maxShown = 500

// A condition, or groups, go before a bare filter beside them.
const isBare = ({ condition, logic, groups }: ConditionConfig): boolean => (condition ?? logic ?? groups) === undefined

function outputOf(config: ConditionConfig, leaves: FilterOutcome[], branch: string): object {
  const { mode, field, operator, value } = config
  const [leaf] = leaves
  const actualValue = brief(leaf?.actual, maxShown)
  if (mode === 'multi') return { field, mode, matchedBranch: branch === otherwise ? null : branch, actualValue, branch }
  if (isBare(config)) return { field, operator, expectedValue: brief(value, maxShown), actualValue, result: branch === yes, branch }
  const filters = leaves.map((one) => ({
    field: one.field,
    operator: one.operator,
    actualValue: brief(one.actual, maxShown),
    result: one.matches,
  }))
  return { filters, result: branch === yes, branch }
}

/** The names of custom fields, events and segments that a condition asks; what asks the context of the execution is none of them. */
export function namesIn(one: Condition): string[] {
  const asks = [...leavesOf(one)].filter(({ filter }) => !filter.field.startsWith('event.') || asksHistory(filter.operator))
  return [...new Set(asks.map(({ filter }) => filter.field))]
}
