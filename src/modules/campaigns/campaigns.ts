import { bodyLoader, readBodies, tooManyBodies } from '../../kit/bodies.ts'
import type { Ctx } from '../../kit/context.ts'
import { notFound } from '../../kit/errors.ts'
import { JsonText } from '../../kit/json-text.ts'
import { loader, type ReadingAlone } from '../../kit/load.ts'
import {
  type Connection,
  type ConnectionArgs,
  type IdList,
  type IdWindow,
  idKey,
  numberedPage,
  readConnection,
  readPage,
} from '../../kit/paging.ts'
import { escapeLike } from '../../kit/postgres/like.ts'
import { connectWhole } from '../../kit/whole-list.ts'
import type { Condition } from '../filters/shapes.ts'
import { listCampaignsOf } from '../templates/usage.ts'
import type { DocumentOf } from '../templates/visual/whole.ts'
import { readWritten, type WrittenBody } from '../templates/visual/written.ts'
import type { CampaignFilter, CampaignListFilter, CampaignSearch, EditedCampaign, SourceOutcome } from './shapes.ts'
import { type CountsRow, selectBodies, selectCounts, selectDocuments, selectWritten } from './sql.ts'
import { campaignColumns, type StoredCampaign } from './stored.ts'

type Reader = Pick<Ctx, 'db' | 'projectId' | 'takeRoom'>
type Call = Reader & Pick<Ctx, 'world'>

/** The counts of a campaign of which nothing was sent. */
export const noCounts: CountsRow = {
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  machineOpened: 0,
  machineClicked: 0,
  bounced: 0,
  complained: 0,
  unsubscribed: 0,
  failed: 0,
  suppressed: 0,
}

// Only conditions and outcomes that were checked are stored, which the types of the columns do not say.
function shown({ sourceId, ...row }: StoredCampaign & { body: string }, counts: CountsRow): EditedCampaign {
  const audienceFilter = row.audienceFilter as Condition | null
  return {
    ...row,
    audienceFilter,
    audienceCondition: audienceFilter,
    sourceCampaignId: sourceId,
    sourceOutcome: row.sourceOutcome as SourceOutcome | null,
    scheduledAt: row.scheduledFor,
    sentCount: counts.sent,
    deliveredCount: counts.delivered,
    openedCount: counts.opened,
    clickedCount: counts.clicked,
    bouncedCount: counts.bounced,
    complainedCount: counts.complained,
    unsubscribedCount: counts.unsubscribed,
  }
}

/** A campaign as GraphQL shows it, of one that was answered by an operation. */
export function storedOf({ sourceCampaignId, ...campaign }: EditedCampaign): StoredCampaign & { body: string } {
  return { ...campaign, sourceId: sourceCampaignId }
}

/** One campaign, read in one statement but for its counts, so that its body is that of its subject. Fails with RESOURCE_NOT_FOUND. */
export async function getCampaign(ctx: Reader, { id }: { id: string }): Promise<EditedCampaign> {
  const { db, projectId } = ctx
  const [bodies, [counts]] = await Promise.all([readBodies(ctx, [id], { select: selectBodies }), db.run(selectCounts, [projectId, [id]])])
  const row = bodies.get(id)
  if (!row) throw notFound()
  return shown(row, counts ?? noCounts)
}

/** One campaign with its body and the document that this was made of, likewise, without its counts. Fails with RESOURCE_NOT_FOUND. */
export async function getWrittenCampaign(ctx: Reader, { id }: { id: string }): Promise<StoredCampaign & WrittenBody> {
  const row = await readWritten(ctx, { id, select: selectWritten })
  if (!row) throw notFound()
  return row
}

/** One campaign, or null when there is none; parallel lookups are read in one statement. */
export const findCampaign = loader(async ({ db, projectId }, ids, query) =>
  db.prisma.campaign.findMany({ ...query, where: { projectId, id: { in: ids }, deletedAt: null } }),
)

/** The same without body and counts, for GraphQL; parallel lookups, such as those of many subscribers, are read in one statement. Fails with RESOURCE_NOT_FOUND. */
export async function getStoredCampaign(ctx: Call, { id }: { id: string }): Promise<StoredCampaign> {
  const row = await findCampaign(ctx, { id }, { select: campaignColumns })
  if (!row) throw notFound()
  return row
}

const loadCounts = loader(({ db, projectId }, ids) => db.run(selectCounts, [projectId, ids]))

/** What became of the emails of a campaign, at most 2 s behind the log; parallel lookups are one statement. */
export async function findCounts(ctx: Call, { id }: { id: string }): Promise<CountsRow> {
  return (await loadCounts(ctx, { id }, {})) ?? noCounts
}

const loadBody = bodyLoader({ select: selectBodies })

/**
 * The body of a campaign, which may have megabytes: of those that a call asks for at once only the first one and 4 MB are read. Fails
 * with PAYLOAD_TOO_LARGE for the others, and with RESOURCE_NOT_FOUND.
 */
export async function getCampaignBody(ctx: ReadingAlone, { id, body }: { id: string; body?: string | null }): Promise<string> {
  if (body === null) throw tooManyBodies()
  const found = body ?? (await loadBody(ctx, { id }))
  if (found === null) throw notFound()
  return found
}

