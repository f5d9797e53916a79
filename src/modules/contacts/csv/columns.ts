import { refusal } from '../../../kit/csv/csv.ts'
import { emailColumn, findColumn, namesOf } from '../../../kit/csv/header.ts'
import { refusedKey } from '../../../kit/shapes.ts'
import { whyUnstorable } from '../../../kit/unstorable.ts'
import { isReserved } from '../data.ts'

/** What the columns of a file mean: positions, from 0. */
export interface Columns {
  email: number
  /** Null without such a column. */
  subscribed: number | null
  /** The columns of custom data, each with its key. */
  fields: { at: number; key: string }[]
  /** The names of those that are ignored. */
  ignored?: string[] | undefined
}

/** Columns that an export has and an import ignores, because nobody may set them. */
export const timestampColumns = ['createdAt', 'updatedAt']
/** Before the key of custom data in the name of a column; necessary only where the key is the name of another column. */
export const fieldPrefix = 'data.'

const maxColumns = 2_100
const maxKeyLength = 255

/**
 * What the columns of a file mean, by their names in its first row: `email` and `subscribed` are found in upper and lower case,
 * `createdAt`, `updatedAt` and the reserved keys of data are ignored, every other one is custom data with its name as the key. Fails with VALIDATION_ERROR
 * without a column `email`, for names that cannot be keys, and for two columns of one key.
 */
export function columnsOf(header: string[]): Columns {
  if (header.length > maxColumns) throw refusal(`must have at most ${maxColumns} columns`, 'too_many_columns')
  const names = namesOf(header)
  const email = emailColumn(names)
  const subscribed = findColumn(names, 'subscribed')
  const fields = names.flatMap((name, at) => {
    if (at === email || at === subscribed || name === '' || isIgnored(name)) return []
    return { at, key: keyOf(name, at) }
  })
  requireDifferentKeys(names, fields)
  return { email, subscribed, fields, ignored: names.filter((name, at) => at !== email && isIgnored(name)) }
}

function isIgnored(name: string): boolean {
  return timestampColumns.includes(name) || isReserved(name.startsWith(fieldPrefix) ? name.slice(fieldPrefix.length) : name)
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
  const key = name.startsWith(fieldPrefix) ? name.slice(fieldPrefix.length) : name
  if (key === '' || key.length > maxKeyLength)
    throw refusal(`The name of column ${at + 1} must have 1 to ${maxKeyLength} characters`, 'invalid_column')
  if (key === refusedKey) throw refusal(`The name of column ${at + 1}, ${key}, must not be a key of custom data`, 'invalid_column')
  const problem = whyUnstorable(key)
  if (problem) throw refusal(`The name of column ${at + 1} ${problem}`, 'invalid_column')
  return key
}
