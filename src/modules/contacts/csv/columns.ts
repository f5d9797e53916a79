import { refusal } from '../../../kit/csv/csv.ts'
import { emailColumn, findColumn, namesOf } from '../../../kit/csv/header.ts'
import { isLonger } from '../../../kit/cut.ts'
import { refusedKey } from '../../../kit/shapes.ts'
import { whyUnstorable } from '../../../kit/unstorable.ts'
import { isReserved, maxKeyLength } from '../data.ts'
import { type GivenField, givenFields, ownFields } from '../fields/columns.ts'
import { keyOfField } from '../fields/names.ts'

/** What the columns of a file mean: positions, from 0; null without a column of a standard field. */
export interface Columns extends Readonly<Record<Exclude<GivenField, 'email'>, number | null>> {
  email: number
  /** The columns of custom data, each with its key. */
  fields: { at: number; key: string }[]
  /** The names of those that are ignored. */
  ignored?: string[] | undefined
}

const maxColumns = 2_100

/**
 * What the columns of a file mean, by their names in its first row: `email` and `subscribed` are found in upper and lower case,
 * `createdAt`, `updatedAt` and the reserved keys of data are ignored, every other one is custom data with its name as the key. Fails with VALIDATION_ERROR
 * without a column `email`, for names that cannot be keys, and for two columns of one key.
 */
export function columnsOf(header: string[]): Columns {
  if (header.length > maxColumns) throw refusal(`must have at most ${maxColumns} columns`, 'too_many_columns')
  const names = namesOf(header)
  const given = { subscribed: findColumn(names, 'subscribed'), email: emailColumn(names) }
  const standard = new Set<number | null>(Object.values(given))
  const fields = names.flatMap((name, at) => (standard.has(at) || name === '' || isIgnored(name) ? [] : [{ at, key: keyOf(name, at) }]))
  requireDifferentKeys(names, fields)
  return { ...given, fields, ignored: names.filter((name, at) => !standard.has(at) && isIgnored(name)) }
}

function isIgnored(name: string): boolean {
  return isOwn(name) || isReserved(keyOfField(name))
}

/** What the columns are called that an export has and an import ignores, because nobody may set them. */
export const ignoredNames = ownFields.map((field) => `\`${field}\``).join(', ')

const isOwn = (name: string): boolean => ownFields.some((field) => field === name)

/** Whether a file has something else than custom data in a column of this name. */
export function isColumnName(name: string): boolean {
  return isOwn(name) || givenFields.some((field) => field.toLowerCase() === name.toLowerCase())
}

// Otherwise the value of one of them would be lost without a word.
function requireDifferentKeys(names: string[], fields: Columns['fields']): void {
  const columns = new Map<string, number>()
  for (const { at, key } of fields) {
    const first = columns.get(key)
    if (first !== undefined)
      throw refusal(
        `Columns ${first + 1} ("${names[first]}") and ${at + 1} ("${names[at]}") are both the data "${key}"`,
        'duplicate_column',
      )
    columns.set(key, at)
  }
}

function keyOf(name: string, at: number): string {
  const key = keyOfField(name)
  if (key === '' || isLonger(key, maxKeyLength))
    throw refusal(`The name of column ${at + 1} must have 1 to ${maxKeyLength} characters`, 'invalid_column')
  if (key === refusedKey) throw refusal(`The name of column ${at + 1}, ${key}, must not be a key of custom data`, 'invalid_column')
  const problem = whyUnstorable(key)
  if (problem) throw refusal(`The name of column ${at + 1} ${problem}`, 'invalid_column')
  return key
}
