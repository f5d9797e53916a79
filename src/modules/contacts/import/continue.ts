import { readAhead } from '../../../kit/ahead.ts'
import { type CsvPlace, type CsvRow, type CsvRows, requireRoomFor, rowsOf } from '../../../kit/csv/csv.ts'
import { maxListedErrors, type RowError } from '../../../kit/csv/shapes.ts'
import { Failure } from '../../../kit/errors.ts'
import type { World } from '../../../kit/world.ts'
import { readJobFile } from '../../jobs/job.ts'
import { type Chunk, type ChunksOf, runJob } from '../../jobs/run.ts'
import type { ClaimedJob } from '../../jobs/shapes.ts'
import { sumStoredBytes } from '../sql.ts'
import { type ImportRow, isRefused, readRow } from './rows.ts'
import { ImportInput, ImportPlace, ImportResult } from './shapes.ts'
import { type Written, writeRows } from './write.ts'

/** How many rows are read and written together, so that no transaction is long. */
export const rowsPerBatch = 1_000
const bytesPerBatch = 256 * 1024

/** Continues the next import for some chunks; see runJob. */
export async function continueImport(world: World): Promise<void> {
  await runJob(world, 'import', sayingWhatStays(chunksOf))
}

function sayingWhatStays(chunks: ChunksOf): ChunksOf {
  return async function* (world, job) {
    try {
      yield* chunks(world, job)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      throw new Failure(error.code, `${error.message}. The rows before it were imported.`)
    }
  }
}

async function* chunksOf(world: World, job: ClaimedJob): AsyncGenerator<Chunk, void> {
  const { projectId } = job
  const input = ImportInput.parse(job.input)
  const from = ImportPlace.nullable().parse(job.place) ?? input.start
  const rows = rowsOf(readJobFile(world, job, from.offset), input.delimiter, from)
  // Parsing and writing take about as long, and only one of them needs this thread.
  for await (const { batch, last } of readAhead(batchesOf(rows, input.columns, { ...from, rows: importedSoFar(job.result).totalRows }))) {
    const emails = new Set(batch.rows.map(({ email }) => email))
    const [stored] = await world.db.run(sumStoredBytes, [projectId, [...emails]])
    yield { ...chunkOf(world, { projectId, bytes: input.bytes }, batch, last), bytes: stored?.bytes ?? 0 }
  }
}

function chunkOf(world: World, of: { projectId: string; bytes: number }, batch: RowBatch, last: boolean): Chunk {
  const { projectId, bytes } = of
  return {
    place: batch.end,
    progress: Math.floor((batch.end.offset / bytes) * 100),
    last,
    async write(tx, before) {
      return added(importedSoFar(before), batch, await writeRows(tx, world, { projectId, rows: batch.rows }))
    },
    halves() {
      const parts = halvesOfBatch(batch)
      return parts && [chunkOf(world, of, parts[0], false), chunkOf(world, of, parts[1], last)]
    },
  }
}

// Null for a batch of one row.
function halvesOfBatch({ rows, errors, start, end, ends }: RowBatch): [RowBatch, RowBatch] | null {
  const half = Math.floor(ends.length / 2)
  const middle = ends[half - 1]
  if (!middle) return null
  const first = { rows: rows.filter(({ line }) => line <= middle.lines), errors: errors.filter(({ row }) => row <= middle.lines) }
  const second = { rows: rows.slice(first.rows.length), errors: errors.slice(first.errors.length) }
  return [
    { ...first, start, end: middle, ends: ends.slice(0, half) },
    { ...second, start: middle, end, ends: ends.slice(half) },
  ]
}

/** Rows that are read together, and the places before and behind them. */
export interface RowBatch {
  rows: ImportRow[]
  errors: RowError[]
  start: CsvPlace
  end: CsvPlace
  /** Where each of them ends, in order. */
  ends: CsvPlace[]
}

type Columns = Parameters<typeof readRow>[1]

/**
 * Rows in batches of at most 1,000, and of at most about 256 KB of the file: one may be empty, where there are only blank lines.
 * When a row cannot be read, or is beyond the first 1,000,000, what is before it comes first, then a VALIDATION_ERROR. `from` says where
 * the rows begin, and how many of the file are before them.
 */
export async function* batchesOf(
  rows: AsyncIterable<CsvRows>,
  columns: Columns,
  { rows: before, ...from }: CsvPlace & { rows: number },
): AsyncGenerator<{ batch: RowBatch; last: boolean }, void> {
  let batch = batchFrom(from)
  let count = before
  try {
    for await (const { rows: some, end } of rows) {
      for (const row of some) {
        requireRoomFor(row, ++count)
        add(batch, row, columns)
        if (!isFull(batch)) continue
        yield { batch, last: false }
        batch = batchFrom(row.end)
      }
      batch.end = end
      if (!isFull(batch)) continue
      yield { batch, last: false }
      batch = batchFrom(end)
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    yield { batch, last: false }
    throw error
  }
  yield { batch, last: true }
}

function batchFrom(place: CsvPlace): RowBatch {
  return { rows: [], errors: [], start: place, end: place, ends: [] }
}

function add(batch: RowBatch, row: CsvRow, columns: Columns): void {
  const read = readRow(row, columns)
  if (isRefused(read)) batch.errors.push(read)
  else batch.rows.push(read)
  batch.end = row.end
  batch.ends.push(row.end)
}

// By bytes also without rows: a run that recorded no progress for long would lose its job to another one.
function isFull({ rows, errors, start, end }: RowBatch): boolean {
  return rows.length + errors.length >= rowsPerBatch || end.offset - start.offset >= bytesPerBatch
}

const nothing: ImportResult = {
  totalRows: 0,
  successCount: 0,
  createdCount: 0,
  updatedCount: 0,
  failureCount: 0,
  errors: [],
  errorsOmitted: 0,
}

function importedSoFar(recorded: ClaimedJob['result']): ImportResult {
  return ImportResult.nullable().parse(recorded) ?? nothing
}

function added(result: ImportResult, { rows, errors }: RowBatch, written: Written): ImportResult {
  const failed = [...errors, ...written.errors].sort((one, other) => one.row - other.row)
  const succeeded = rows.length - written.errors.length
  const listed = [...result.errors, ...failed].slice(0, maxListedErrors)
  const failureCount = result.failureCount + failed.length
  return {
    totalRows: result.totalRows + rows.length + errors.length,
    successCount: result.successCount + succeeded,
    createdCount: result.createdCount + written.created,
    updatedCount: result.updatedCount + succeeded - written.created,
    failureCount,
    errors: listed,
    errorsOmitted: failureCount - listed.length,
  }
}
