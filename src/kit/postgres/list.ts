import type { IdWindow, Slice } from '../paging.ts'
import { type Executor, statement } from './db.ts'

/** What a list can be searched by: each field with its condition, given the parameter that holds its value. */
export type Conditions<Filter> = readonly [field: keyof Filter & string, condition: (parameter: string) => string][]

/** A list ordered by id within a project, as SQL. */
export interface ListSql<Filter> {
  /** Begins the names of its statements. */
  name: string
  /** The table; its alias is `l`. */
  table: string
  columns: string
  /** Columns that only the rows of a page get, of the alias `v`. */
  extra?: string
  conditions: Conditions<Filter>
  /** Which rows are passed over, of the alias `v`: an expression that looks at one row, never a join. */
  hidden?: string
  /** The same for counting, where all rows are looked at: a condition of the alias `v` that may be planned as a join. */
  shown?: string
}

// Rows a page looks at, at most: however much is being removed, a page costs no more than this.
const maxVisited = 2_000
const countedUpTo = 100_000

/**
 * The SQL of the conditions that are asked for: each combination has a text, and so a plan, of its own. `key` stands for
 * the combination in a statement's name, which Postgres cuts at 63 characters.
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

const between: Conditions<{ lt?: string; gt?: string }> = [
  ['lt', (at) => `l.id < ${at}`],
  ['gt', (at) => `l.id > ${at}`],
]

/** A row of a slice: `last` says that no more rows were looked at, `hidden` that this one is passed over. */
export type Visited<Row> = Row & { last?: boolean; hidden?: boolean }

/** Reads a window of a list: see windowSql. */
export async function readSlice<Row extends { id: string }, Filter extends object>(
  db: Executor,
  list: ListSql<Filter>,
  projectId: string,
  filter: Filter,
  { take, ...window }: IdWindow,
): Promise<Slice<Row>> {
  const { key, sql, values } = windowSql(list, filter, window)
  const text = list.extra ? `select v.*, ${list.extra} from (${sql}) v order by v.id ${window.orderBy.id}` : sql
  return sliceOf(await db.run(statement<Visited<Row>>(`${list.name}_list_${key}`, text), [projectId, take, ...values]))
}

/**
 * The rows of a window ($1 project, $2 how many, then `values`). Those that are hidden are passed over; after 2,000 rows
 * reading stops, so that a page costs no more however many are hidden: the last one looked at comes along to say so.
 * `where` is a condition of the alias `l` beside those of the filter.
 */
export function windowSql<Filter extends object>(
  { table, columns, conditions, hidden }: ListSql<Filter>,
  filter: Filter,
  { orderBy, where }: Omit<IdWindow, 'take'>,
  also = '',
): { key: string; sql: string; values: unknown[] } {
  const asked = filtered(conditions, filter, 3)
  const place = filtered(between, where.id ?? {}, 3 + asked.values.length)
  const order = `order by id ${orderBy.id}`
  const rows = `select ${columns} from ${table} l where l.project_id = $1${also}${asked.where}${place.where} ${order} limit`
  const visited = `select v.*, row_number() over (${order}) = ${maxVisited} as last, ${hidden} as hidden from (${rows} ${maxVisited}) v`
  return {
    key: [orderBy.id, asked.key, place.key].join('_'),
    sql: hidden ? `select v.* from (${visited}) v where last or not hidden ${order} limit $2` : `${rows} $2`,
    values: [...asked.values, ...place.values],
  }
}

/** What a window has read: where reading stopped, nothing beyond it counts. */
export function sliceOf<Row extends { id: string }>(rows: Visited<Row>[]): Slice<Row> {
  const stop = rows.findIndex(({ last }) => last)
  const read = stop === -1 ? rows : rows.slice(0, stop + 1)
  // TypeScript cannot see that what is left of a generic row is that row.
  const found = read.flatMap(({ last, hidden, ...row }) => (hidden ? [] : [row as unknown as Row]))
  return { rows: found, stoppedAt: rows[stop]?.id }
}

/** Counts a list up to a bound. Rows that are hidden are looked at too, up to twice the bound. */
export async function countRows<Filter extends object>(
  db: Executor,
  { name, table, columns, conditions, shown }: ListSql<Filter>,
  projectId: string,
  filter: Filter,
  upTo = countedUpTo,
): Promise<number> {
  const { key, where, values } = filtered(conditions, filter, 3)
  const rows = `select ${shown ? columns : '1'} from ${table} l where l.project_id = $1${where}`
  const seen = shown ? `select 1 from (${rows} limit 2 * $2::bigint) v where ${shown} limit $2` : `${rows} limit $2`
  const [counted] = await db.run(
    statement<{ count: number }>(`${name}_count_${key}`, `select count(*)::int as count from (${seen}) bounded`),
    [projectId, upTo, ...values],
  )
  return counted?.count ?? 0
}
