import { type Field, fieldOf, valueAt } from './fields.ts'
import type { Problem } from './operators/arguments.ts'
import { dateRules, emailRules, subscribedRules } from './operators/contact.ts'
import { dataRules } from './operators/data.ts'
import { eventRules, segmentRules } from './operators/history.ts'
import type { EvaluationContext, Rules, Scope } from './operators/rule.ts'
import { type Condition, type FieldFilter, FilterOperator } from './shapes.ts'

/** What a condition is used for: that of a workflow may also ask the context of the execution. */
export type Use = 'audience' | 'workflow'

/** What is known of one contact. */
export interface Subject extends EvaluationContext {
  contact: { email: string; subscribed: boolean; data: Record<string, unknown>; createdAt: Date; updatedAt: Date }
  /** The context of an execution, which `event.<key>` asks. */
  context: Record<string, unknown>
  /** When each event last happened to the contact, by the name under which it is summarised. */
  lastAt: ReadonlyMap<string, Date>
  /** The segments, of those that the condition names, that the contact is a member of. */
  memberOf: ReadonlySet<string>
}

/** A filter that is ready to be used. */
export interface ReadyFilter {
  /** Why it is refused when it is sent: one that was stored before goes on as it did. */
  outdated: Problem[]
  sql(scope: Scope): string
  /** The value that a contact has, and whether it matches. */
  test(subject: Subject): { actual: unknown; matches: boolean | Promise<boolean> }
}

/** Reads a filter: its field, its operator and its value; returns what is wrong with it otherwise. */
export function readFilter(filter: FieldFilter, use: Use): ReadyFilter | { problems: Problem[] } {
  const field = fieldOf(filter)
  if (field.family === 'unknown') return { problems: [{ part: 'field', message: field.message, code: 'unknown_field' }] }
  if (field.family === 'context' && use === 'audience') return mismatch(filter, Object.keys(eventRules('')))
  return readerOf(field)(filter)
}

/**
 * The operators that a field takes, by its name as conditions have it; none for a name that is no field. `event.<name>` and
 * `segment.<id>` need not exist.
 */
export function operatorsOf(name: string, use: Use): FilterOperator[] {
  const families = [fieldOf({ field: name, operator: 'exists' }), fieldOf({ field: name, operator: 'triggered' })]
  const fields = families.filter((field) => field.family !== 'unknown' && (field.family !== 'context' || use === 'workflow')) as Field[]
  return FilterOperator.options.filter((operator) => fields.some((field) => operator in rulesOf(field)))
}

function rulesOf(field: Field): object {
  if (field.family === 'email') return emailRules
  if (field.family === 'subscribed') return subscribedRules
  if (field.family === 'date') return dateRules(field.key)
  if (field.family === 'data' || field.family === 'context') return dataRules(field)
  return field.family === 'event' ? eventRules(field.name) : segmentRules(field.id)
}

type Reader = (filter: FieldFilter) => ReadyFilter | { problems: Problem[] }

function readerOf(field: Field): Reader {
  if (field.family === 'email') return reader(emailRules, ({ contact }) => contact.email)
  if (field.family === 'subscribed') return reader(subscribedRules, ({ contact }) => contact.subscribed)
  if (field.family === 'date') return reader(dateRules(field.key), ({ contact }) => contact[field.key])
  if (field.family === 'data') return reader(dataRules(field), ({ contact }) => valueAt(contact.data, field))
  if (field.family === 'context') return inMemory(reader(dataRules(field), ({ context }) => valueAt(context, field)))
  if (field.family === 'event') return reader(eventRules(field.name), ({ lastAt }) => lastAt.get(field.name) ?? null)
  return reader(segmentRules(field.id), ({ memberOf }) => memberOf.has(field.id))
}

function reader<Actual>(rules: Rules<Actual>, actualOf: (subject: Subject) => Actual): Reader {
  return (filter) => {
    const read = rules[filter.operator]?.read(filter)
    if (!read) return mismatch(filter, Object.keys(rules))
    if ('problems' in read) return read
    const { operation, outdated } = read
    return {
      outdated,
      sql: operation.sql,
      test(subject) {
        const actual = actualOf(subject)
        return { actual, matches: operation.matches(actual, subject) }
      },
    }
  }
}

