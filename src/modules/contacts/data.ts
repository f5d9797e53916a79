import { invalid } from '../../kit/errors.ts'

/** A JSON value as custom data holds it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** The type of a custom field, fixed when it is first seen. */
export type FieldType = 'string' | 'number' | 'boolean' | 'date'

/** What a `data` object asks for, sorted by the custom data rules. */
export interface DataPatch {
  /** Keys to store. */
  set: Record<string, Json>
  /** Keys to delete. */
  removed: string[]
  /** Everything with a value, unwrapped, for templates, the event row and workflows of this call. */
  scope: Record<string, Json>
  /** The type each stored key shows. */
  types: Record<string, FieldType>
}

const reserved = new Set(['id', 'plunk_id', 'plunk_email', 'email', 'unsubscribeUrl', 'subscribeUrl', 'manageUrl'])
const mostKeys = 500
const mostKeyLength = 255
const datePattern = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z)?$/

/**
 * Sorts a `data` object by the custom data rules: reserved keys are dropped, null deletes, an empty string is ignored,
 * `{ value, persistent: false }` is for this call only, `{ value, persistent: true }` is unwrapped and stored.
 * Throws VALIDATION_ERROR for more than 500 keys, an empty key or one over 255 characters.
 */
export function sortData(data: Record<string, Json> | undefined): DataPatch {
  // Without a prototype, so that a key named __proto__ is a key like any other.
  const patch: DataPatch = { set: Object.create(null), removed: [], scope: Object.create(null), types: Object.create(null) }
  const entries = Object.entries(data ?? {})
  if (entries.length > mostKeys) throw invalid('data', `must have at most ${mostKeys} keys`, 'too_big')
  for (const [key, sent] of entries) {
    if (reserved.has(key)) continue
    if (key === '' || key.length > mostKeyLength) throw invalid('data', `must have keys of 1 to ${mostKeyLength} characters`, 'invalid_key')
    sortKey(patch, key, sent)
  }
  return patch
}

function sortKey(patch: DataPatch, key: string, sent: Json): void {
  const { value, stored } = unwrap(sent)
  if (value === null) {
    if (stored) patch.removed.push(key)
    return
  }
  if (value === '') return
  patch.scope[key] = value
  if (!stored) return
  patch.set[key] = value
  patch.types[key] = typeOf(value)
}

function unwrap(sent: Json): { value: Json; stored: boolean } {
  const wrapped =
    typeof sent === 'object' && sent !== null && !Array.isArray(sent) && 'value' in sent && typeof sent.persistent === 'boolean'
  if (!wrapped) return { value: sent, stored: true }
  return { value: sent.value ?? null, stored: sent.persistent === true }
}

/** The type a value shows; objects and arrays count as string. */
export function typeOf(value: Json): FieldType {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' && datePattern.test(value) ? 'date' : 'string'
}

/** Two patches as one, the later over the earlier: what storing one after the other would do. */
export function mergePatches(
  earlier: Pick<DataPatch, 'set' | 'removed'>,
  later: Pick<DataPatch, 'set' | 'removed'>,
): Pick<DataPatch, 'set' | 'removed'> {
  const set = { ...earlier.set, ...later.set }
  for (const key of later.removed) delete set[key]
  return { set, removed: [...new Set([...earlier.removed, ...later.removed])].filter((key) => !(key in set)) }
}
