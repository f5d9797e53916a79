import { loader, type Reading } from '../load.ts'
import type { ListWindow, Slice } from '../paging.ts'
import { statement } from './db.ts'
import { type ListSql, orderOf, sliceOf, type Visited, windowSql } from './list.ts'

type Placed<Row> = Visited<Row> & { ord: number }
type Asked<Row> = { id: string; rows: Visited<Row>[] }
// What the windows that are read together have in common.
interface Common {
  name: string
  sql: string
  order: string
  take: number
}

/**
 * Reads windows of a list that many objects have, each with at least one filter, as `readSlice` does: those that are requested in one turn
 * of the event loop, with the same filters set, are one statement. Its conditions must take their parameters as text.
 */
export function readerOfLists<Row extends { id: string }, Filter extends object>(list: Omit<ListSql<Filter>, 'extra' | 'sparse' | 'long'>) {
  const find = loader<Asked<Row>>(async ({ db, projectId }, texts, query) => {
    // The loader passes on what `find` below was given.
    const { name, sql, order, take } = query as Common
    const asked = texts.map((text): string[] => JSON.parse(text))
    const columns = asked[0]?.map((_, at) => asked.map((values) => values[at])) ?? []
    const each = statement<Placed<Row>>(name, ofEach(sql, columns.length, order))
    const found = Map.groupBy(await db.lists.run(each, [projectId, take, ...columns]), ({ ord }) => ord)
    return texts.map((id, at) => ({ id, rows: found.get(at + 1)?.map(withoutPlace<Row>) ?? [] }))
  })
  return async (ctx: Reading, filter: Filter, { take, ...window }: ListWindow): Promise<Slice<Row>> => {
    const { key, sql, values } = windowSql(list, filter, window)
    const { column, direction } = orderOf(window)
    const common: Common = { name: `${list.name}_lists_${key}`, sql, order: `r.${column} ${direction}`, take }
    const asked = await find(ctx, { id: JSON.stringify(values.map(String)) }, common)
    return sliceOf<Row>(asked?.rows ?? [], column)
  }
}

// TypeScript cannot see that the rest of such a row is one.
const withoutPlace = <Row>({ ord: _, ...row }: Placed<Row>): Visited<Row> => row as unknown as Visited<Row>

// The window for each of some lists: its parameters from $3 on are columns of arrays, which have those of all.
function ofEach(sql: string, count: number, order: string): string {
  const names = Array.from({ length: count }, (_, at) => `p${at + 3}`)
  const arrays = names.map((_, at) => `$${at + 3}::text[]`)
  const window = sql.replaceAll(/\$(\d+)/g, (parameter, number) => (Number(number) < 3 ? parameter : `q.p${number}`))
  return `select q.ord::int as ord, r.* from unnest(${arrays.join(', ')}) with ordinality as q(${names.join(', ')}, ord)
   cross join lateral (${window}) r order by q.ord, ${order}`
}
