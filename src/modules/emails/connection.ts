import type { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kit/context.ts'
import { notFound } from '../../kit/errors.ts'
import { type Connection, type ConnectionArgs, connect, idWindow } from '../../kit/paging.ts'
import type { EmailStatus } from './shapes.ts'

/** What of the mails is asked for. */
export interface EmailQuery extends ConnectionArgs {
  status?: EmailStatus | null | undefined
  contactId?: string | null | undefined
}

/** The columns GraphQL shows of a mail. */
export const emailColumns = {
  id: true,
  contactId: true,
  source: true,
  status: true,
  toAddress: true,
  toName: true,
  subject: true,
  reason: true,
  attempts: true,
  opens: true,
  clicks: true,
  sentAt: true,
  deliveredAt: true,
  openedAt: true,
  clickedAt: true,
  bouncedAt: true,
  complainedAt: true,
  createdAt: true,
  updatedAt: true,
} as const

type Row = Prisma.EmailGetPayload<{ select: typeof emailColumns }>

const countedUpTo = 100_000

/** The mails of the project as a connection, newest first, by state and contact. */
export async function connectEmails({ db, projectId }: Ctx, args: EmailQuery, query: object): Promise<Connection<Row>> {
  const { where: between, ...window } = idWindow('email', args)
  // The mails of a deleted contact are gone from reads at once, before they are removed.
  const filter = { projectId, contact: { deletedAt: null }, ...(args.status && { status: args.status }), ...(args.contactId && { contactId: args.contactId }) }
  const rows = (await db.prisma.email.findMany({ ...query, ...window, where: { ...filter, ...between } })) as Row[]
  return connect(rows, args, () => db.prisma.email.count({ where: filter, take: countedUpTo }))
}

/** One mail. Fails with RESOURCE_NOT_FOUND. */
export async function getEmail({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, { id }: { id: string }): Promise<Row> {
  const row = await db.prisma.email.findUnique({ where: { projectId_id: { projectId, id }, contact: { deletedAt: null } }, select: emailColumns })
  if (!row) throw notFound()
  return row
}
