import type { FieldType } from '../data.ts'
import type { Contact } from '../shapes.ts'

interface Column {
  /** Its name in the table. */
  name: string
  /** The type of the standard field that it is; null for what is no field of its own. */
  field: FieldType | null
  setBy: 'caller' | 'platform'
}

/**
 * The columns of a contact by its properties: the one list that statements, files, lists of fields and GraphQL are made of. The table has
 * others, which are no part of the record. What writes them is spelt out where it is written; a test compares it with this list.
 */
export const contactColumns = {
  id: { name: 'id', field: null, setBy: 'platform' },
  email: { name: 'email', field: 'string', setBy: 'caller' },
  subscribed: { name: 'subscribed', field: 'boolean', setBy: 'caller' },
  data: { name: 'data', field: null, setBy: 'caller' },
  createdAt: { name: 'created_at', field: 'date', setBy: 'platform' },
  updatedAt: { name: 'updated_at', field: 'date', setBy: 'platform' },
} as const satisfies Record<keyof Contact, Column>

type Columns = typeof contactColumns
type Property = keyof Columns
type Having<Part> = { [Key in Property]: Columns[Key] extends Part ? Key : never }[Property]

/** A property of a contact that callers set. */
export type GivenProperty = Having<{ setBy: 'caller' }>
/** A standard field of contacts: what every contact has beside custom data. */
export type StandardField = Having<{ field: FieldType }>
/** A standard field that callers set. */
export type GivenField = GivenProperty & StandardField

const columns = Object.entries(contactColumns) as [Property, Column][]

// `keyof` and a filter do not say which keys are left.
const fieldsSetBy = (who: Column['setBy']): StandardField[] =>
  columns.flatMap(([key, { field, setBy }]) => (field !== null && setBy === who ? [key as StandardField] : []))

/** The standard fields that callers set, in order. */
export const givenFields = fieldsSetBy('caller') as GivenField[]
/** Those that nobody sets: the platform does. */
export const ownFields = fieldsSetBy('platform')
/** The standard fields with their types. */
export const standardFields = Object.fromEntries(columns.flatMap(([key, { field }]) => (field === null ? [] : [[key, field]]))) as Record<
  StandardField,
  FieldType
>

/** The columns of a contact that Prisma reads: not its data, see findContactData. */
export const contactSelection = Object.fromEntries(columns.flatMap(([key]) => (key === 'data' ? [] : [[key, true]]))) as {
  [Key in Exclude<Property, 'data'>]: true
}

/** Other SQL for the id of a contact, where a statement checks it. */
interface Own {
  id?: string
}

/** SQL of the columns of a contact in the rows of an alias, with their own names. */
export function columnsOfRow(row: string, own: Own = {}): string {
  return columns.map(([key, { name }]) => named(sqlOf(row, key, own), name)).join(', ')
}

/** The same with the names of the properties of a Contact. */
export function recordOf(row: string, own: Own = {}): string {
  return columns.map(([key]) => named(sqlOf(row, key, own), key)).join(', ')
}

function sqlOf(row: string, key: Property, { id }: Own): string {
  return key === 'id' && id !== undefined ? id : `${row}.${contactColumns[key].name}`
}

function named(value: string, name: string): string {
  if (value.endsWith(`.${name}`)) return value
  return `${value} as ${/[A-Z]/.test(name) ? `"${name}"` : name}`
}
