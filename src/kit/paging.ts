import { z } from 'zod'
import { Failure, invalid } from './errors.ts'
import { type IdKind, kindOfId } from './ids.ts'
import { Text, wholeNumber } from './shapes.ts'

/** Items per page, unless the caller asks for another number. */
export const defaultLimit = 20
/** Maximum items per page. */
export const maxLimit = 100

/** The query of every list with cursors: extend it with the filters of the list. */
export const CursorSearch = z.object({
  limit: wholeNumber(maxLimit).default(defaultLimit).describe('Items of the page, 1 to 100.'),
  cursor: z.string().optional().describe('The `cursor` of the page before; leave it out for the first page.'),
})

/** The query of every list with page numbers: extend it with the filters of the list. */
export const NumberedSearch = z.object({
  page: wholeNumber(1_000_000).default(1).describe('The page, from 1.'),
  pageSize: wholeNumber(maxLimit).default(defaultLimit).describe('Items of the page, 1 to 100.'),
})

/** A page of a list with cursors: `cursor` is null at the end, `total` is 0 on later pages. */
export interface Page<Item> {
  data: Item[]
  cursor: string | null
  hasMore: boolean
  total: number
}

/** A page of a list with page numbers. */
export interface NumberedPage<Item> {
  data: Item[]
  total: number
  page: number
  pageSize: number
  totalPages: number
}

/** The shape of a page of a list with cursors; extend it where a list also returns its items under another key. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    cursor: z.string().nullable().describe('Pass it on for the next page; null at the end.'),
    hasMore: z
      .boolean()
      .describe(
        'Whether another page follows; one may be shorter than `limit` while things are being removed, or where items are long: it ends after about 4 MB.',
      ),
    total: z.number().int().describe('Items in all pages; counted on the first page only, 0 on later ones.'),
  })
}

/** The shape of a page of a list with page numbers. */
export function numberedPageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    total: z.number().int().describe('Items in all pages.'),
    page: z.number().int(),
    pageSize: z.number().int(),
    totalPages: z.number().int(),
  })
}

// More than a key of names has.
const maxCursorLength = 10_000

/** An opaque cursor that contains the key of a row: the values its list is ordered by, as text. */
export function encodeCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** The key in a cursor of encodeCursor; throws BAD_REQUEST when the cursor is forged, incomplete or of another list. */
export function decodeCursor<Key extends readonly string[]>(cursor: string, shape: z.ZodType<Key>, list = 'this list'): Key {
  if (cursor.length > maxCursorLength) throw badCursor(list)
  const parsed = shape.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')))
  if (!parsed.success) throw badCursor(list)
  return parsed.data
}

