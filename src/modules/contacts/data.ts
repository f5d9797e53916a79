import { isLonger } from '../../kit/cut.ts'
import { type Failure, invalid } from '../../kit/errors.ts'
import { sizeOfNumber } from '../../kit/json-length.ts'
import { type Json, maxDataKeys, refusedKey, reservedKeys } from '../../kit/shapes.ts'
import { notFinite } from '../../kit/unstorable.ts'

/** The type of a custom field, fixed when it is first seen. */
export type FieldType = 'string' | 'number' | 'boolean' | 'date'

/** The changes that a `data` object makes, by the rules for custom data. */
export interface DataPatch {
  /** Keys to store. */
  set: Record<string, Json>
  /** Keys to delete. */
  removed: string[]
  /** Every key with a value, unwrapped, for the templates, the event and the workflows of this call. */
  scope: Record<string, Json>
  /** The type of each stored value. */
  types: Record<string, FieldType>
  /** About how many bytes all values have as JSON, and never more but for numbers of more than 40 digits, see `sizeOfNumber`. */
  bytes: number
}

/** Keys that are no custom data: they are dropped wherever data is sent. */
export const isReserved = (key: string): boolean => reserved.has(key)

const reserved = new Set<string>(reservedKeys)
/** How many characters a key of custom data may have. */
export const maxKeyLength = 255
/** How many bytes of custom data a contact may have, as JSON. */
export const maxStoredBytes = 128 * 1024
const maxCallBytes = 1024 * 1024
const datePattern = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z)?$/

/**
 * Applies the rules for custom data to a `data` object: reserved keys are dropped, null deletes a key, an empty string is
 * ignored, `{ value, persistent: false }` applies to this call only, `{ value, persistent: true }` is unwrapped and stored.
 * Fails with VALIDATION_ERROR for more than 500 keys, for a key that is empty, longer than 255 characters or `__proto__`, for a number
 * beyond those of a double, for more than 128 KB to store, and for more than 1 MB in all.
 */
export function sortData(data: Record<string, Json> | undefined): DataPatch {
  return sort(data ?? {}, unwrap)
}

/** Applies the same rules to data without wrappers, such as the cells of a file: an object that looks like one is stored as it is. */
export function sortPlainData(data: Record<string, Json>): DataPatch {
  return sort(data, (value) => ({ value, stored: true }))
}

type Unwrap = (sent: Json) => { value: Json; stored: boolean }

function sort(data: Record<string, Json>, unwrapped: Unwrap): DataPatch {
  // Without a prototype, so that keys such as `constructor` are keys like any other.
  const patch: DataPatch = { set: Object.create(null), removed: [], scope: Object.create(null), types: Object.create(null), bytes: 0 }
  let storedBytes = 0
  const entries = Object.entries(data)
  if (entries.length > maxDataKeys) throw invalid('data', `must have at most ${maxDataKeys} keys`, 'too_big')
  for (const [key, sent] of entries) {
    if (reserved.has(key)) continue
    if (key === refusedKey) throw invalid(`data.${key}`, 'must not be a key of custom data', 'invalid_key')
    if (key === '' || isLonger(key, maxKeyLength)) throw invalid('data', `must have keys of 1 to ${maxKeyLength} characters`, 'invalid_key')
    const bytes = sortKey(patch, key, unwrapped(sent))
    if (Number.isNaN(bytes)) throw invalid(`data.${key}`, notFinite, 'invalid_number')
    patch.bytes += bytes
    if (Object.hasOwn(patch.set, key)) storedBytes += bytes
  }
  if (storedBytes > maxStoredBytes) throw tooLarge()
  if (patch.bytes > maxCallBytes)
    throw invalid(
      'data',
      'must be at most 1 MB as JSON, with the values that are not stored, and 4 KB for each number of more than 40 digits',
      'too_big',
    )
  return patch
}

/** The refusal of data that a contact has no room for. */
export function tooLarge(): Failure {
  return invalid('data', 'must leave the contact with at most 128 KB of stored data, as JSON', 'too_big')
}

// Returns the bytes of the key and its value.
function sortKey(patch: DataPatch, key: string, { value, stored }: ReturnType<Unwrap>): number {
  if (value === null) {
    if (stored) patch.removed.push(key)
    return 0
  }
  if (value === '') return 0
  patch.scope[key] = value
  if (stored) {
    patch.set[key] = value
    patch.types[key] = fieldTypeOf(value)
  }
  return key.length + 3 + bytesOf(value)
}

// NaN for a number that JSON cannot have, however deep it is.
function bytesOf(value: Json): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value === 'number') return Number.isFinite(value) ? sizeOfNumber(value) : Number.NaN
  if (typeof value !== 'object' || value === null) return 1
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + 1 + bytesOf(each), 1)
  let sum = 1
  for (const key in value) sum += key.length + 4 + bytesOf(value[key] as Json)
  return sum
}

function unwrap(sent: Json): ReturnType<Unwrap> {
  const wrapped =
    typeof sent === 'object' && sent !== null && !Array.isArray(sent) && 'value' in sent && typeof sent.persistent === 'boolean'
  if (!wrapped) return { value: sent, stored: true }
  return { value: sent.value ?? null, stored: sent.persistent === true }
}

/** The field type of a value; objects and arrays count as strings. */
export function fieldTypeOf(value: Json): FieldType {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' && datePattern.test(value) ? 'date' : 'string'
}

/** Patches as one that has the same effect as storing them one after the other. Each is looked at once, however much was merged before. */
export interface PatchMerge {
  add(later: Pick<DataPatch, 'set' | 'removed'>): void
  merged(): Pick<DataPatch, 'set' | 'removed'>
}

/** Begins to merge patches with the earliest one, which stays as it is. */
export function mergePatches(earliest: Pick<DataPatch, 'set' | 'removed'>): PatchMerge {
  const set = { ...earliest.set }
  const removed = new Set(earliest.removed)
  return {
    add(later) {
      Object.assign(set, later.set)
      for (const key of later.removed) {
        delete set[key]
        removed.add(key)
      }
    },
    merged: () => ({ set, removed: [...removed].filter((key) => !Object.hasOwn(set, key)) }),
  }
}
