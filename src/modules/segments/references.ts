import type { Ctx } from '../../kit/context.ts'
import { Failure, type FieldError, invalid } from '../../kit/errors.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import { fieldOf } from '../filters/fields.ts'
import { leavesOf, segmentsOf } from '../filters/language.ts'
import { membershipIn } from '../filters/membership.ts'
import type { Condition } from '../filters/shapes.ts'
import type { Segment } from './shapes.ts'
import { selectConditions } from './sql.ts'

/** What is wrong with a condition that was right when it was stored. */
export interface SegmentIssue {
  /** Where it is in the condition. */
  path: string
  message: string
}

/**
 * Requires that the segments that a condition refers to exist and, for the condition of a segment (`self`), that none of them
 * leads back to it. Fails with VALIDATION_ERROR. Call it under the lock of the project before a condition is stored: then no
 * parallel change can make a circle.
 */
export async function requireReferences(on: Executor, projectId: string, condition: Condition, self?: string): Promise<void> {
  const seen = new Set<string>()
  for (let ids = segmentsOf(condition), direct = true; ids.length > 0; direct = false) {
    if (self !== undefined && ids.includes(self))
      throw invalid('condition', 'refers to the segment itself, directly or through other segments', 'circular')
    const found = await on.run(selectConditions, [projectId, ids])
    if (direct) refuseUnknown(condition, new Set(found.map(({ id }) => id)))
    for (const id of ids) seen.add(id)
    ids = [...new Set(found.flatMap(({ condition: inner }) => (inner ? segmentsOf(inner) : [])))].filter((id) => !seen.has(id))
  }
}

function refuseUnknown(condition: Condition, existing: ReadonlySet<string>): void {
  const errors: FieldError[] = danglingIn(condition, existing).map((path) => ({
    field: ['condition', ...path, 'field'].join('.'),
    message: 'names no segment of this project',
    code: 'unknown_segment',
  }))
  const [first] = errors
  if (first) throw new Failure('VALIDATION_ERROR', `"${first.field}" ${first.message}.`, { errors })
}

function danglingIn(condition: Condition, existing: ReadonlySet<string>): (string | number)[][] {
  return [...leavesOf(condition)].flatMap(({ filter, path }) => {
    const field = fieldOf(filter)
    return field.family === 'segment' && !existing.has(field.id) ? [path] : []
  })
}

/** What is wrong with the condition of a segment: its references to segments that were deleted, which match nobody. */
export async function listIssues(
  ctx: Pick<Ctx, 'world' | 'projectId'>,
  { condition }: Pick<Segment, 'condition'>,
): Promise<SegmentIssue[]> {
  if (!condition) return []
  const find = membershipIn(ctx)
  const found = await Promise.all(segmentsOf(condition).map(async (id) => [id, (await find(id)).kind] as const))
  const existing = new Set(found.flatMap(([id, kind]) => (kind === 'nobody' ? [] : id)))
  return danglingIn(condition, existing).map((path) => ({
    path: path.join('.'),
    message: 'refers to a segment that was deleted: it has no members',
  }))
}