const loadDocument = bodyLoader({ select: selectDocuments })

/** The document of a visual campaign, null for one of HTML. Fails with PAYLOAD_TOO_LARGE, as for bodies. */
export async function getCampaignDocument(ctx: ReadingAlone, { id, mode, document }: DocumentOf): Promise<JsonText | null> {
  if (mode === 'HTML') return null
  if (document === null) throw tooManyBodies()
  if (document) return document
  const json = await loadDocument(ctx, { id })
  return json === null ? null : new JsonText(json)
}

function whereOf(projectId: string, { status, statuses, search, templateId }: CampaignFilter & CampaignListFilter) {
  const words = search ? { contains: escapeLike(search), mode: 'insensitive' as const } : undefined
  const of = templateId === undefined ? {} : { templateId }
  return {
    projectId,
    deletedAt: null,
    ...of,
    ...(status && { status }),
    ...(statuses && { status: { in: statuses } }),
    ...(words && { OR: [{ name: words }, { subject: words }] }),
  }
}

function campaignList({ db, projectId }: Reader, filter: CampaignFilter & CampaignListFilter, query: object): IdList<StoredCampaign> {
  const where = whereOf(projectId, filter)
  return {
    kind: 'campaign',
    read: async ({ where: between, ...window }) => ({
      // What GraphQL selects contains these columns, as REST does.
      rows: (await db.prisma.campaign.findMany({ ...query, ...(window as IdWindow), where: { ...where, ...between } })) as StoredCampaign[],
    }),
    count: () => db.prisma.campaign.count({ where }),
  }
}

/**
 * A page of the campaigns of the project, newest first, filtered by state, template and a part of name or subject. Fails with
 * PAYLOAD_TOO_LARGE when their bodies and conditions, if there are several, have more than 4 MB together.
 */
export async function listCampaigns(ctx: Reader, search: CampaignSearch) {
  const isNumbered = search.page !== undefined || search.pageSize !== undefined
  const found = isNumbered ? await readNumbered(ctx, search) : await readByCursor(ctx, search)
  const data = await withBodies(ctx, found.data)
  return { ...found, data, campaigns: data }
}

async function readByCursor(ctx: Reader, search: CampaignSearch) {
  const found = await readPage(campaignList(ctx, search, { select: campaignColumns }), search)
  const page = search.cursor === undefined ? 1 : 0
  return { ...found, page, pageSize: search.limit, totalPages: Math.ceil(found.total / search.limit) }
}

async function readNumbered({ db, projectId }: Reader, { page = 1, pageSize, limit, ...filter }: CampaignSearch) {
  const where = whereOf(projectId, filter)
  const found = await numberedPage<StoredCampaign>(
    { page, pageSize: pageSize ?? limit },
    (window) => db.prisma.campaign.findMany({ where, select: campaignColumns, orderBy: { id: 'desc' }, ...window }),
    () => db.prisma.campaign.count({ where }),
  )
  return { ...found, cursor: null, hasMore: page < found.totalPages }
}

async function withBodies(ctx: Reader, rows: StoredCampaign[]): Promise<EditedCampaign[]> {
  const ids = rows.map(({ id }) => id)
  const [bodies, counts] = await Promise.all([
    // The page has each of them twice, as `data` and as `campaigns`.
    readBodies(ctx, ids, { select: selectBodies, copies: 2 }),
    ctx.db.run(selectCounts, [ctx.projectId, ids]),
  ])
  const countsOf = new Map(counts.map((row) => [row.id, row]))
  // Each as it was when its body was read. One that was deleted meanwhile has none any more.
  return rows.flatMap(({ id }) => {
    const row = bodies.get(id)
    return row ? [shown(row, countsOf.get(id) ?? noCounts)] : []
  })
}

/**
 * The campaigns whose content was copied from a template, newest first, at most 500, as a connection; those of many templates are found
 * in one statement. `query` says what to select of each node.
 */
export async function connectCampaignsOfTemplate(
  ctx: Call,
  { id }: { id: string },
  args: ConnectionArgs,
  query: object,
): Promise<Connection<StoredCampaign>> {
  return connectCampaignsByIds(ctx, await listCampaignsOf(ctx, { id }), args, query)
}

/** Some campaigns as a connection, newest first, as they come; those of a page of concurrent calls are one statement. */
export async function connectCampaignsByIds(
  ctx: Call,
  campaigns: readonly { id: string }[],
  args: ConnectionArgs,
  query: object,
): Promise<Connection<StoredCampaign>> {
  const page = connectWhole(campaigns, args, { keyOf: (one) => [one.id] as const, shape: idKey('campaign'), newestFirst: true })
  const nodes = await Promise.all(page.edges.map(({ node }) => findCampaign(ctx, node, query)))
  const edges = page.edges.flatMap(({ cursor }, at) => (nodes[at] ? [{ cursor, node: nodes[at] as StoredCampaign }] : []))
  return { ...page, edges }
}

/** The campaigns of the project as a GraphQL connection; `query` says what to select of each node. */
export async function connectCampaigns(ctx: Reader, filter: CampaignListFilter, args: ConnectionArgs, query: object) {
  return readConnection(campaignList(ctx, filter, query), args)
}
