import type { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kit/context.ts'
import { countsOf } from '../../kit/counts.ts'
import { notFound } from '../../kit/errors.ts'
import { type Connection, type ConnectionArgs, connect, type IdWindow, idWindow } from '../../kit/paging.ts'
import { listEventsOfEmail } from '../events/of-email.ts'
import { emailColumns } from './emails.ts'
import type { EmailStatus } from './shapes.ts'
import { countOfContacts } from './sql.ts'

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
  return emailCounts(world, { projectId, id: contactId })
}

const emailCounts = countsOf(countOfContacts)

/** What happened to a mail, oldest first, at most 100 lines. */
export async function eventsOf(ctx: Pick<Ctx, 'world' | 'projectId'>, email: { id: string; contactId: string; createdAt: Date }) {
  return listEventsOfEmail(ctx, email)
}

/** One mail. Fails with RESOURCE_NOT_FOUND. */
export async function getEmail({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, { id }: { id: string }): Promise<Row> {
  const row = await findEmail({ db, projectId }, { id })
  if (!row) throw notFound()
  return row
}

/** One mail, or null when there is none. */
export async function findEmail(
  { db, projectId }: Pick<Ctx, 'db' | 'projectId'>,
  { id }: { id: string | null },
  query: object = { select: emailColumns },
) {
  if (id === null) return null
  return db.prisma.email.findUnique({ ...query, where: { projectId_id: { projectId, id }, contact: { deletedAt: null } } })
}
