import { Failure, type FieldError, invalid } from '../../kit/errors.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import { maxFilters } from './compile.ts'
import { fieldOf } from './fields.ts'
import { leavesOf, segmentsOf } from './language.ts'
import type { Condition } from './shapes.ts'
import { findSegments, selectAskedFields } from './sql.ts'

/** A condition that a caller sent: the field of the input that holds it, and the segment that it is to be the condition of. */
interface Sent {
  condition: Condition
  field?: string
  self?: string
}

/**
 * Requires that the segments that a condition refers to exist and, for the condition of a segment (`self`), that none of them
 * leads back to it. Fails with VALIDATION_ERROR. Call it under the lock of the project before a condition is stored: then no
 * parallel change can make a circle.
 */
export async function requireReferences(on: Executor, projectId: string, { condition, field = 'condition', self }: Sent): Promise<void> {
  const seen = new Set<string>()
  for (let ids = segmentsOf(condition), direct = true; ids.length > 0; direct = false) {
    if (self !== undefined && ids.includes(self))
      throw invalid(field, 'refers to the segment itself, directly or through other segments', 'circular')
    const found = await on.run(findSegments, [projectId, ids])
    if (direct) refuseUnknown(condition, field, new Set(found.map(({ id }) => id)))
    for (const id of ids) seen.add(id)
    ids = [...new Set(found.flatMap(({ condition: inner }) => (inner ? segmentsOf(inner) : [])))].filter((id) => !seen.has(id))
  }
}

/**
 * Requires that no condition that refers to a segment (`self`), also through others, comes to have more than 1,000 filters by its
 * new condition: nobody could evaluate it any more. Fails with VALIDATION_ERROR, which names one. Call it under the same lock.
 */
export async function requireRoomInOthers(
  on: Executor,
  projectId: string,
  { condition, self }: Required<Omit<Sent, 'field'>>,
): Promise<void> {
  const segments = (await on.run(selectAskedFields, [[projectId]])).filter(({ kind }) => kind === 'segment')
  const before = new Map(segments.map(({ id, fields }) => [id, fields]))
  const after = new Map(before).set(
    self,
    [...leavesOf(condition)].map(({ filter }) => filter.field),
  )
  const [countBefore, countAfter] = [counterOf(before), counterOf(after)]
  const full = segments.find(({ id }) => id !== self && countAfter(id) > maxFilters && countBefore(id) <= maxFilters)
  if (full)
    throw invalid('condition', `gives the segment "${full.name}", which refers to this one, more than ${maxFilters} filters`, 'too_big')
}

const segmentPrefix = 'segment.'

// Counts the filters of a segment with those of the segments it refers to. There are no circles.
function counterOf(fieldsOf: ReadonlyMap<string, string[]>): (id: string) => number {
  const counted = new Map<string, number>()
  return function count(id): number {
    const cached = counted.get(id)
    if (cached !== undefined) return cached
    const fields = fieldsOf.get(id) ?? []
    const total = fields.reduce(
      (sum, field) => sum + 1 + (field.startsWith(segmentPrefix) ? count(field.slice(segmentPrefix.length)) : 0),
      0,
    )
    counted.set(id, total)
    return total
  }
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
