import type { ListWindow, Slice } from '../paging.ts'
import { type Database, statement } from './db.ts'

/** The filters of a list: each field with its SQL condition, given the parameter that holds its value. */
export type Conditions<Filter> = readonly [field: keyof Filter & string, condition: (parameter: string) => string][]

/** A list within a project, as SQL. */
export interface ListSql<Filter> {
  /** Prefix of the names of its statements. */
  name: string
  /** The table; its alias is `l`. */
  table: string
  columns: string
  /** Columns that are computed for the rows of a page only, of the alias `v`. */
  extra?: string
  conditions: Conditions<Filter>
  /**
   * Filters that no index serves and that one row in a great many may match, as conditions of the alias `l`: `compared` is evaluated
   * row by row for a page, which stops after 20,000 rows, never a join; `counted` is the same as a condition that may be planned as one.
   */
  sparse?: { compared: Conditions<Filter>; counted: Conditions<Filter> }
  /** Which rows are skipped: a condition of the alias `v` that is evaluated row by row, never a join. */
  hidden?: string
  /** Which rows count: the opposite of `hidden`, as a condition of the alias `v` that may be planned as a join. */
  shown?: string
  /** A jsonb column of the alias `v` that may be long: reading stops at the row that has 4 MB of it with those before. */
  long?: string
}

// Rows that are read for a page at most, however many of them are hidden.
const maxRead = 2_000
// Those that are compared with a filter which no index serves: 0.2 s at most, as it was measured.
const maxCompared = 20_000
const maxPageBytes = 4_194_304
const countedUpTo = 100_000

/**
 * The SQL of the filters that are set: each combination has its own text, and so its own plan. `key` identifies the
 * combination in the name of the statement, which Postgres cuts at 63 characters.
 */
export function filtered<Filter extends object>(
  conditions: Conditions<Filter>,
  filter: Filter,
  first: number,
): { key: string; where: string; values: unknown[] } {
  const asked = conditions.flatMap(([field, condition], at) => (filter[field] === undefined ? [] : [{ field, condition, at }]))
  return {
    key: asked.map(({ at }) => at.toString(36)).join(''),
    where: asked.map(({ condition }, at) => ` and ${condition(`$${first + at}`)}`).join(''),
    values: asked.map(({ field }) => filter[field]),
  }
}

function between(column: string): Conditions<{ lt?: string; gt?: string }> {
  return [
    ['lt', (at) => `l.${column} < ${at}`],
    ['gt', (at) => `l.${column} > ${at}`],
  ]
}

/** The one column that a window is ordered by. */
export function orderOf({ orderBy }: Pick<ListWindow, 'orderBy'>): { column: string; direction: string } {
  const [[column, direction] = ['id', 'desc']] = Object.entries(orderBy)
  return { column, direction }
}

/** A row of a slice: `last` when reading stopped at it, `hidden` when it is skipped. */
export type Visited<Row> = Row & {
  last?: boolean
  hidden?: boolean
  full?: boolean
  matches?: boolean | null
  listBytes?: number
  listSum?: number
  listBeyond?: number
}

/** Reads a window of a list: see windowSql. */
export async function readSlice<Row extends { id: string }, Filter extends object>(
  { lists }: Pick<Database, 'lists'>,
  list: ListSql<Filter>,
  projectId: string,
  filter: Filter,
  { take, ...window }: ListWindow,
): Promise<Slice<Row>> {
  const { key, sql, values } = windowSql(list, filter, window)
  const { column, direction } = orderOf(window)
  const rows = stoppingAtBytes(sql, list, window)
  const text = list.extra ? `select v.*, ${list.extra} from (${rows}) v order by v.${column} ${direction}` : rows
  return sliceOf(await lists.run(statement<Visited<Row>>(`${list.name}_list_${key}`, text), [projectId, take, ...values]), column)
}

/**
 * SQL for the rows of a window ($1 project, $2 how many rows, then `values`). Hidden rows are skipped. Reading stops after
 * 2,000 rows, or 20,000 with a sparse filter, so that the cost of a page is limited however many rows are hidden; the row it stopped
 * at is returned with `last` set. `also` is a further condition of the alias `l`.
 */
