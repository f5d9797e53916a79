import type { Ctx } from '../../kit/context.ts'
import { invalid } from '../../kit/errors.ts'
import { createLoopShare } from '../../kit/loop-share.ts'
import { conditionsOf, type FindMembership, findMemberships, type Membership } from './compile.ts'
import { fieldOf } from './fields.ts'
import { eventsOf, isFilter, leavesOf, type ReadyFilter, readFilter, type Subject } from './language.ts'
import { areSame } from './membership.ts'
import { createTextSearch } from './operators/search.ts'
import type { Condition, FieldFilter, FilterGroup, FilterOutcome } from './shapes.ts'
import { findLastEvents } from './sql.ts'

type Call = Pick<Ctx, 'db' | 'clock' | 'projectId'>

/** One contact, as it was read, and the context of the execution that `event.<key>` asks. */
interface AboutContact {
  membership: FindMembership
  contact: Subject['contact'] & { id: string }
  context?: Record<string, unknown>
}

/** A condition about one contact. */
export type QuestionOfContact = AboutContact & { condition: Condition }

/** Why a contact matches a condition or not. */
export interface ExplainedMatch {
  matches: boolean
  /** Each filter, in order, with the value that the contact has and whether it matches. */
  leaves: FilterOutcome[]
}

/** Answers conditions about one contact. */
export interface Answers {
  matches(condition: Condition): Promise<boolean>
  explain(condition: Condition): Promise<ExplainedMatch>
}

/** Whether a contact matches a condition; see askContact. */
export async function matchesCondition(ctx: Call, { condition, ...asked }: QuestionOfContact): Promise<boolean> {
  return (await askContact(ctx, { ...asked, conditions: [condition] })).matches(condition)
}

/** Why a contact matches a condition or not; see askContact. */
export async function explainCondition(ctx: Call, { condition, ...asked }: QuestionOfContact): Promise<ExplainedMatch> {
  return (await askContact(ctx, { ...asked, conditions: [condition] })).explain(condition)
}

/**
 * Reads what some conditions ask of one contact, in a few statements that look rows up, however many filters there are. The contact and
 * the context are compared as they are given. Conditions of segments are evaluated here as well: as a predicate of a statement each
 * would be planned anew for one contact. Fails with VALIDATION_ERROR when the conditions are too large together with those of the
 * segments they lead to.
 */
export async function askContact(
  ctx: Call,
  { conditions, ...asked }: AboutContact & { conditions: readonly Condition[] },
): Promise<Answers> {
  const { contact, context = {} } = asked
  const { memberships, stored, lastAt } = await lookUp(ctx, { conditions, ...asked })
  const texts = createTextSearch(share)
  const subject = { contact, context, now: ctx.clock.now(), texts, lastAt, memberOf: new Set(stored) }
  return answersAbout(subject, memberships)
}

function answersAbout(subject: Subject & { memberOf: Set<string> }, memberships: ReadonlyMap<string, Membership>): Answers {
  const decided = new Set<string>()

  async function tested(filter: FieldFilter): Promise<{ actual?: unknown; matches: boolean }> {
    await share.take(unitsOf(filter))
    const { test, segmentId } = readyOf(filter)
    if (segmentId !== undefined) await decide(segmentId)
    const { actual, matches } = test(subject)
    return { actual, matches: await matches }
  }

  // There are no circles: findMemberships refuses them.
  async function decide(segmentId: string): Promise<void> {
    const membership = memberships.get(segmentId)
    if (membership?.kind !== 'condition' || decided.has(segmentId)) return
    if (await matches(membership.condition)) subject.memberOf.add(segmentId)
    decided.add(segmentId)
  }

  const matches = (condition: Condition): Promise<boolean> => conditionMatches(condition, async (filter) => (await tested(filter)).matches)

  return {
    matches,
    async explain(condition) {
      const outcomes = new Map<FieldFilter, boolean>()
      const leaves: FilterOutcome[] = []
      for (const { filter, path } of leavesOf(condition)) {
        const found = await tested(filter)
        outcomes.set(filter, found.matches)
        const { field, operator, value = null, unit = null } = filter
        leaves.push({ path: path.join('.'), field, operator, value, unit, actual: found.actual ?? null, matches: found.matches })
      }
      return { matches: await conditionMatches(condition, (filter) => outcomes.get(filter) ?? false), leaves }
    },
  }
}

