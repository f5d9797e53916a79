import type { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kit/context.ts'
import { countsOf } from '../../kit/counts.ts'
import { type Connection, type ConnectionArgs, connect, idWindow } from '../../kit/paging.ts'
import { withoutErased } from './hidden.ts'
import { countLines, countOfContacts } from './sql.ts'

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
  return eventCounts(world, { projectId, id: contactId })
}

const eventCounts = countsOf(countOfContacts)

/** One event, or null when there is none. */
export async function findEvent({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, { id }: { id: string }, query: object) {
  return db.prisma.event.findUnique({ ...query, where: { projectId_id: { projectId, id } } })
}

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
