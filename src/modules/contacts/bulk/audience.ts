import type { Ctx } from '../../../kit/context.ts'
import { readSlice } from '../../../kit/postgres/list.ts'
import type { Condition } from '../../filters/shapes.ts'
import { behind, conditionOf, nextOfAudience, searchOf } from '../audience/audience.ts'
import type { ContactSearchSql } from '../audience/sql.ts'
import { countContacts } from '../contacts.ts'
import type { BulkInput } from './shapes.ts'
import { contactIds } from './sql.ts'

/** When the operation was accepted. */
export interface Begun {
  since: Date
}

/** Contacts of a batch, and where the next one continues; `last` when there is none. */
export interface Batch {
  ids: string[]
  /** `done` counts the contacts that were looked at, for the progress of the job. */
  place: { done: number; after: string }
  last: boolean
}

type Call = Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>
type Select = BulkInput['select']
type Matching = Extract<Select, { by: 'filter' }> & Begun
interface Place {
  done: number
  after: string
  size: number
}

/** About how many contacts are to be looked at, for the progress of the job. */
export async function countSelected(ctx: Call, select: Select): Promise<number> {
  if (select.by === 'ids') return select.ids.length
  // With a condition every contact is looked at, and counting those that match might take too long.
  return countContacts(ctx, conditionOf(select.filter) ? {} : searchOf(select.filter))
}

/**
 * The next contacts that are selected, in order of their ids, each batch by one short statement; a batch of a condition may be
 * empty. Contacts that are changed meanwhile neither come again nor keep others from coming. Fails as nextMatchingIds does, also when a segment was
 * deleted that the condition only leads to.
 */
export async function nextBatch(ctx: Call, select: Select & Begun, place: Place): Promise<Batch> {
  if (select.by === 'ids') {
    const ids = select.ids.slice(place.done, place.done + place.size)
    const done = place.done + ids.length
    return { ids, place: { done, after: place.after }, last: done >= select.ids.length }
  }
  const condition = conditionOf(select.filter)
  const batch = condition ? await matchingBatch(ctx, { ...select, condition }, place) : await foundBatch(ctx, select, place)
  const excluded = new Set(select.excludeIds)
  return { ...batch, ids: batch.ids.filter((id) => !excluded.has(id)) }
}

async function matchingBatch(
  ctx: Call,
  { upTo, condition, segments, since }: Matching & { condition: Condition },
  { done, after, size }: Place,
): Promise<Batch> {
  const next = await nextOfAudience(ctx, { condition, segments, since }, { after, upTo, limit: size })
  if (!next) return { ids: [], place: { done, after }, last: true }
  return { ids: next.ids, place: { done: done + next.looked, after: next.lookedUpTo }, last: next.lookedUpTo >= upTo }
}

async function foundBatch({ db, projectId }: Call, { filter, upTo }: Matching, { done, after, size }: Place): Promise<Batch> {
  const where = { id: { gt: after, lt: behind(upTo) } }
  const { rows } = await readSlice<{ id: string }, ContactSearchSql>(db, contactIds, projectId, searchOf(filter), {
    take: size,
    orderBy: { id: 'asc' },
    where,
  })
  const ids = rows.map(({ id }) => id)
  return { ids, place: { done: done + ids.length, after: ids.at(-1) ?? after }, last: ids.length < size }
}
