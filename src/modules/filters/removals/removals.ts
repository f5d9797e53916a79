import type { Clock } from '../../../kit/clock.ts'
import { Failure } from '../../../kit/errors.ts'
import { readerOfProjects } from '../../../kit/load.ts'
import type { Executor } from '../../../kit/postgres/db.ts'
import { eventsAskedBy, fieldOf } from '../fields.ts'
import { fieldsOf, leavesOf } from '../language.ts'
import type { Condition, FieldFilter } from '../shapes.ts'
import { countRemoved, endLease, everything, findRemoved, insertRemoval, renewLease } from './sql.ts'

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
  if (await isRemoved(on, projectId, { fields: conditions.flatMap(fieldsOf), since })) throw new FieldRemoved()
}

/** Fields, as conditions name them, and when they were chosen. */
export interface Chosen {
  fields: string[]
  since: Date
}

/** Whether one of some fields was removed since they were chosen. */
export async function isRemoved(on: Executor, projectId: string, { fields, since }: Chosen): Promise<boolean> {
  const names = [...new Set(fields.flatMap(namesOf))]
  if (names.length === 0) return false
  const [removed] = await on.run(countRemoved, [projectId, names, new Date(since.getTime() - maxSkewMs)])
  return removed !== undefined && removed.count > 0
}

/** The same for many callers at once. */
export const removalIn = readerOfProjects(async ({ world, projectId }, asked: Chosen[]): Promise<boolean[]> => {
  const names = asked.map(({ fields }) => fields.flatMap(namesOf))
  const wanted = [...new Set(names.flat())]
  if (wanted.length === 0) return asked.map(() => false)
  const removedAt = new Map((await world.db.run(findRemoved, [projectId, wanted])).map(({ field, at }) => [field, at.getTime()]))
  return asked.map(({ since }, at) => {
    const own = names[at] ?? []
    const times = own.length > 0 ? [everything, ...own].map((name) => removedAt.get(name) ?? 0) : []
    return times.some((time) => time >= since.getTime() - maxSkewMs)
  })
}, 500)

/** A filter that matches more contacts once what it asks is removed: what it asks must be missing, or must not have happened. */
const asksAbsence = ({ operator }: FieldFilter): boolean =>
  operator === 'notExists' || operator === 'notTriggered' || operator === 'notTriggeredWithin'

/**
 * The fields that a condition asks, also through segments (`conditionOf` them), and whose removal makes it match more contacts. What is
 * asked of those who are no members counts the other way round.
 */
export function fieldsThatWiden(condition: Condition, conditionOf: (segmentId: string) => Condition | null): string[] {
  const seen = new Set<string>()
  const within = (one: Condition, isOfOthers: boolean): string[] =>
    [...leavesOf(one)].flatMap(({ filter }) => {
      const field = fieldOf(filter)
      if (field.family !== 'segment') return asksAbsence(filter) !== isOfOthers ? filter.field : []
      const ofOthers = (filter.operator === 'notMemberOfSegment') !== isOfOthers
      const asked = conditionOf(field.id)
      const key = `${field.id} ${ofOthers}`
      if (!asked || seen.has(key)) return []
      seen.add(key)
      return within(asked, ofOthers)
    })
  return [...new Set(within(condition, false))]
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
