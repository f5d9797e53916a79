import type { Ctx } from '../../src/kit/context.ts'
import { newId } from '../../src/kit/ids.ts'
import { statement } from '../../src/kit/postgres/db.ts'
import type { Membership } from '../../src/modules/filters/compile.ts'
import { matchesCondition } from '../../src/modules/filters/evaluate.ts'
import { countMatches, listMatchingIds, nextMatchingIds, type Question } from '../../src/modules/filters/filters.ts'
import type { Condition } from '../../src/modules/filters/shapes.ts'
import type { freshProject, TestWorld } from './world.ts'

/** A contact to store as it is, past the rules for custom data, with the times when events last happened to it. */
export interface Stored {
  email?: string
  subscribed?: boolean
  data?: Record<string, unknown>
  createdAt?: Date
  updatedAt?: Date
  events?: Record<string, Date>
}

const insertContact = statement<object>(
  'test_insert_contact',
  `insert into contacts (project_id, id, email, subscribed, data, created_at, updated_at) values ($1, $2, $3, $4, $5::jsonb, $6, $7)`,
)
const insertEvents = statement<object>(
  'test_insert_contact_events',
  'insert into contact_events (project_id, contact_id, name, last_at) select $1, $2, * from unnest($3::text[], $4::timestamptz[])',
)
const removeAll = statement<object>(
  'test_remove_contacts',
  'with gone as (delete from contact_events where project_id = $1) delete from contacts where project_id = $1',
)

/** Stores a contact and returns its id. */
export async function store({ db, clock }: TestWorld, projectId: string, contact: Stored): Promise<string> {
  const now = clock.now()
  const id = newId('contact', now)
  const { email = `${id}@example.com`, subscribed = true, data = {}, createdAt = now, updatedAt = now, events = {} } = contact
  await db.run(insertContact, [projectId, id, email, subscribed, JSON.stringify(data), createdAt, updatedAt])
  if (Object.keys(events).length > 0) await db.run(insertEvents, [projectId, id, Object.keys(events), Object.values(events)])
  return id
}

/** Removes all contacts of a project. */
export async function removeContacts({ db }: TestWorld, projectId: string): Promise<void> {
  await db.run(removeAll, [projectId])
}

/** Segments are not referred to. */
export const noSegments = (): Promise<Membership> => Promise.resolve({ kind: 'nobody' })

/**
 * Which contacts of a project match a condition, newest first: listed and counted by the compiled predicate, and evaluated one by one in
 * memory. Throws when they differ.
 */
export async function matchesBothWays(
  { ctx }: Pick<Awaited<ReturnType<typeof freshProject>>, 'ctx'>,
  condition: Condition,
  membership: (id: string) => Promise<Membership> = noSegments,
): Promise<string[]> {
  const { projectId } = ctx
  const compiled = await listMatchingIds(ctx, { condition, membership, limit: 1_000 })
  const counted = await countMatches(ctx, { condition, membership })
  const contacts = await ctx.db.prisma.contact.findMany({ where: { projectId, deletedAt: null }, orderBy: { id: 'desc' } })
  const evaluated: string[] = []
  for (const contact of contacts) {
    const data = contact.data as Record<string, unknown>
    if (await matchesCondition(ctx, { condition, membership, contact: { ...contact, data } })) evaluated.push(contact.id)
  }
  if (compiled.join() === evaluated.join() && counted === evaluated.length) return compiled
  const of = (ids: string[]) => contacts.filter(({ id }) => ids.includes(id)).map(({ email, data }) => ({ email, data }))
  throw new Error(
    `${JSON.stringify(condition)} selects ${JSON.stringify(of(compiled))} (${counted}), but in memory ${JSON.stringify(of(evaluated))}`,
  )
}

/** The ids of all contacts that match a condition, in the batches in which work on them goes through them. */
export async function* batchesOf(ctx: Ctx, question: Question, after = ''): AsyncGenerator<string[]> {
  const next = (place: string) => nextMatchingIds(ctx, { ...question, after: place, limit: 5_000 })
  for (let batch = await next(after); batch; batch = await next(batch.lookedUpTo)) yield batch.ids
}
