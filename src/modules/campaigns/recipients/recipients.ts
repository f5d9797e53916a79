import type { Ctx } from '../../../kit/context.ts'
import { cellOfValue, lineOf } from '../../../kit/csv/cells.ts'
import type { Download } from '../../../kit/download.ts'
import { inPieces } from '../../../kit/exports.ts'
import { type ConnectionArgs, type IdList, readConnection, readPage } from '../../../kit/paging.ts'
import { readerOfLists } from '../../../kit/postgres/lists.ts'
import { countFiltered } from '../../../kit/postgres/totals.ts'
import { behind, newestContact } from '../../contacts/audience/audience.ts'
import { exportOf } from '../../projects/exports.ts'
import { exclusionSentences } from '../audience/shapes.ts'
import { getStoredCampaign } from '../campaigns.ts'
import type { Recipient, RecipientListFilter, RecipientSearch } from './shapes.ts'
import { type ExcludedRow, excludedListSql, type RecipientRow, type RecipientSql, recipientListSql } from './sql.ts'

type Call = Pick<Ctx, 'world' | 'db' | 'projectId'>
type Filter = { id: string } & RecipientListFilter

const order = { by: 'id', direction: 'asc' } as const

const readRecipients = readerOfLists<RecipientRow, RecipientSql>(recipientListSql)
const readExcluded = readerOfLists<ExcludedRow, Pick<RecipientSql, 'campaignId'>>(excludedListSql)

function listOf(ctx: Call, { id: campaignId, outcome, opened, clicked }: Filter): IdList<RecipientRow> {
  if (outcome === 'EXCLUDED')
    return {
      kind: 'contact',
      order,
      read: async (window) => ({ rows: (await readExcluded(ctx, { campaignId }, window)).rows.map(excluded) }),
      count: () => countFiltered(ctx, excludedListSql, ctx.projectId, { campaignId }),
    }
  const filter: RecipientSql = { campaignId, outcome, opened, clicked }
  return {
    kind: 'contact',
    order,
    read: (window) => readRecipients(ctx, filter, window),
    count: () => countFiltered(ctx, recipientListSql, ctx.projectId, filter),
  }
}

function excluded({ id, email, exclusion }: ExcludedRow): RecipientRow {
  return {
    id,
    email,
    emailId: null,
    outcome: 'EXCLUDED',
    reason: exclusionSentences[exclusion],
    sentAt: null,
    openedAt: null,
    clickedAt: null,
  }
}

function shown({ id, ...row }: RecipientRow): Recipient {
  return { contactId: id, ...row }
}

/** A page of the recipients of a campaign, or of those who were excluded, in the order of their contacts. Fails with RESOURCE_NOT_FOUND. */
export async function listRecipients(ctx: Call, { id, outcome, ...search }: RecipientSearch) {
  await getStoredCampaign(ctx, { id })
  const page = await readPage(listOf(ctx, { id, outcome }), search)
  return { ...page, data: page.data.map(shown) }
}

/** The same list as a GraphQL connection; those of a list of campaigns are read in one statement. */
export async function connectRecipients(ctx: Call, filter: Filter, args: ConnectionArgs) {
  return readConnection(listOf(ctx, filter), args)
}

const rowsPerBatch = 1_000
const columns = ['email', 'contactId', 'emailId', 'outcome', 'reason', 'sentAt', 'openedAt', 'clickedAt']

/**
 * The recipients of a campaign as CSV, or those who were excluded: read in short batches, as fast as the caller takes it, up to the
 * contact that was the newest at the begin. Fails with RESOURCE_NOT_FOUND; reading it fails as `exportOf` does.
 */
export async function exportRecipients(ctx: Ctx, { id, outcome }: Filter): Promise<Download> {
  await getStoredCampaign(ctx, { id })
  return exportOf(ctx, `recipients-${id}.csv`, () => piecesOf(ctx, { id, outcome }))
}

async function* piecesOf(ctx: Ctx, filter: Filter): AsyncGenerator<string, void> {
  const newest = await newestContact(ctx)
  yield lineOf(columns)
  for (let after: string | undefined = ''; after !== undefined; ) {
    const where: { id: { gt: string; lt: string } } = { id: { gt: after, lt: behind(newest) } }
    const { rows, stoppedAt } = await listOf(ctx, filter).read({ take: rowsPerBatch, orderBy: { id: 'asc' }, where })
    yield* inPieces(ctx, rows, lineOfRow)
    after = stoppedAt ?? rows.at(-1)?.id
  }
}

function lineOfRow({ id, email, emailId, outcome, reason, sentAt, openedAt, clickedAt }: RecipientRow): string {
  const times = [sentAt, openedAt, clickedAt].map((at) => at?.toISOString() ?? '')
  return lineOf([cellOfValue(email), id, emailId ?? '', outcome, cellOfValue(reason ?? ''), ...times])
}
