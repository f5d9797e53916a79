import { Failure, type FieldError, invalid } from '../../kit/errors.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import { fieldOf } from './fields.ts'
import { leavesOf } from './language.ts'
import type { Condition } from './shapes.ts'
import { findSegments, selectSegmentSizes } from './sql.ts'

/** How large a condition is with those of the segments it leads to, each counted as often as it is referred to. */
export interface Size {
  filters: number
  /** The values of their lists. */
  values: number
}

/** The most that a condition may have: who asks it of one contact, or of all, has to look at each. */
const maxSize: Size = { filters: 1_000, values: 5_000 }

/** Why a size is too large, as the end of a sentence; undefined when it is not. */
export function whyTooLarge({ filters, values }: Size): string | undefined {
  if (filters > maxSize.filters) return `has more than ${maxSize.filters} filters with those of the segments it refers to`
  if (values > maxSize.values) return `has more than ${maxSize.values} values in lists with those of the segments it refers to`
  return undefined
}

/** The sum of some sizes. */
export function sumOf(sizes: readonly Size[]): Size {
  const sum = { filters: 0, values: 0 }
  for (const { filters, values } of sizes) {
    sum.filters += filters
    sum.values += values
  }
  return sum
}

/** What a condition has itself: its size, and the segments it refers to, as often as it does. */
interface Own extends Size {
  segmentIds: string[]
}

function ownOf(condition: Condition): Own {
  const filters = [...leavesOf(condition)].map(({ filter }) => filter)
  const fields = filters.map(fieldOf)
  return {
    filters: filters.length,
    values: filters.reduce((sum, { value }) => sum + (Array.isArray(value) ? value.length : 0), 0),
    segmentIds: fields.flatMap((field) => (field.family === 'segment' ? field.id : [])),
  }
}

// Each segment is looked at once. Fails with VALIDATION_ERROR when segments refer to each other in a circle.
function sizesWith(ownOfSegment: (id: string) => Own | undefined): (own: Own) => Size {
  const sizes = new Map<string, Size | 'open'>()
  const size = ({ segmentIds, ...own }: Own): Size => sumOf([own, ...segmentIds.map(ofSegment)])
  function ofSegment(id: string): Size {
    const found = sizes.get(id)
    if (found === 'open') throw invalid('condition', 'refers to segments that refer to each other in a circle', 'circular')
    if (found) return found
    sizes.set(id, 'open')
    const own = ownOfSegment(id)
    const counted = own ? size(own) : { filters: 0, values: 0 }
    sizes.set(id, counted)
    return counted
  }
  return size
}

/** How segments are read, and which condition one has. */
interface Reading<Found> {
  read(ids: string[]): Promise<ReadonlyMap<string, Found>>
  conditionOf(found: Found): Condition | null
}

/**
 * The segments that some conditions lead to, read level by level. Fails with VALIDATION_ERROR, which blames `field`, when segments refer
 * to each other in a circle, and when the conditions are too large together.
 */
export async function findReached<Found>(
  conditions: readonly Condition[],
  { read, conditionOf }: Reading<Found>,
  field = 'condition',
): Promise<Map<string, Found>> {
  const reached = new Map<string, Found>()
  const owns = new Map<string, Own>()
  const given = conditions.map(ownOf)
  let level = given
  for (let once = sumOf(given); level.length > 0; once = sumOf([once, ...level])) {
    // What is read is bounded as well.
    requireSize(once, field)
    const ids = [...new Set(level.flatMap(({ segmentIds }) => segmentIds))].filter((id) => !reached.has(id))
    if (ids.length === 0) break
    const found = await read(ids)
    for (const [id, one] of found) reached.set(id, one)
    level = []
    for (const [id, one] of found) {
      const condition = conditionOf(one)
      if (!condition) continue
      const own = ownOf(condition)
      owns.set(id, own)
      level.push(own)
    }
  }
  requireSize(sumOf(given.map(sizesWith((id) => owns.get(id)))), field)
  return reached
}

