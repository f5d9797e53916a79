import type { Database } from '../../../kit/postgres/db.ts'
import { escapeLike } from '../../../kit/postgres/like.ts'
import { readSlice } from '../../../kit/postgres/list.ts'
import type { World } from '../../../kit/world.ts'
import { countContacts } from '../contacts.ts'
import type { ContactSearchSql } from '../sql.ts'
import type { BulkInput } from './shapes.ts'
import { contactIds, selectNewest } from './sql.ts'

/** Contacts of a batch, and where the next one continues; `last` when there is none. */
export interface Batch {
  ids: string[]
  place: { done: number; after: string }
  last: boolean
}

type Select = BulkInput['select']
type Matching = Extract<Select, { by: 'filter' }>

/** About how many contacts are selected, for the progress of the job. */
export async function countSelected(world: World, projectId: string, select: Select): Promise<number> {
  return select.by === 'ids' ? select.ids.length : countContacts({ world, projectId }, conditionsOf(select))
}

/** The newest contact of a project: later ones are not selected. '' when there is none. */
export async function newestContact({ db }: { db: Database }, projectId: string): Promise<string> {
  return (await db.run(selectNewest, [projectId]))[0]?.id ?? ''
}

/** The next contacts that are selected, in order of their ids, each batch by one short statement. */
export async function nextBatch(
  { db }: { db: Database },
  projectId: string,
  select: Select,
  { done, after, size }: { done: number; after: string; size: number },
): Promise<Batch> {
  if (select.by === 'ids') {
    const ids = select.ids.slice(done, done + size)
    return { ids, place: { done: done + ids.length, after }, last: done + ids.length >= select.ids.length }
  }
  // The newest one is included: its id followed by a digit comes right behind it.
  const where = { id: { gt: after, lt: `${select.upTo}0` } }
  const { rows } = await readSlice<{ id: string }, ContactSearchSql>(db, contactIds, projectId, conditionsOf(select), {
    take: size,
    orderBy: { id: 'asc' },
    where,
  })
  const excluded = new Set(select.excludeIds)
  const ids = rows.flatMap(({ id }) => (excluded.has(id) ? [] : [id]))
  return { ids, place: { done: done + rows.length, after: rows.at(-1)?.id ?? after }, last: rows.length < size }
}

function conditionsOf({ filter }: Matching): ContactSearchSql {
  const words = filter.search?.trim().toLowerCase()
  return { search: words ? escapeLike(words) : undefined, subscribed: filter.subscribed }
}
