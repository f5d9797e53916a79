import type { Clock } from '../../../kit/clock.ts'
import { Failure } from '../../../kit/errors.ts'
import { readerOfProjects } from '../../../kit/load.ts'
import type { Executor } from '../../../kit/postgres/db.ts'
import type { Membership } from '../compile.ts'
import { eventsAskedBy, fieldOf } from '../fields.ts'
import { fieldsOf, leavesOf } from '../language.ts'
import type { Condition, FieldFilter } from '../shapes.ts'
import { endLease, everything, findRemoved, insertRemoval, type Removed, renewLease } from './sql.ts'

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

/** Records for two minutes that a field is being removed, if it is still the same (`lifeOfField`; null once it is forgotten). */
export type RenewRemoval = (life: string | null) => Promise<void>

/**
 * Removes a field of contacts in batches, and records as recordRemoval does that it is being removed: `renew` is to be called before each
 * batch. A field that does not exist is not recorded.
 */
export async function whileRemoving<Result>(
  { db, clock }: { db: Executor; clock: Clock },
  { projectId, field }: Removing,
  work: (renew: RenewRemoval) => Promise<Result>,
): Promise<Result> {
  const renew: RenewRemoval = async (life) => {
    const now = clock.now()
    await db.run(renewLease, [projectId, field, new Date(now.getTime() + leaseMs), now, life])
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
  await requireNoneRemoved(on, projectId, askedIn(conditions, since))
}

/** Requires that none of some fields was removed since it was chosen. Fails with FieldRemoved. */
export async function requireNoneRemoved(on: Executor, projectId: string, asked: readonly Chosen[]): Promise<void> {
  if (await isRemoved(on, projectId, asked)) throw new FieldRemoved()
}

/** A field, as conditions name it, and when the condition that asks it was chosen. */
export interface Chosen {
  field: string
  since: Date
  /** Only the removal of the whole key counts, and not that of a shorter one whose data it may be. */
  isWhole?: boolean
}

/**
 * When conditions are chosen that are chosen now: a removal that is over and can be seen was before that, however short a time ago it was.
 * Those that are under way, and later ones, count from then on.
 */
export async function chosenAt(
  on: Executor,
  projectId: string,
  { conditions, now }: { conditions: readonly Condition[]; now: Date },
): Promise<Date> {
  const names = namesOfAll(askedIn(conditions, now))
  const removed = names.length > 0 ? await on.run(findRemoved, [projectId, names]) : []
  const over = removed.filter(({ at }) => at <= now).map(({ at }) => at.getTime() + maxSkewMs + 1)
  return new Date(Math.max(now.getTime(), ...over))
}

/** What some conditions ask that were chosen at the same time. */
export function askedIn(conditions: readonly Condition[], since: Date): Chosen[] {
  return conditions.flatMap(fieldsOf).map((field) => ({ field, since }))
}

/** Whether one of some fields was removed since it was chosen. */
export async function isRemoved(on: Executor, projectId: string, asked: readonly Chosen[]): Promise<boolean> {
  const names = namesOfAll(asked)
  return names.length > 0 && isAmong(await on.run(findRemoved, [projectId, names]), asked)
}

/** The same for many callers at once. */
export const removalIn = readerOfProjects(async ({ world, projectId }, asked: Chosen[][]): Promise<boolean[]> => {
  const names = namesOfAll(asked.flat())
  const removed = names.length > 0 ? await world.db.run(findRemoved, [projectId, names]) : []
  return asked.map((own) => isAmong(removed, own))
}, 500)

function isAmong(removed: readonly Removed[], asked: readonly Chosen[]): boolean {
  const times = new Map(removed.map(({ field, at }) => [field, at.getTime()]))
  return asked.some((one) => {
    const names = namesOf(one)
    const last = Math.max(...[...names, everything].map((name) => times.get(name) ?? 0))
    return names.length > 0 && last >= one.since.getTime() - maxSkewMs
  })
}

/** A filter that matches more contacts once what it asks is removed: what it asks must be missing, or must not have happened. */
const asksAbsence = ({ operator }: FieldFilter): boolean =>
  operator === 'notExists' || operator === 'notTriggered' || operator === 'notTriggeredWithin'

/**
 * What a condition asks, also through segments (`found`), and whose removal makes it match more contacts: what must be absent, and keys
 * with dots. Each with when the condition was chosen that asks it: the condition itself `since`. What is asked of those who are no members
 * counts the other way round.
 */
export function wideningOf(condition: Condition, since: Date, found: ReadonlyMap<string, Membership>): Chosen[] {
  const seen = new Set<string>()
  const within = (one: Condition, chosenAt: Date, isOfOthers: boolean): Chosen[] =>
    [...leavesOf(one)].flatMap(({ filter }) => {
      const field = fieldOf(filter)
      if (field.family !== 'segment') {
        if (asksAbsence(filter) !== isOfOthers) return { field: filter.field, since: chosenAt }
        // Behind a key with dots, a path into the data of a shorter one comes to light.
        return field.family === 'data' && field.path.length > 1 ? { field: filter.field, since: chosenAt, isWhole: true } : []
      }
      const ofOthers = (filter.operator === 'notMemberOfSegment') !== isOfOthers
      const asked = found.get(field.id)
      const key = `${field.id} ${ofOthers}`
      if (asked?.kind !== 'condition' || seen.has(key)) return []
      seen.add(key)
      return within(asked.condition, asked.since, ofOthers)
    })
  return within(condition, since, false)
}

/**
 * What the segments ask to which some conditions lead, and whose removal makes the conditions match more contacts, or one of the segments mean
 * more: judged by when the condition of each segment was chosen.
 */
export function askedBySegments(conditions: readonly Condition[], found: ReadonlyMap<string, Membership>): Chosen[] {
  const own = [...found.values()].flatMap((one) => (one.kind === 'condition' ? wideningOf(one.condition, one.since, found) : []))
  return [...conditions.flatMap((one) => wideningOf(one, never, found)), ...own]
}

const never = new Date(8.64e15)

/** A field or an event was deleted that says which contacts are meant by work which goes on. */
export class FieldRemoved extends Failure {
  constructor() {
    super('VALIDATION_ERROR', 'A field or an event that says which contacts are meant was deleted. What was done before stays.', {
      suggestion: 'Choose another condition.',
    })
  }
}

const namesOfAll = (asked: readonly Chosen[]): string[] => [...new Set(asked.flatMap(namesOf))]

/** A segment that says which contacts are meant asks for the absence of something that was deleted since: it may mean everybody. */
export class SegmentHeld extends Failure {
  constructor() {
    super(
      'VALIDATION_ERROR',
      'A segment that says which contacts are meant, itself or through another one, asks for a field or an event that was deleted after its condition was chosen, so that it may mean others.',
      {
        suggestion:
          'See which one in the GraphQL field `Segment.issues`, and choose another condition for it, or another and then the same again.',
      },
    )
  }
}

// A path may be a key with dots, or lead into the data of a shorter one.
function namesOf({ field, isWhole }: Chosen): string[] {
  const read = fieldOf({ field, operator: 'triggered' })
  if (read.family === 'data')
    return isWhole ? [`data.${read.key}`] : read.path.map((_, at) => `data.${read.path.slice(0, at + 1).join('.')}`)
  return eventsAskedBy(field).map((name) => `event.${name}`)
}
