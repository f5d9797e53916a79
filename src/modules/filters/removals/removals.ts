import type { Clock } from '../../../kit/clock.ts'
import { Failure } from '../../../kit/errors.ts'
import type { Executor } from '../../../kit/postgres/db.ts'
import { eventsAskedBy, fieldOf } from '../fields.ts'
import { fieldsOf } from '../language.ts'
import type { Condition } from '../shapes.ts'
import { countRemoved, endLease, insertRemoval, renewLease } from './sql.ts'

// How far apart the clocks of two processes may be, and a removal and its record.
const maxSkewMs = 5_000

interface Removal {
  projectId: string
  /** `data.` and a key of custom data, or `event.` and a name. */
  field: string
  at: Date
}

/**
 * Records that what conditions ask is removed, all at once: commit it with that. Work that goes on by an earlier condition ends then, because
 * it may ask what nothing else asks any more.
 */
export async function recordRemoval(on: Executor, { projectId, field, at }: Removal): Promise<void> {
  await on.run(insertRemoval, [projectId, field, at])
}

// Longer than a batch takes, also one that waits for a locked row.
const leaseMs = 120_000

/** A field of contacts that is being removed. */
interface Removing {
  projectId: string
  /** `data.` and its key. */
  field: string
}

/**
 * Removes a field of contacts in batches, and records as recordRemoval does that it is being removed: `renew`, to be called before each
 * batch, says that for two minutes. A field that does not exist is not recorded.
 */
export async function whileRemoving<Result>(
  { db, clock }: { db: Executor; clock: Clock },
  { projectId, field }: Removing,
  work: (renew: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const renew = async (): Promise<void> => {
    await db.run(renewLease, [projectId, field, new Date(clock.now().getTime() + leaseMs)])
  }
  const result = await work(renew)
  await db.run(endLease, [projectId, field, clock.now()])
  return result
}

/** The conditions that some work goes on by, and when it began. */
export interface Asked {
  conditions: readonly Condition[]
  since: Date
}

/**
 * Requires that nothing was removed that some conditions ask, since work began that goes on by them: what is left of a condition may match
 * everybody. To be asked after contacts were found by them. Fails with FieldRemoved.
 */
export async function requireUnremoved(on: Executor, projectId: string, { conditions, since }: Asked): Promise<void> {
  const names = [...new Set(conditions.flatMap(fieldsOf).flatMap(namesOf))]
  if (names.length === 0) return
  const [removed] = await on.run(countRemoved, [projectId, names, new Date(since.getTime() - maxSkewMs)])
  if (removed && removed.count > 0) throw new FieldRemoved()
}

/** A field or an event was deleted that says which contacts are meant by work which goes on. */
export class FieldRemoved extends Failure {
  constructor() {
    super('VALIDATION_ERROR', 'A field or an event that says which contacts are meant was deleted. What was done before stays.', {
      suggestion: 'Choose another condition.',
    })
  }
}

// A path may be a key with dots, or lead into the data of a shorter one.
function namesOf(field: string): string[] {
  const read = fieldOf({ field, operator: 'triggered' })
  if (read.family === 'data') return read.path.map((_, at) => `data.${read.path.slice(0, at + 1).join('.')}`)
  return eventsAskedBy(field).map((name) => `event.${name}`)
}
