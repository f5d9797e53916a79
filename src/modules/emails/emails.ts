import type { Ctx } from '../../kit/context.ts'
import { notFound } from '../../kit/errors.ts'
import { pageById } from '../../kit/paging.ts'
import type { Email, EmailSearch } from './shapes.ts'

/** The columns lists, GraphQL and `getEmail` show of a mail. */
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

// Mails of a deleted contact are gone from reads at once and removed soon after.
const there = { contact: { deletedAt: null } }

/** One mail of the project. Fails with RESOURCE_NOT_FOUND. */
export async function getEmail({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, { id }: { id: string }): Promise<Email> {
  const email = await db.prisma.email.findUnique({ where: { projectId_id: { projectId, id }, ...there }, select: emailColumns })
  if (!email) throw notFound()
  return email
}

/** The mails of the project, newest first, by state and recipient. */
export async function listEmails({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, search: EmailSearch) {
  const { status, contactId } = search
  const where = { projectId, ...there, ...(status && { status }), ...(contactId && { contactId }) }
  return pageById<Email>(
    'email',
    search,
    (below, take) =>
      db.prisma.email.findMany({
        where: { ...where, ...(below && { id: { lt: below } }) },
        select: emailColumns,
        orderBy: { id: 'desc' },
        take,
      }),
    () => db.prisma.email.count({ where }),
  )
}
