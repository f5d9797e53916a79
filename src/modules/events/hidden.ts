import type { Prisma } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kit/context.ts'

/**
 * What Prisma must leave out of a project's events: names and contacts that are being erased are gone from reads at
 * once (decisions.md 6). Usually there is nothing.
 */
export async function withoutErased({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>): Promise<Prisma.EventWhereInput> {
  const erasures = await db.prisma.eventErasure.findMany({ where: { projectId }, select: { contactId: true, name: true, before: true } })
  if (erasures.length === 0) return {}
  return {
    AND: erasures.map(({ contactId, name, before }) =>
      contactId !== null
        ? { OR: [{ contactId: null }, { contactId: { not: contactId } }] }
        : { NOT: { name: name ?? '', id: { lte: before ?? '' } } },
    ),
  }
}
