import { batch } from '../../kit/batch.ts'
import type { Ctx } from '../../kit/context.ts'
import { loader } from '../../kit/load.ts'
import { type Connection, type ConnectionArgs, connect, idWindow } from '../../kit/paging.ts'
import { statement } from '../../kit/postgres/db.ts'
import { perWorld } from '../../kit/world.ts'
import type { Template } from './shapes.ts'

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

/** One template, or null when there is none; many asked at once are read in one statement. */
export const findTemplate = loader(async ({ db, projectId }, ids, query) =>
  db.prisma.template.findMany({ ...query, where: { projectId, id: { in: ids } } }),
)

/** Mails made from a template that have left; many templates asked at once are counted in one statement. */
export async function countSentOf({ world, projectId }: Pick<Ctx, 'world' | 'projectId'>, { id }: { id: string }): Promise<number> {
  return counting(world)({ projectId, id })
}

const mostAtOnce = 500

const counting = perWorld(({ db }) =>
  batch(async (asked: { projectId: string; id: string }[]) => {
    const rows = await db.run(sentOfTemplates, [asked.map(({ projectId }) => projectId), asked.map(({ id }) => id)])
    return rows.map(({ count }) => count)
  }, mostAtOnce),
)

const sentOfTemplates = statement<{ count: number }>(
  'templates_sent',
  `select (select count(*)::int from email_contents c join emails e on e.project_id = c.project_id and e.content_id = c.id
     where c.project_id = q.project_id and c.template_id = q.id and e.sent_at is not null) as count
   from unnest($1::text[], $2::text[]) with ordinality q(project_id, id, ord) order by q.ord`,
)
