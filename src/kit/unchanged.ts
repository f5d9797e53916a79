import { z } from 'zod'
import { Failure } from './errors.ts'

/** Part of the input of a change: the moment from which the thing must not have changed. */
export const IfUnchanged = z.object({
  ifUpdatedAt: z
    .date()
    .optional()
    .describe('The `updatedAt` that was read: fails with CONFLICT when it has changed since. Default: whatever has changed is replaced.'),
})
/** Part of the input of a change: the moment from which the thing must not have changed. */
export type IfUnchanged = z.output<typeof IfUnchanged>

/** SQL: what `updated_at` of a row becomes by a change at a time: later than it was, so that two changes in a millisecond are two. */
export const changedAt = (at: string, row: string): string => `greatest(${at}::timestamptz, ${row}.updated_at + interval '1 millisecond')`

/** SQL for what a change returns: the names of these columns, which are those of their fields, that have another value than before. */
export const changedOf = (columns: readonly string[]): string =>
  `array_remove(array[${columns.map((name) => `case when old.${name} is distinct from new.${name} then '${name}' end`).join(', ')}], null)`

/** Requires that something that is locked has not changed since it was read. Fails with CONFLICT. */
export function requireUnchanged({ updatedAt }: { updatedAt: Date }, { ifUpdatedAt }: IfUnchanged): void {
  if (ifUpdatedAt && updatedAt.getTime() !== ifUpdatedAt.getTime())
    throw new Failure('CONFLICT', `It has changed since it was read: at ${updatedAt.toISOString()}.`, {
      suggestion: 'Read it again, and change what it is now.',
    })
}