/** The error for a cursor that is not one of the list. */
export function badCursor(list = 'this list'): Failure {
  return new Failure('BAD_REQUEST', `The cursor is not one of ${list}.`, {
    suggestion: 'Pass a cursor exactly as you received it, or none for the first page.',
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The shape of the cursor key of a list that is ordered by the ids of one kind of resource. */
export function idKey(kind: IdKind | null) {
  return z.tuple([z.string().refine((id) => kindOfId(id) === kind)])
}

/** The key of a list that is ordered by names, which are no ids: those are in the cursors of other lists. */
export const nameKey = z.tuple([z.string().refine((name) => kindOfId(name) === undefined)])

/** How a list is ordered: by a field of its rows that is unique in the project. */
export interface ListOrder {
  by: string
  direction: 'asc' | 'desc'
}

const newestFirst: ListOrder = { by: 'id', direction: 'desc' }

function keyOf(row: object, { by }: ListOrder): string {
  return String((row as Record<string, unknown>)[by])
}

function cursorOf(key: string, { by, direction }: ListOrder): string {
  return encodeCursor(by === 'id' && direction === 'desc' ? [key] : [by, direction, key])
}

function keyIn(cursor: string, kind: IdKind | null, { by, direction }: ListOrder): string {
  if (by === 'id' && direction === 'desc') return decodeCursor(cursor, idKey(kind), 'this list in this order')[0]
  const key = by === 'id' ? idKey(kind).def.items[0] : Text
  return decodeCursor(cursor, z.tuple([z.literal(by), z.literal(direction), key]), 'this list in this order')[2]
}

/** The rows that were read of a part of a list. */
export interface Slice<Row> {
  rows: Row[]
  /** Set when reading stopped before enough rows were found: the rest of the list is beyond this id, or value of the field it is ordered by. */
  stoppedAt?: string | undefined
}

/** A list for pages and connections alike. */
export interface IdList<Row> {
  /** The kind of its ids; null where it is ordered by something else. */
  kind: IdKind | null
  /** Default: by id, newest first. */
  order?: ListOrder
  /** Reads the rows of a window, up to `take` of them. */
  read(window: ListWindow): Promise<Slice<Row>>
  /** Counts the whole list. */
  count(): Promise<number>
}

/** A page of a list with cursors; the list is counted for the first page only. Throws BAD_REQUEST on a bad cursor. */
export async function readPage<Row extends { id: string }>(
  list: IdList<Row>,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<Row>> {
  const { order = newestFirst } = list
  const window = listWindow(list.kind, { first: limit, after: cursor }, order)
  // The count first: where calls wait for turns, a number is held until the rows have theirs, and not the rows.
  const [total, { rows, stoppedAt }] = await Promise.all([cursor === undefined ? list.count() : 0, list.read(window)])
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const next = rows.length > limit && last ? keyOf(last, order) : stoppedAt
  return { data, cursor: next === undefined ? null : cursorOf(next, order), hasMore: next !== undefined, total }
}

/** The part of a list that a connection requests. Throws BAD_REQUEST as idWindow does. */
export async function readConnection<Row extends { id: string }>(list: IdList<Row>, args: ConnectionArgs): Promise<Connection<Row>> {
  const { rows, stoppedAt } = await list.read(listWindow(list.kind, args, list.order))
  return connect(rows, args, () => list.count(), stoppedAt, list.order)
}

/**
 * Loads what a GraphQL query selects of the rows of a slice: `load` receives their ids and may return them in any order.
 * Rows that were deleted in between are left out.
 */
export async function loadRows<Row extends { id: string }>(
  { rows, stoppedAt }: Slice<{ id: string }>,
  load: (ids: string[]) => Promise<Row[]>,
  order = newestFirst,
): Promise<Slice<Row>> {
  if (rows.length === 0) return { rows: [], stoppedAt }
  const loaded = new Map((await load(rows.map(({ id }) => id))).map((row) => [row.id, row]))
  const remaining = rows.flatMap(({ id }) => loaded.get(id) ?? [])
  const last = rows.at(-1)
  return { rows: remaining, stoppedAt: remaining.length < rows.length && last ? keyOf(last, order) : stoppedAt }
}

/** A page of a list with page numbers; `read` receives how many rows to skip and to take. */
export async function numberedPage<Row>(
  search: { page: number; pageSize: number },
  read: (window: { skip: number; take: number }) => Promise<Row[]>,
  count: () => Promise<number>,
): Promise<NumberedPage<Row>> {
  const { page, pageSize } = search
  const [total, data] = await Promise.all([count(), read({ skip: (page - 1) * pageSize, take: pageSize })])
  return { data, total, page, pageSize, totalPages: Math.ceil(total / pageSize) }
}

/** Arguments of a Relay connection (relay.dev/graphql/connections.htm). */
export interface ConnectionArgs {
  first?: number | null | undefined
  last?: number | null | undefined
  after?: string | null | undefined
  before?: string | null | undefined
}

/** The part of a list that a connection requests, as arguments of Prisma. `take` is one row more than that. */
export interface ListWindow {
  take: number
  orderBy: { [field: string]: 'asc' | 'desc' }
  where: { [field: string]: { lt?: string; gt?: string } | undefined }
}

/** The part of a list ordered by id. */
export interface IdWindow extends ListWindow {
  orderBy: { id: 'asc' | 'desc' }
  where: { id?: { lt?: string; gt?: string } }
}

/**
 * The part of a list ordered by id, newest first, that a connection requests: by keyset, never by offset. Throws
 * VALIDATION_ERROR when first or last is not 0 to 100 or both are given, and BAD_REQUEST when a cursor is not one of this list.
 */
export function idWindow(kind: IdKind, args: ConnectionArgs): IdWindow {
  return listWindow(kind, args) as IdWindow
}

function listWindow(kind: IdKind | null, args: ConnectionArgs, order = newestFirst): ListWindow {
  const size = connectionSize(args)
  const after = args.after == null ? undefined : keyIn(args.after, kind, order)
  const before = args.before == null ? undefined : keyIn(args.before, kind, order)
  const [beyond, upTo] = order.direction === 'desc' ? (['lt', 'gt'] as const) : (['gt', 'lt'] as const)
  const between = { ...(after !== undefined && { [beyond]: after }), ...(before !== undefined && { [upTo]: before }) }
  return {
    take: size + 1,
    orderBy: { [order.by]: (order.direction === 'desc') === (args.last == null) ? 'desc' : 'asc' },
    where: after === undefined && before === undefined ? {} : { [order.by]: between },
  }
}

/** The number of items a connection requests: first, or last, or 20. Throws VALIDATION_ERROR outside 0 to 100 or when both are given. */
export function connectionSize({ first, last }: ConnectionArgs): number {
  if (first != null && last != null) throw invalid('last', 'A connection takes either "first" or "last", not both.')
  const [name, size] = last == null ? (['first', first ?? defaultLimit] as const) : (['last', last] as const)
  if (size < 0 || size > maxLimit) throw invalid(name, `"${name}" must be from 0 to ${maxLimit}.`)
  return size
}

/** A connection as the Relay specification defines it (relay.dev/graphql/connections.htm). */
export interface Connection<Node> {
  /** Counts the whole list; called only when the query selects it. */
  totalCount: () => Promise<number>
  edges: { cursor: string; node: Node }[]
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null }
}

/** Makes a connection from rows that were read with a window of idWindow; `stoppedAt` as in Slice. */
export function connect<Node extends { id: string }>(
  rows: readonly Node[],
  args: ConnectionArgs,
  totalCount: () => Promise<number>,
  stoppedAt?: string,
  order = newestFirst,
): Connection<Node> {
  const size = connectionSize(args)
  const backwards = args.last != null
  const full = rows.length > size
  const more = full || stoppedAt !== undefined
  const nodes = backwards ? rows.slice(0, size).reverse() : rows.slice(0, size)
  const edges = nodes.map((node) => ({ cursor: cursorOf(keyOf(node, order), order), node }))
  // Where reading stopped early, the next page begins there and not after the last item.
  const stopped = full || stoppedAt === undefined ? undefined : cursorOf(stoppedAt, order)
  return {
    totalCount,
    edges,
    pageInfo: {
      hasNextPage: backwards ? args.before != null : more,
      hasPreviousPage: backwards ? more : args.after != null,
      startCursor: (backwards ? stopped : undefined) ?? edges[0]?.cursor ?? null,
      endCursor: (backwards ? undefined : stopped) ?? edges.at(-1)?.cursor ?? null,
    },
  }
}
