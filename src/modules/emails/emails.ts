import type { Ctx } from '../../kit/context.ts'
import { countsOf } from '../../kit/counts.ts'
import { notFound } from '../../kit/errors.ts'
import { loader } from '../../kit/load.ts'
import { type Connection, type ConnectionArgs, type IdList, loadRows, readConnection, readPage } from '../../kit/paging.ts'
import { countRows, readSlice } from '../../kit/postgres/list.ts'
import type { Email, EmailFilter, EmailSearch } from './shapes.ts'
import { countEmailsOfContacts, emailListSql } from './sql.ts'

type Call = Pick<Ctx, 'db' | 'projectId'>

/** The columns of an email that lists, GraphQL and `getEmail` return. */
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

/** The condition that finds one email with Prisma; emails of a deleted contact are not found. */
export function visibleEmail(projectId: string, id: string) {
  return { projectId_id: { projectId, id }, contact: { deletedAt: null } }
}

/** One email of the project. Fails with RESOURCE_NOT_FOUND. */
export async function getEmail({ db, projectId }: Call, { id }: { id: string }): Promise<Email> {
  const email = await db.prisma.email.findUnique({ select: emailColumns, where: visibleEmail(projectId, id) })
  if (!email) throw notFound()
  return email
}

/** One email, or null when there is none; parallel lookups are read in one statement. */
export const findEmail = loader(async ({ db, projectId }, ids, query) =>
  db.prisma.email.findMany({ ...query, where: { projectId, id: { in: ids }, contact: { deletedAt: null } } }),
)

/** The emails of the project, newest first, filtered by status and contact; `query` says what to select. */
function emailList({ db, projectId }: Call, { status, contactId }: EmailFilter, query: object): IdList<Email> {
  const filter = { status, contactId }
  const load = (ids: string[]) => db.prisma.email.findMany({ ...query, where: { projectId, id: { in: ids } } }) as Promise<Email[]>
  return {
    kind: 'email',
    read: async (window) => loadRows(await readSlice(db, emailListSql, projectId, filter, window), load),
    count: () => countRows(db, emailListSql, projectId, filter),
  }
}

/** A page of the emails of the project, newest first, filtered by status and contact. */
export async function listEmails(ctx: Call, search: EmailSearch) {
  return readPage(emailList(ctx, search, { select: emailColumns }), search)
}

/** The same list as a GraphQL connection; `query` says what to select of each node. */
export async function connectEmails(ctx: Call, filter: EmailFilter, args: ConnectionArgs, query: object): Promise<Connection<Email>> {
  return readConnection(emailList(ctx, filter, query), args)
}

/** How many emails a contact has; concurrent calls are counted in one statement. */
export async function countEmailsOf(
  { world, projectId }: Pick<Ctx, 'world' | 'projectId'>,
  { contactId }: { contactId: string },
): Promise<number> {
  return countInBatch(world, { projectId, id: contactId })
}

const countInBatch = countsOf(countEmailsOfContacts)
