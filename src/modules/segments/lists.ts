import { readBodies } from '../../kit/bodies.ts'
import type { Ctx } from '../../kit/context.ts'
import { JsonText } from '../../kit/json-text.ts'
import { type Connection, type ConnectionArgs, type IdWindow, idKey, readConnection } from '../../kit/paging.ts'
import { escapeLike } from '../../kit/postgres/like.ts'
import { connectWhole } from '../../kit/whole-list.ts'
import { kinds } from './kinds.ts'
import { findSegment, maxSegments, segmentColumns, shown } from './segments.ts'
import type { Segment, SegmentFilter } from './shapes.ts'
import { selectWithConditions } from './sql.ts'

type Call = Pick<Ctx, 'db' | 'projectId'>

// Those of a list are read apart, within a bound.
const { condition: _, ...columnsBesideCondition } = segmentColumns

/** All segments of the project, newest first; there are at most 500. Many large conditions are read when it is their turn. */
export async function listSegments(ctx: Call & Pick<Ctx, 'takeRoom'>): Promise<Segment[]> {
  const rows = await ctx.db.prisma.segment.findMany({
    where: { projectId: ctx.projectId },
    select: columnsBesideCondition,
    orderBy: { id: 'desc' },
    take: maxSegments,
  })
  const ids = rows.flatMap(({ id, type }) => (kinds[type].hasCondition ? [id] : []))
  // What they have together is bounded when they are stored; an earlier release may have stored more.
  const dynamic = await readBodies(ctx, ids, { select: selectWithConditions, maxBytes: Number.POSITIVE_INFINITY })
  return rows.flatMap((row) => {
    if (!kinds[row.type].hasCondition) return [shown({ ...row, condition: null })]
    // As it was when its condition was read. One that was deleted meanwhile is there no more.
    const found = dynamic.get(row.id)
    if (!found) return []
    const { body, ...segment } = found
    return [shown({ ...segment, condition: new JsonText(body) })]
  })
}

/** The same list as a GraphQL connection; `query` says what to select of each node. */
export async function connectSegments(
  { db, projectId }: Call,
  { search, types, trackMembership }: SegmentFilter,
  args: ConnectionArgs,
  query: object,
) {
  const words = search ? { contains: escapeLike(search), mode: 'insensitive' as const } : undefined
  const which = {
    projectId,
    ...(types && { type: { in: types } }),
    ...(trackMembership !== undefined && { trackMembership }),
    ...(words && { OR: [{ name: words }, { description: words }] }),
  }
  const read = async ({ where, ...window }: IdWindow) => ({
    rows: (await db.prisma.segment.findMany({ ...query, ...window, where: { ...which, ...where } })) as Segment[],
  })
  return readConnection<Segment>({ kind: 'segment', read, count: () => db.prisma.segment.count({ where: which }) }, args)
}

/** Some segments as a connection, newest first, as they come; those of a page of concurrent calls are one statement. */
export async function connectSegmentsByIds(
  ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>,
  ids: readonly string[],
  args: ConnectionArgs,
  query: object,
): Promise<Connection<Segment>> {
  const page = connectWhole(
    ids.map((segmentId) => ({ id: segmentId })),
    args,
    { keyOf: (one) => [one.id] as const, shape: idKey('segment'), newestFirst: true },
  )
  const nodes = await Promise.all(page.edges.map(({ node }) => findSegment(ctx, node, query)))
  const edges = page.edges.flatMap(({ cursor }, at) => (nodes[at] ? [{ cursor, node: nodes[at] as Segment }] : []))
  return { ...page, edges }
}