// Contacts have no context: a condition with such a filter is never compiled.
function inMemory(read: Reader): Reader {
  return (filter) => {
    const ready = read(filter)
    if ('problems' in ready) return ready
    return {
      ...ready,
      sql() {
        throw new Error(`${filter.field} asks the context of an execution, which contacts do not have`)
      },
    }
  }
}

function mismatch({ operator, field }: FieldFilter, operators: string[]): { problems: Problem[] } {
  const message = `"${operator}" cannot be used with ${field.slice(0, 100)}: use ${operators.slice(0, -1).join(', ')} or ${operators.at(-1)}`
  return { problems: [{ part: 'operator', message, code: 'unsupported_operator' }] }
}

type Path = (string | number)[]

/** A filter of a condition, and where it is: the number of the level, from 1, and the path. */
interface Leaf {
  filter: FieldFilter
  path: Path
}

/** Whether a condition is a single filter. */
export function isFilter(condition: Condition): condition is FieldFilter {
  return !('groups' in condition)
}

/** The filters of a condition, in order. */
export function* leavesOf(condition: Condition, path: Path = []): Generator<Leaf> {
  if (isFilter(condition)) {
    yield { filter: condition, path }
    return
  }
  for (const [at, { filters, conditions }] of condition.groups.entries()) {
    for (const [nth, filter] of filters.entries()) yield { filter, path: [...path, 'groups', at, 'filters', nth] }
    if (conditions) yield* leavesOf(conditions, [...path, 'groups', at, 'conditions'])
  }
}

/** The fields that a condition asks, each once, as they were sent. */
export function fieldsOf(condition: Condition): string[] {
  return [...new Set([...leavesOf(condition)].map(({ filter }) => filter.field))]
}

/** The ids of the segments that a condition refers to, each once. */
export function segmentsOf(condition: Condition): string[] {
  const fields = [...leavesOf(condition)].map(({ filter }) => fieldOf(filter))
  return [...new Set(fields.flatMap((field) => (field.family === 'segment' ? field.id : [])))]
}

/** The names of events, as they are summarised, that a condition asks for, each once. */
export function eventsOf(condition: Condition): string[] {
  const fields = [...leavesOf(condition)].map(({ filter }) => fieldOf(filter))
  return [...new Set(fields.flatMap((field) => (field.family === 'event' ? field.name : [])))]
}

/** What is wrong with a part of a condition. */
interface PlacedProblem {
  path: Path
  message: string
  code: string
}

/** Everything that is wrong with a condition that is sent and whose shape and size are right, each at its path. */
export function problemsOfCondition(condition: Condition, use: Use): PlacedProblem[] {
  return problemsIn(condition, (filter) => {
    const read = readFilter(filter, use)
    return 'problems' in read ? read.problems : read.outdated
  })
}

/** The same of one that is stored: only what keeps it from being used. */
export function problemsOfStored(condition: Condition, use: Use): PlacedProblem[] {
  return problemsIn(condition, (filter) => {
    const read = readFilter(filter, use)
    return 'problems' in read ? read.problems : []
  })
}

function problemsIn(condition: Condition, problemsOf: (filter: FieldFilter) => Problem[]): PlacedProblem[] {
  const leaves = [...leavesOf(condition)]
  const empty = emptyGroups(condition).map((path) => ({
    path: [...path, 'filters'],
    message: 'must have at least one filter, unless the group has conditions',
    code: 'too_small',
  }))
  const wrong = leaves.flatMap(({ filter, path }) =>
    problemsOf(filter).map(({ part, message, code }) => ({ path: [...path, part], message, code })),
  )
  return [...empty, ...wrong]
}

function emptyGroups(condition: Condition, path: Path = []): Path[] {
  if (isFilter(condition)) return []
  return condition.groups.flatMap(({ filters, conditions }, at) => {
    if (conditions) return emptyGroups(conditions, [...path, 'groups', at, 'conditions'])
    return filters.length === 0 ? [[...path, 'groups', at]] : []
  })
}
