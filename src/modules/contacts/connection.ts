import type { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kit/context.ts'
import { loader } from '../../kit/load.ts'
import { type Connection, type ConnectionArgs, connect, idWindow } from '../../kit/paging.ts'
import { countContacts } from './count.ts'

/** What of the contacts is asked for. */
export interface ContactQuery extends ConnectionArgs {
  search?: string | null | undefined
  subscribed?: boolean | null | undefined
}

/** The columns GraphQL shows of a contact. */
export const contactColumns = { id: true, email: true, subscribed: true, data: true, createdAt: true, updatedAt: true } as const

type Row = Prisma.ContactGetPayload<{ select: typeof contactColumns }>

/** One contact, or null when there is none; many asked at once are read in one statement. */
export const findContactById = loader(async ({ db, projectId }, ids, query) =>
  db.prisma.contact.findMany({ ...query, where: { projectId, id: { in: ids }, deletedAt: null } }),
)

/** The contacts of the project as a connection, newest first, by part of the address and subscription. */
export async function connectContacts(ctx: Ctx, args: ContactQuery, query: object): Promise<Connection<Row>> {
  const { db, projectId } = ctx
  const window = idWindow('contact', args)
  const search = args.search?.trim()
    ? args.search
        .trim()
        .toLowerCase()
        .replace(/[\\%_]/g, (sign) => `\\${sign}`)
    : undefined
  const subscribed = args.subscribed ?? undefined
  const where = {
    ...window.where,
    projectId,
    deletedAt: null,
    ...(search !== undefined && { email: { contains: search } }),
    ...(subscribed !== undefined && { subscribed }),
  }
  const rows = (await db.prisma.contact.findMany({ ...query, ...window, where })) as Row[]
  return connect(rows, args, () => countContacts(ctx, { search, subscribed }))
}