// Of the process and not of each call, which are many at the same time: others are answered between the pieces of all of them. A unit is a
// character of a text that is looked through, about 2 ns.
const share = createLoopShare({ maxUnits: 2 ** 19, maxMs: 5 })
const unitsPerFilter = 256
const unitsPerListed = 256

// Its list is prepared when it is first tested.
function unitsOf(filter: FieldFilter): number {
  const listed = Array.isArray(filter.value) ? filter.value.length : 0
  return unitsPerFilter + listed * (readyFilters.has(filter) ? 1 : unitsPerListed)
}

interface Prepared extends Pick<ReadyFilter, 'test'> {
  /** The segment that it asks. */
  segmentId: string | undefined
}

// As long as the condition is cached: it is read, and its lists are prepared, once.
const readyFilters = new WeakMap<FieldFilter, Prepared>()

function readyOf(filter: FieldFilter): Prepared {
  const cached = readyFilters.get(filter)
  if (cached) return cached
  const ready = readFilter(filter, 'workflow')
  if ('problems' in ready) throw invalid('condition', ready.problems[0]?.message ?? 'is not valid')
  const field = fieldOf(filter)
  const made = { test: ready.test, segmentId: field.family === 'segment' ? field.id : undefined }
  readyFilters.set(filter, made)
  return made
}

async function conditionMatches(condition: Condition, matches: (filter: FieldFilter) => Promise<boolean> | boolean): Promise<boolean> {
  if (isFilter(condition)) return matches(condition)
  const isAnd = condition.logic === 'AND'
  for (const group of condition.groups) if ((await every(group, matches)) !== isAnd) return !isAnd
  return isAnd
}

async function every({ filters, conditions }: FilterGroup, matches: (filter: FieldFilter) => Promise<boolean> | boolean): Promise<boolean> {
  for (const filter of filters) if (!(await matches(filter))) return false
  return conditions === undefined || conditionMatches(conditions, matches)
}

async function lastEvents({ db, projectId }: Call, contactId: string, names: string[]): Promise<Map<string, Date>> {
  if (names.length === 0) return new Map()
  const rows = await db.run(findLastEvents, [projectId, contactId, names])
  return new Map(rows.map(({ name, at }) => [name, at]))
}

// As often as conditions may change meanwhile, one after the other.
const maxLooks = 10

/** What segments and events a contact is asked about, all of one moment. */
interface Looked {
  memberships: ReadonlyMap<string, Membership>
  stored: string[]
  lastAt: Map<string, Date>
}

// Again where a segment was changed or deleted between the looks: what it asked for may have been removed, because it asks no more.
async function lookUp(
  ctx: Call,
  { conditions, membership, contact }: AboutContact & { conditions: readonly Condition[] },
): Promise<Looked> {
  let memberships = await findMemberships(conditions, membership)
  for (let looks = 1; ; looks++) {
    const names = [...new Set([...conditions, ...conditionsOf(memberships)].flatMap(eventsOf))]
    const [lastAt, stored] = await Promise.all([lastEvents(ctx, contact.id, names), storedMemberships(memberships, contact.id)])
    if (memberships.size === 0 || looks === maxLooks) return { memberships, stored, lastAt }
    const again = await findMemberships(conditions, membership)
    if (areSame(memberships, again)) return { memberships, stored, lastAt }
    memberships = again
  }
}

// The segments with stored members that the contact is one of.
async function storedMemberships(memberships: ReadonlyMap<string, Membership>, contactId: string): Promise<string[]> {
  const found = [...memberships].map(async ([id, one]) => (one.kind === 'members' && (await one.has(contactId)) ? id : []))
  return (await Promise.all(found)).flat()
}
