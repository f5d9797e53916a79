import type { Prisma } from '../../generated/prisma/client.ts'
import { batch } from '../../kit/batch.ts'
import type { Ctx } from '../../kit/context.ts'
import { loader } from '../../kit/load.ts'
import { type Connection, type ConnectionArgs, connect, idWindow } from '../../kit/paging.ts'
import { statement } from '../../kit/postgres/db.ts'
import { perWorld } from '../../kit/world.ts'
import { withoutErased } from './hidden.ts'
import { countLines, notErased } from './sql.ts'

/** What of the log is asked for. */
export interface EventQuery extends ConnectionArgs {
  name?: string | null | undefined
  contactId?: string | null | undefined
  from?: Date | null | undefined
  to?: Date | null | undefined
}

/** The columns GraphQL shows of an event. */
export const eventColumns = { id: true, name: true, contactId: true, emailId: true, data: true, createdAt: true } as const

type Row = Prisma.EventGetPayload<{ select: typeof eventColumns }>

/** The part of a contact's events a connection asks for. */
export async function eventWindow(ctx: Pick<Ctx, 'db' | 'projectId'>, args: ConnectionArgs) {
  const { where, ...window } = idWindow('event', args)
  return { ...window, where: { ...(await withoutErased(ctx)), ...where } }
}

/** How many events a contact has, counted up to 100,000; many asked at once are counted in one statement. */
export async function countEventsOf(
  { world, projectId }: Pick<Ctx, 'world' | 'projectId'>,
  { contactId }: { contactId: string },
): Promise<number> {
  return counting(world)({ projectId, contactId })
}

const mostAtOnce = 500

const counting = perWorld(({ db }) =>
  batch(async (asked: { projectId: string; contactId: string }[]) => {
    const rows = await db.run(countOfContacts, [asked.map(({ projectId }) => projectId), asked.map(({ contactId }) => contactId)])
    return rows.map(({ count }) => count)
  }, mostAtOnce),
)

const countOfContacts = statement<{ count: number }>(
  'events_count_of_contacts',
  `select (select count(*)::int from (
      select 1 from events e where e.project_id = q.project_id and e.contact_id = q.contact_id and ${notErased} limit 100000) bounded) as count
   from unnest($1::text[], $2::text[]) with ordinality q(project_id, contact_id, ord) order by q.ord`,
)

/** One event, or null when there is none; many asked at once are read in one statement. */
export const findEvent = loader(async (ctx, ids, query) =>
  ctx.db.prisma.event.findMany({ ...query, where: { ...(await withoutErased(ctx)), projectId: ctx.projectId, id: { in: ids } } }),
)

/** The events of the project as a connection, newest first. */
export async function connectEvents(ctx: Ctx, args: EventQuery, query: object): Promise<Connection<Row>> {
  const { db, projectId } = ctx
  const { where: between, ...window } = idWindow('event', args)
  const filter = {
    name: args.name ?? undefined,
    contactId: args.contactId ?? undefined,
    from: args.from ?? undefined,
    to: args.to ?? undefined,
  }
  const { from, to, ...same } = filter
  const where = { ...(await withoutErased(ctx)), ...between, ...same, projectId, ...((from ?? to) && { createdAt: { gte: from, lt: to } }) }
  const rows = (await db.prisma.event.findMany({ ...query, ...window, where })) as Row[]
  return connect(rows, args, async () => (await db.run(...countLines(projectId, filter)))[0]?.count ?? 0)
}