export function windowSql<Filter extends object>(
  { table, columns, conditions, sparse, hidden = 'false' }: ListSql<Filter>,
  filter: Filter,
  { orderBy, where }: Omit<ListWindow, 'take'>,
  also = '',
): { key: string; sql: string; values: unknown[] } {
  const asked = filtered(conditions, filter, 3)
  const compared = filtered(sparse?.compared ?? [], filter, 3 + asked.values.length)
  const isSparse = compared.values.length > 0
  const given = [...asked.values, ...compared.values]
  const { column, direction } = orderOf({ orderBy })
  const place = filtered(between(column), where[column] ?? {}, 3 + given.length)
  const order = `order by ${column} ${direction}`
  const read = isSparse ? `${columns}, (true${compared.where}) as matches` : columns
  const rows = `select ${read} from ${table} l where l.project_id = $1${also}${asked.where}${place.where} ${order} limit`
  const max = isSparse ? maxCompared : maxRead
  const isHidden = isSparse ? `(v.matches is not true or ${hidden})` : hidden
  const visited = `select v.*, row_number() over (${order}) = ${max} as last, ${isHidden} as hidden from (${rows} ${max}) v`
  return {
    key: [column === 'id' ? direction : `${column}_${direction}`, asked.key, compared.key, place.key].join('_'),
    sql: isSparse || hidden !== 'false' ? `select v.* from (${visited}) v where last or not hidden ${order} limit $2` : `${rows} $2`,
    values: [...given, ...place.values],
  }
}

/** SQL for about how many bytes a jsonb value has as text, 0 for null. What Postgres stores uncompressed is not read for it. */
export function bytesOf(value: string): string {
  return `coalesce(case when pg_column_compression(${value}) is null then pg_column_size(${value}) else octet_length(${value}::text) end, 0)`
}

/**
 * SQL that stops reading rows at the one that has so many bytes, 4 MB by default, with those before, and returns it with `full` set. What
 * Postgres stores uncompressed is not read for it; at the count it stops, so that the sizes of later rows are not looked at.
 */
export function stoppingAtBytes(
  sql: string,
  { long }: { long?: string },
  window: Pick<ListWindow, 'orderBy'>,
  maxBytes = maxPageBytes,
): string {
  if (!long) return sql
  const { column, direction } = orderOf(window)
  const order = `order by ${column} ${direction}`
  const sums = `select v.*, sum(v."listBytes") over (${order} rows unbounded preceding) as "listSum" from (select v.*, ${bytesOf(long)} as "listBytes" from (${sql}) v) v`
  const counted = `select v.*, v."listSum" >= ${maxBytes} as full,
    count(*) filter (where v."listSum" - v."listBytes" >= ${maxBytes}) over (${order} rows unbounded preceding) as "listBeyond" from (${sums}) v`
  return `select v.* from (${counted}) v where v."listBeyond" < 1 ${order}`
}

/** The slice of the rows that `windowSql` returned: up to the row where reading stopped. */
export function sliceOf<Row extends { id: string }>(rows: Visited<Row>[], column = 'id'): Slice<Row> {
  const stop = rows.findIndex(({ last, full }) => last || full)
  const read = stop === -1 ? rows : rows.slice(0, stop + 1)
  // TypeScript cannot see that a Visited<Row> without `last` and `hidden` is a Row.
  const found = read.flatMap(({ last, hidden, matches, full, listBytes, listSum, listBeyond, ...row }) =>
    hidden ? [] : [row as unknown as Row],
  )
  const stopped = rows[stop] as Record<string, unknown> | undefined
  return { rows: found, ...(stopped && { stoppedAt: String(stopped[column]) }) }
}

/** Counts a list up to `upTo`. At most twice as many rows are read, hidden ones included. */
export async function countRows<Filter extends object>(
  { lists }: Pick<Database, 'lists'>,
  { name, table, columns, conditions, sparse, shown }: ListSql<Filter>,
  projectId: string,
  filter: Filter,
  upTo = countedUpTo,
): Promise<number> {
  const { key, where, values } = filtered([...conditions, ...(sparse?.counted ?? [])], filter, 3)
  const rows = `select ${shown ? columns : '1'} from ${table} l where l.project_id = $1${where}`
  const seen = shown ? `select 1 from (${rows} limit 2 * $2::bigint) v where ${shown} limit $2` : `${rows} limit $2`
  const [counted] = await lists.run(
    statement<{ count: number }>(`${name}_count_${key}`, `select count(*)::int as count from (${seen}) bounded`),
    [projectId, upTo, ...values],
  )
  return counted?.count ?? 0
}
