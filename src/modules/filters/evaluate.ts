import type { Ctx } from '../../kit/context.ts'
import { invalid } from '../../kit/errors.ts'
import { type FindMembership, membershipOf, prepareCondition } from './compile.ts'
import { parameters } from './filters.ts'
import { eventsOf, isFilter, leavesOf, readFilter, type Subject, segmentsOf } from './language.ts'
import type { Condition, FieldFilter, FilterOutcome } from './shapes.ts'
import { findLastEvents, whichMatch } from './sql.ts'

type Call = Pick<Ctx, 'db' | 'clock' | 'projectId'>

/** A condition about one contact, as it was read, and the context of the execution that `event.<key>` asks. */
export interface QuestionOfContact {
  condition: Condition
  membership: FindMembership
  contact: Subject['contact'] & { id: string }
  context?: Record<string, unknown>
}

/**
 * Whether a contact matches a condition. The contact and the context are compared as they are given; events and segments are
 * read from the database.
 */
export async function matchesCondition(ctx: Call, question: QuestionOfContact): Promise<boolean> {
  const subject = await subjectOf(ctx, question)
  return joined(question.condition, (filter) => tested(filter, subject).matches)
}

/** Why a contact matches a condition or not: each filter, in order, with the value that the contact has and whether it matches. */
export async function explainCondition(ctx: Call, question: QuestionOfContact): Promise<{ matches: boolean; leaves: FilterOutcome[] }> {
  const subject = await subjectOf(ctx, question)
  const leaves = [...leavesOf(question.condition)].map(({ filter, path }): FilterOutcome => {
    const { actual = null, matches } = tested(filter, subject)
    const { field, operator, value = null, unit = null } = filter
    return { path: path.join('.'), field, operator, value, unit, actual, matches }
  })
  return { matches: joined(question.condition, (filter) => tested(filter, subject).matches), leaves }
}

function tested(filter: FieldFilter, subject: Subject): { actual?: unknown; matches: boolean } {
  const ready = readFilter(filter, 'workflow')
  if ('problems' in ready) throw invalid('condition', ready.problems[0]?.message ?? 'is not valid')
  return ready.test(subject)
}

function joined(condition: Condition, matches: (filter: FieldFilter) => boolean): boolean {
  if (isFilter(condition)) return matches(condition)
  const { logic, groups } = condition
  const every = (group: (typeof groups)[number]) =>
    group.filters.every(matches) && (group.conditions === undefined || joined(group.conditions, matches))
  return logic === 'AND' ? groups.every(every) : groups.some(every)
}

async function subjectOf(ctx: Call, question: QuestionOfContact): Promise<Subject> {
  const { contact, condition, context = {} } = question
  const [lastAt, memberOf] = await Promise.all([lastEvents(ctx, contact.id, eventsOf(condition)), segmentsWith(ctx, question)])
  return { contact, context, now: ctx.clock.now(), lastAt, memberOf }
}

async function lastEvents({ db, projectId }: Call, contactId: string, names: string[]): Promise<Map<string, Date>> {
  if (names.length === 0) return new Map()
  const rows = await db.run(findLastEvents, [projectId, contactId, names])
  return new Map(rows.map(({ name, at }) => [name, at]))
}

// The segments of the condition that the contact is a member of.
async function segmentsWith(ctx: Call, { condition, membership, contact }: QuestionOfContact): Promise<Set<string>> {
  const ids = segmentsOf(condition)
  if (ids.length === 0) return new Set()
  const prepared = await prepareCondition(ctx, { condition, membership })
  const { values, bind } = parameters(ctx.projectId, contact.id)
  const predicates = ids.map((id) => membershipOf(prepared, bind, id))
  const [found] = await ctx.db.run(whichMatch(predicates), values)
  return new Set(ids.filter((_, at) => found?.matches[at]))
}
