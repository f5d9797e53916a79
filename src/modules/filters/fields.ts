import { asksHistory, type FieldFilter } from './shapes.ts'

/** The field of a filter, by family. */
export type Field =
  | { family: 'email' }
  | { family: 'subscribed' }
  | { family: 'date'; key: 'createdAt' | 'updatedAt' }
  /** Custom data: the whole key, and the path that it also may be. */
  | { family: 'data'; key: string; path: string[] }
  /** The context of an execution, likewise. */
  | { family: 'context'; key: string; path: string[] }
  /** When an event last happened, by the name under which it is summarised. */
  | { family: 'event'; name: string }
  | { family: 'segment'; id: string }

/** Why a filter has no field. */
export interface UnknownField {
  family: 'unknown'
  message: string
}

/** Which lines of a name are summarised under another one, which conditions ask for: `people` those that no machine caused. */
type Counted = 'people' | 'permanent'

/** What happens to emails, as conditions ask for it. */
interface EmailActivity {
  /** What follows `email.` in a condition, in every spelling. */
  spellings: readonly string[]
  /** The name of the lines. */
  line: string
  /** Another name, which lines do not have, under which some of them are summarised as well. */
  counted?: { name: string; only: Counted }
}

/**
 * What happens to emails. A machine that opens or clicks is no person that did, and an address whose bounce passes still exists: those
 * lines are summarised under their own name alone, which no condition on `email.<activity>` asks for.
 */
export const emailActivities: readonly EmailActivity[] = [
  { spellings: ['sent'], line: 'email.sent' },
  { spellings: ['delivery', 'delivered'], line: 'email.delivery' },
  { spellings: ['open', 'opened'], line: 'email.open', counted: { name: 'email.opened', only: 'people' } },
  { spellings: ['click', 'clicked'], line: 'email.click', counted: { name: 'email.clicked', only: 'people' } },
  { spellings: ['bounce', 'bounced'], line: 'email.bounce', counted: { name: 'email.bounced', only: 'permanent' } },
  { spellings: ['complaint', 'complained'], line: 'email.complaint' },
]

/** Those of them that are summarised under a second name: the name of the lines, the other one, and which lines. */
export const countedActivities: readonly { line: string; name: string; only: Counted }[] = emailActivities.flatMap(({ line, counted }) =>
  counted ? { line, ...counted } : [],
)

// The name under which each activity of emails is summarised, by its spellings.
const activities: ReadonlyMap<string, string> = new Map(
  emailActivities.flatMap(({ spellings, line, counted }) => spellings.map((one) => [one, counted?.name ?? line])),
)

// The lines of the log behind those names that are not names of lines.
const lines: ReadonlyMap<string, string> = new Map(countedActivities.map(({ name, line }) => [name, line]))

const standard: Record<'email' | 'subscribed' | 'createdAt' | 'updatedAt', Field> = {
  email: { family: 'email' },
  subscribed: { family: 'subscribed' },
  createdAt: { family: 'date', key: 'createdAt' },
  updatedAt: { family: 'date', key: 'updatedAt' },
}

/** The field that a filter asks: custom fields, events and segments need not exist. */
export function fieldOf({ field, operator }: Pick<FieldFilter, 'field' | 'operator'>): Field | UnknownField {
  if (Object.hasOwn(standard, field)) return standard[field as keyof typeof standard]
  const dot = field.indexOf('.')
  const rest = field.slice(dot + 1)
  if (dot === -1 || rest === '') return unknownField
  const family = field.slice(0, dot)
  if (family === 'data') return { family, key: rest, path: rest.split('.') }
  if (family === 'event') return asksHistory(operator) ? { family, name: rest } : { family: 'context', key: rest, path: rest.split('.') }
  if (family === 'segment') return { family, id: rest }
  if (family !== 'email') return unknownField
  const name = activities.get(rest)
  return name === undefined ? unknownActivity : { family: 'event', name }
}

/** The names of the events that a field asks for, when they last happened: none, one, or both that a summary and its lines have. */
export function eventsAskedBy(field: string): string[] {
  const read = fieldOf({ field, operator: 'triggered' })
  if (read.family !== 'event') return []
  const line = lines.get(read.name)
  return line === undefined ? [read.name] : [read.name, line]
}

/** The fields that ask for an event of a name, or for its lines: in every spelling. */
export function fieldsAskingEvent(name: string): string[] {
  const counted = countedActivities.filter(({ line }) => line === name).map((one) => one.name)
  const emails = emailActivities.filter(({ line, counted }) => line === name || counted?.name === name)
  return [name, ...counted].map((one) => `event.${one}`).concat(emails.flatMap(({ spellings }) => spellings.map((one) => `email.${one}`)))
}

const unknownField: UnknownField = {
  family: 'unknown',
  message: `must be ${Object.keys(standard).join(', ')}, or begin with "data.", "event.", "email." or "segment.": custom fields are data.<key>`,
}

const unknownActivity: UnknownField = {
  family: 'unknown',
  message: 'names no activity of an email: use email.sent, delivered, opened, clicked, bounced or complained',
}

/** The value of a key in JSON, or at the dotted path that it also may be; undefined when there is none. Own keys of objects only. */
export function valueAt(root: unknown, { key, path }: { key: string; path: string[] }): unknown {
  const whole = child(root, key)
  return whole === undefined && path.length > 1 ? path.reduce(child, root) : whole
}

function child(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key]
}
