import type { Ctx } from './context.ts'
import { Failure } from './errors.ts'
import { loaderPerCall, type ReadingAlone } from './load.ts'
import type { Statement } from './postgres/db.ts'
import { bytesOf } from './postgres/list.ts'

/** Maximum number of bytes of the bodies of several rows that are read at once. */
export const maxBodyBytes = 4 * 1024 * 1024
// What takes no turn among large values.
const smallBytes = 256 * 1024
// An integer of Postgres, whose values have at most 1 GB.
const unbounded = 2 ** 31 - 1

/** The size of the body of a row, and the body itself unless all that were asked for are larger together than asked for. */
export interface BodyRow {
  id: string
  bytes: number
  body: string | null
}

/** A row with its body. */
export type WithBody<Row extends BodyRow> = Omit<Row, 'bytes' | 'body'> & { body: string }

interface Bodies {
  table: string
  /** What else is read of a row of `t`, in SQL: what belongs to the body, so that both are of the same moment. */
  columns?: string
  /** The body of a row of `t`, in SQL. */
  body: string
  /** Its size, where something else counts as well. */
  bytes?: string
  /** Which rows have one. */
  having?: string
}

/**
 * The text of a statement for readBodies: the bodies of some rows ($1 project, $2 ids), with their sizes in bytes; null when they
 * have more than $3 bytes together. Hand-written to read no more than these: a size is known without its body.
 */
export function bodiesSql({ table, columns, body, bytes = `octet_length(${body})`, having = '' }: Bodies): string {
  const rows = `select t.*, ${bytes} as bytes from ${table} t where t.project_id = $1 and t.id = any($2::text[]) ${having && `and ${having}`}`
  return bodiesOf(rows, { columns, body })
}

/** The same of rows of any kind, a SELECT of `id`, `bytes` and `value`, which is not null. */
export function bodiesOf(
  rows: string,
  { columns = 't.id', body = 't.value::text' }: Partial<Pick<Bodies, 'columns' | 'body'>> = {},
): string {
  // With offset 0 a size is found once: that of a value which is stored compressed takes as long as reading it.
  return `select ${columns}, t.bytes, case when sum(t.bytes) over () <= $3 then ${body} end as body from (${rows} offset 0) t`
}

/** Bodies that are the JSON of a column, of the rows that have any, with about the size that they have as text. */
export const jsonOf = (column: string): Omit<Bodies, 'table'> => ({
  body: `t.${column}::text`,
  bytes: bytesOf(`t.${column}`),
  having: `t.${column} is not null`,
})

/** Bodies that are documents as JSON, of the rows that have one. */
export const documents = { body: 't.document::text', having: 't.document is not null' }

/** Bodies with the documents that they were made of, as JSON of `body` and `document`, whose value is the text of a document. */
export const bodiesWithDocuments = {
  body: `json_build_object('body', t.body, 'document', t.document::text)::text`,
  bytes: 'octet_length(t.body) + coalesce(octet_length(t.document::text), 0)',
}

type Reader = Pick<Ctx, 'db' | 'projectId' | 'takeRoom'>

/**
 * Rows with their bodies ($1 project, $2 ids, $3 bytes that they may have together), by id; a row that does not exist has none. Their sizes
 * are read first: more than 256 KB are read when it is their turn (`db.large`) and there is room for them in the answer, which has
 * each `copies` times. Fails with PAYLOAD_TOO_LARGE for more than 4 MB (`maxBytes`) of several rows, also when they have grown to that
 * while they waited; a single one is always read.
 */
export async function readBodies<Row extends BodyRow>(
  ctx: Reader,
  ids: string[],
  { select, copies = 1, maxBytes = maxBodyBytes }: { select: Statement<Row>; copies?: number; maxBytes?: number },
): Promise<Map<string, WithBody<Row>>> {
  const sizes = await ctx.db.run(select, [ctx.projectId, ids, smallBytes])
  const bytes = totalOf(sizes)
  if (bytes <= smallBytes) return byId(sizes)
  if (sizes.length > 1 && bytes > maxBytes) throw tooManyBodies(maxBytes)
  const rows = await readLarge(ctx, sizes, { select, copies, maxBytes })
  if (!rows.every(isWhole)) throw tooManyBodies(maxBytes)
  return byId(rows)
}

/**
 * The same for rows that each fail by themselves: null for those after the first 4 MB (`maxBytes`), in the order in which they are asked
 * for. A size that the statement gives may be an estimate: they are read in pieces of 4 MB by those, and counted as they are.
 */