function requireSize(size: Size, field: string): void {
  const message = whyTooLarge(size)
  if (message) throw invalid(field, message, 'too_big')
}

/** Conditions that a caller sent: the field of the input that holds each, and the segment that one is to be the condition of. */
interface Sent {
  condition: Condition
  field?: string
  self?: string
}

/**
 * Requires that the segments that a condition refers to exist, that it is not too large with those of the segments it leads to and,
 * for the condition of a segment (`self`), that none of them leads back to it. Fails with VALIDATION_ERROR. Call it under
 * `lockReferences` before a condition is stored: then no parallel change can make a circle, or delete one of them.
 */
export async function requireReferences(on: Executor, projectId: string, { condition, field = 'condition', self }: Sent): Promise<void> {
  let direct = true
  const read = async (ids: string[]) => {
    if (self !== undefined && ids.includes(self))
      throw invalid(field, 'refers to the segment itself, directly or through other segments', 'circular')
    const rows = await on.run(findSegments, [projectId, ids])
    if (direct) refuseUnknown(condition, field, new Set(rows.map(({ id }) => id)))
    direct = false
    return new Map(rows.map((row) => [row.id, row.condition]))
  }
  await findReached([condition], { read, conditionOf: parsed }, field)
}

const parsed = (text: string | null): Condition | null => (text === null ? null : (JSON.parse(text) as Condition))

/**
 * Requires that some conditions, which are asked together, are not too large together. Fails with VALIDATION_ERROR, which blames
 * `field`.
 */
export async function requireRoomTogether(
  on: Executor,
  projectId: string,
  { conditions, field }: { conditions: readonly Condition[]; field: string },
): Promise<void> {
  const read = async (ids: string[]) => new Map((await on.run(findSegments, [projectId, ids])).map((row) => [row.id, row.condition]))
  await findReached(conditions, { read, conditionOf: parsed }, field)
}

/**
 * Requires that no condition of a segment that refers to a segment (`self`), also through others, comes to be too large by its new
 * condition: nobody could evaluate it any more. Fails with VALIDATION_ERROR, which names one. Call it under the same lock.
 */
export async function requireRoomInOthers(
  on: Executor,
  projectId: string,
  { condition, self }: Required<Omit<Sent, 'field'>>,
): Promise<void> {
  const segments = await on.run(selectSegmentSizes, [projectId])
  const before = new Map(segments.map((row) => [row.id, ownOfRow(row)]))
  const after = new Map(before).set(self, ownOf(condition))
  const [sizeBefore, sizeAfter] = [sizesWith((id) => before.get(id)), sizesWith((id) => after.get(id))]
  for (const { id, name } of segments) {
    const own = id === self ? undefined : before.get(id)
    const message = own && whyTooLarge(sizeAfter(own))
    if (message && !whyTooLarge(sizeBefore(own)))
      throw invalid('condition', `makes the segment "${name}", which refers to this one, too large: it ${message}`, 'too_big')
  }
}

const segmentPrefix = 'segment.'

function ownOfRow({ fields, values }: { fields: string[]; values: number }): Own {
  const segmentIds = fields.filter((field) => field.startsWith(segmentPrefix)).map((field) => field.slice(segmentPrefix.length))
  return { filters: fields.length, values, segmentIds }
}

function refuseUnknown(condition: Condition, field: string, existing: ReadonlySet<string>): void {
  const errors: FieldError[] = danglingIn(condition, existing).map((path) => ({
    field: [field, ...path, 'field'].join('.'),
    message: 'names no segment of this project',
    code: 'unknown_segment',
  }))
  const [first] = errors
  if (first) throw new Failure('VALIDATION_ERROR', `"${first.field}" ${first.message}.`, { errors })
}

/** Where in a condition there are references to segments other than the `existing` ones. */
export function danglingIn(condition: Condition, existing: ReadonlySet<string>): (string | number)[][] {
  return [...leavesOf(condition)].flatMap(({ filter, path }) => {
    const field = fieldOf(filter)
    return field.family === 'segment' && !existing.has(field.id) ? [path] : []
  })
}
