import type { Ctx } from './context.ts'
import { Failure } from './errors.ts'
import type { Statement } from './postgres/db.ts'

/** Maximum number of bytes of the bodies of several rows that are read at once. */
export const maxBodyBytes = 4 * 1024 * 1024
// What takes no turn among large values.
const smallBytes = 256 * 1024

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
 * The text of a statement for readBodies: the bodies of some rows ($1 project, $2 ids), in their order, with their sizes in bytes; null
 * when they have more than $3 bytes together. Hand-written to read no more than these: a size is known without its body.
 */
export function bodiesSql({ table, columns = 't.id', body, bytes = `octet_length(${body})`, having = '' }: Bodies): string {
  return `select ${columns}, ${bytes} as bytes, case when sum(${bytes}) over () <= $3 then ${body} end as body
   from ${table} t where t.project_id = $1 and t.id = any($2::text[]) ${having && `and ${having}`} order by t.id desc`
}

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
 * each `copies` times. Fails with PAYLOAD_TOO_LARGE for more than 4 MB (`maxBytes`) of several rows; a single one is always read.
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
  return byId(await readLarge(ctx, sizes, { select, copies }))
}

/**
 * The same for rows that each fail by themselves: null for those after the first 4 MB (`maxBytes`), in the order of the ids.
 */
export async function readFirstBodies<Row extends BodyRow>(
  ctx: Reader,
  ids: string[],
  { select, maxBytes = maxBodyBytes }: { select: Statement<Row>; maxBytes?: number },
): Promise<Row[]> {
  const sizes = await ctx.db.run(select, [ctx.projectId, ids, smallBytes])
  if (totalOf(sizes) <= smallBytes) return sizes
  let total = 0
  const fitting = sizes.filter(({ bytes }, at) => {
    total += bytes
    return at === 0 || total <= maxBytes
  })
  const found = byId(await readLarge(ctx, fitting, { select, copies: 1 }))
  // Each as it was when its body was read.
  return sizes.map((row) => ({ ...row, body: null, ...found.get(row.id) }))
}

async function readLarge<Row extends BodyRow>(
  { db, projectId, takeRoom }: Reader,
  rows: Row[],
  { select, copies }: { select: Statement<Row>; copies: number },
): Promise<Row[]> {
  const ids = rows.map(({ id }) => id)
  // Of a body that has grown meanwhile, nothing is read.
  const max = Math.max(maxBodyBytes, totalOf(rows))
  return db.large.run(select, [projectId, ids, max], () => takeRoom?.(totalOf(rows) * copies))
}

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