export async function readFirstBodies<Row extends BodyRow>(
  ctx: Reader,
  ids: string[],
  { select, maxBytes = maxBodyBytes }: { select: Statement<Row>; maxBytes?: number },
): Promise<Row[]> {
  const placeOf = new Map(ids.map((id, at) => [id, at]))
  const byPlace = (one: Row, other: Row): number => (placeOf.get(one.id) ?? 0) - (placeOf.get(other.id) ?? 0)
  const sizes = (await ctx.db.run(select, [ctx.projectId, ids, smallBytes])).toSorted(byPlace)
  if (totalOf(sizes) <= smallBytes) return sizes
  const first = firstWithin<Row>(maxBytes)
  const removed = new Set<string>()
  const waiting = piecesOf(sizes)
  for (let piece = waiting.shift(); piece && !first.isFull(); piece = waiting.shift()) {
    const rows = (await readLarge(ctx, piece, { select })).toSorted(byPlace)
    const isAll = rows.every(isWhole)
    // They have grown: each by itself is read whatever its size.
    if (!isAll) waiting.unshift(...piece.map((one) => [one]))
    const takenBytes = isAll ? first.add(rows) : 0
    ctx.takeRoom?.(takenBytes - totalOf(piece))
    const remaining = new Set(rows.map(({ id }) => id))
    for (const { id } of piece) if (!remaining.has(id)) removed.add(id)
  }
  // Each as it was when its body was read, without those that were removed until then.
  return sizes.filter(({ id }) => !removed.has(id)).map((row) => first.rows.get(row.id) ?? { ...row, body: null })
}

// The first rows that have so many bytes together, or the first one.
function firstWithin<Row extends BodyRow>(maxBytes: number) {
  const rows = new Map<string, Row>()
  let total = 0
  return {
    rows,
    isFull: () => total >= maxBytes,
    /** Takes those that there is room for; returns how many bytes these have. */
    add(next: Row[]): number {
      let taken = 0
      for (const row of next) {
        const bytes = Buffer.byteLength(row.body ?? '')
        total += bytes
        if (total > maxBytes && rows.size > 0) break
        rows.set(row.id, row)
        taken += bytes
      }
      return taken
    },
  }
}

// Consecutive rows that have at most 4 MB together, or a single one.
function piecesOf<Row extends BodyRow>(rows: Row[]): Row[][] {
  const pieces: Row[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const row of rows) {
    bytes += row.bytes
    if (bytes > maxBodyBytes) {
      pieces.push([])
      bytes = row.bytes
    }
    pieces.at(-1)?.push(row)
  }
  return pieces
}

// Several that have grown beyond `maxBytes` together by the time they are read are without their bodies.
async function readLarge<Row extends BodyRow>(
  { db, projectId, takeRoom }: Reader,
  rows: Row[],
  { select, copies = 1, maxBytes = maxBodyBytes }: { select: Statement<Row>; copies?: number; maxBytes?: number },
): Promise<Row[]> {
  const ids = rows.map(({ id }) => id)
  const max = rows.length === 1 ? unbounded : Math.min(maxBytes, unbounded)
  return db.large.run(select, [projectId, ids, max], () => takeRoom?.(totalOf(rows) * copies))
}

const isWhole = ({ body }: BodyRow): boolean => body !== null

function totalOf(rows: BodyRow[]): number {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0)
}

function byId<Row extends BodyRow>(rows: Row[]): Map<string, WithBody<Row>> {
  return new Map(rows.flatMap(({ bytes: _, body, ...row }) => (body === null ? [] : [[row.id, { ...row, body }]])))
}

/** The failure of a call that asks for more large bodies at once than are read: 4 MB (`maxBytes`). */
export function tooManyBodies(maxBytes = maxBodyBytes): Failure {
  return new Failure('PAYLOAD_TOO_LARGE', `These items have more than ${maxBytes / 1024 / 1024} MB of content together.`, {
    suggestion: 'Ask for fewer items at once; a single one is always answered.',
  })
}

/**
 * Loads bodies of rows by their ids, for fields of lists: what a call requests in a turn of the event loop is read as readFirstBodies does.
 * Null for a row that has none. Fails with PAYLOAD_TOO_LARGE for those after the first 4 MB (`maxBytes`).
 */
export function bodyLoader({ select, maxBytes = maxBodyBytes }: { select: Statement<BodyRow>; maxBytes?: number }) {
  const load = loaderPerCall((ctx, ids) => readFirstBodies(ctx, ids, { select, maxBytes }))
  return async (ctx: ReadingAlone, row: { id: string }): Promise<string | null> => {
    const found = await load(ctx, row)
    if (!found) return null
    if (found.body === null) throw tooManyBodies(maxBytes)
    return found.body
  }
}
