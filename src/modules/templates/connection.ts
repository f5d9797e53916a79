import type { Ctx } from '../../kit/context.ts'
import { countsOf } from '../../kit/counts.ts'
import { type Connection, type ConnectionArgs, connect, idWindow } from '../../kit/paging.ts'
import type { Template } from './shapes.ts'
import { sentOfTemplates } from './sql.ts'

/** What of the templates is asked for. */
export interface TemplateQuery extends ConnectionArgs {
  search?: string | null | undefined
  type?: Template['type'] | null | undefined
}

/** The templates of the project as a connection, newest first, by type and by words in name, description or subject. */
export async function connectTemplates(
  { db, projectId }: Pick<Ctx, 'db' | 'projectId'>,
  args: TemplateQuery,
  query: object,
): Promise<Connection<Template>> {
  const { where: between, ...window } = idWindow('template', args)
  // Prisma passes the wildcards of LIKE through.
  const words = args.search ? { contains: args.search.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' as const } : undefined
  const filter = {
    projectId,
    ...(args.type && { type: args.type }),
    ...(words && { OR: [{ name: words }, { description: words }, { subject: words }] }),
  }
  const rows = (await db.prisma.template.findMany({ ...query, ...window, where: { ...filter, ...between } })) as Template[]
  return connect(rows, args, () => db.prisma.template.count({ where: filter }))
}

/** Mails made from a template that have left; many templates asked at once are counted in one statement. */
export async function countSentOf({ world, projectId }: Pick<Ctx, 'world' | 'projectId'>, { id }: { id: string }): Promise<number> {
  return sentCounts(world, { projectId, id })
}

const sentCounts = countsOf(sentOfTemplates)
