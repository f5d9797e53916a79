import type { Prisma } from '../../generated/prisma/client.ts'
import { batch } from '../../kit/batch.ts'
import type { Ctx } from '../../kit/context.ts'
import { notFound } from '../../kit/errors.ts'
import { loader } from '../../kit/load.ts'
import { type Connection, type ConnectionArgs, connect, type IdWindow, idWindow } from '../../kit/paging.ts'
import { statement } from '../../kit/postgres/db.ts'
import { perWorld } from '../../kit/world.ts'
import { listEventsOfEmail } from '../events/of-email.ts'
import { emailColumns } from './emails.ts'
import type { EmailStatus } from './shapes.ts'

/** What of the mails is asked for. */
export interface EmailQuery extends ConnectionArgs {
  status?: EmailStatus | null | undefined
  contactId?: string | null | undefined
}

type Row = Prisma.EmailGetPayload<{ select: typeof emailColumns }>

const countedUpTo = 100_000

/** The mails of the project as a connection, newest first, by state and contact. */
export async function connectEmails({ db, projectId }: Ctx, args: EmailQuery, query: object): Promise<Connection<Row>> {
  const { where: between, ...window } = idWindow('email', args)
  // The mails of a deleted contact are gone from reads at once, before they are removed.
  const filter = {
    projectId,
    contact: { deletedAt: null },
    ...(args.status && { status: args.status }),
    ...(args.contactId && { contactId: args.contactId }),
  }
  const rows = (await db.prisma.email.findMany({ ...query, ...window, where: { ...filter, ...between } })) as Row[]
  return connect(rows, args, () => db.prisma.email.count({ where: filter, take: countedUpTo }))
}

/** The part of a contact's mails a connection asks for. */
export function emailWindow(args: ConnectionArgs): IdWindow {
  return idWindow('email', args)
}

/** How many mails a contact has; many asked at once are counted in one statement. */
export async function countEmailsOf(
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
  'emails_count_of_contacts',
  `select (select count(*)::int from emails e where e.project_id = q.project_id and e.contact_id = q.contact_id) as count
   from unnest($1::text[], $2::text[]) with ordinality q(project_id, contact_id, ord) order by q.ord`,
)

/** What happened to a mail, oldest first, at most 100 lines. */
export async function eventsOf(ctx: Pick<Ctx, 'world' | 'projectId'>, email: { id: string; contactId: string; createdAt: Date }) {
  return listEventsOfEmail(ctx, email)
}

/** One mail. Fails with RESOURCE_NOT_FOUND. */
export async function getEmail({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, { id }: { id: string }): Promise<Row> {
  const where = { projectId_id: { projectId, id }, contact: { deletedAt: null } }
  const row = await db.prisma.email.findUnique({ where, select: emailColumns })
  if (!row) throw notFound()
  return row
}

/** One mail, or null when there is none; many asked at once are read in one statement. */
export const findEmail = loader(async ({ db, projectId }, ids, query) =>
  db.prisma.email.findMany({ ...query, where: { projectId, id: { in: ids }, contact: { deletedAt: null } } }),
)
