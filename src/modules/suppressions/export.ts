import type { Ctx } from '../../kit/context.ts'
import { cellOfValue, lineOf } from '../../kit/csv/cells.ts'
import type { Download } from '../../kit/download.ts'
import { inPieces } from '../../kit/exports.ts'
import { readSlice } from '../../kit/postgres/list.ts'
import { exportOf } from '../projects/exports.ts'
import type { SuppressionSearch } from './shapes.ts'
import { type SuppressionFilterSql, type SuppressionRow, suppressionListSql } from './sql.ts'
import { filterSqlOf } from './suppressions.ts'

type Filter = Pick<SuppressionSearch, 'search' | 'reason'>

const rowsPerBatch = 1_000
// Of processes, after each has compared its clock with that of Postgres: nothing that was on the list may be missing.
const clocksDifferMs = 1_000
const columns = ['email', 'reason', 'source', 'since']

/**
 * The suppression list as CSV, by address, filtered by a part of the address and by reason. It is read in short batches, as fast
 * as the caller takes it: addresses that change meanwhile are exported as they are when they are reached, and those that are added later
 * than a second after its begin are not. Addresses that a spreadsheet would run as a formula have an apostrophe before them. Reading it
 * fails as `exportOf` does.
 */
export async function exportSuppressions(ctx: Ctx, filter: Filter): Promise<Download> {
  const day = ctx.clock.now().toISOString().slice(0, 10)
  return exportOf(ctx, `suppressions-${day}.csv`, () => piecesOf(ctx, filter))
}

async function* piecesOf(ctx: Ctx, filter: Filter): AsyncGenerator<string, void> {
  const addedUntil = new Date(ctx.clock.now().getTime() + clocksDifferMs)
  yield lineOf(columns)
  for (let after: string | undefined = ''; after !== undefined; ) {
    const where: { email: { gt: string } } = { email: { gt: after } }
    const window = { take: rowsPerBatch, orderBy: { email: 'asc' as const }, where }
    const { rows } = await readSlice<SuppressionRow, SuppressionFilterSql>(
      ctx.db,
      suppressionListSql,
      ctx.projectId,
      { ...filterSqlOf(filter), addedUntil },
      window,
    )
    yield* inPieces(ctx, rows, rowOf)
    after = rows.at(-1)?.email
  }
}

function rowOf({ email, reason, source, since }: SuppressionRow): string {
  return lineOf([cellOfValue(email), reason, source, since.toISOString()])
}
