import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { newId } from '../../src/kit/ids.ts'
import {
  type ConnectionArgs,
  CursorSearch,
  connect,
  decodeCursor,
  encodeCursor,
  type IdList,
  idKey,
  idWindow,
  NumberedSearch,
  numberedPage,
  readConnection,
  readPage,
} from '../../src/kit/paging.ts'
import { connectWhole } from '../../src/kit/whole-list.ts'

const rows = Array.from({ length: 5 }, () => ({ id: newId('contact', new Date()) })).reverse()
const count = async () => rows.length
const list: IdList<{ id: string }> = {
  kind: 'contact',
  read: async ({ take, where }) => ({ rows: rows.filter(({ id }) => where.id?.lt === undefined || id < where.id.lt).slice(0, take) }),
  count,
}

describe('readPage', () => {
  test('reads the list to its end, and counts on the first page only', async () => {
    const first = await readPage(list, { limit: 3 })
    expect(first).toMatchObject({ data: rows.slice(0, 3), hasMore: true, total: 5 })
    const last = await readPage(list, { limit: 3, cursor: first.cursor ?? '' })
    expect(last).toEqual({ data: rows.slice(3), hasMore: false, cursor: null, total: 0 })
  })

  test('has no next page when the last row just fits', async () => {
    expect(await readPage(list, { limit: 5 })).toMatchObject({ hasMore: false, cursor: null })
  })
})

describe('a list that stopped reading early', () => {
  const [first, second, third] = rows.map(({ id }) => id)
  const stopped: IdList<{ id: string }> = { ...list, read: async () => ({ rows: rows.slice(0, 1), stoppedAt: third }) }

  test('continues after the last row it has read, although the page is short', async () => {
    const page = await readPage(stopped, { limit: 2 })
    expect(page).toMatchObject({ data: [{ id: first }], hasMore: true })
    expect((await readPage(list, { limit: 2, cursor: page.cursor ?? '' })).data).toEqual(rows.slice(3))
  })

  test('reports that in a connection, in either direction', async () => {
    const { pageInfo } = await readConnection(stopped, { first: 2 })
    expect([pageInfo.hasNextPage, pageInfo.endCursor, pageInfo.startCursor]).toEqual([
      true,
      encodeCursor([third ?? '']),
      encodeCursor([first ?? '']),
    ])
    const backwards = (await readConnection(stopped, { last: 2 })).pageInfo
    expect([backwards.hasPreviousPage, backwards.startCursor]).toEqual([true, encodeCursor([third ?? ''])])
  })

  test('continues after the last item when the page is full', async () => {
    const full: IdList<{ id: string }> = { ...list, read: async () => ({ rows: rows.slice(0, 2), stoppedAt: second }) }
    expect((await readPage(full, { limit: 1 })).cursor).toBe(encodeCursor([first ?? '']))
  })
})

describe('a cursor', () => {
  test.each([
    '',
    'x',
    '%%%',
    encodeCursor([]),
    encodeCursor(['a', 'b']),
    encodeCursor(['evt_00000000000000000000000000']),
    Buffer.from('[1]').toString('base64url'),
    Buffer.from('["cnt_\0"]').toString('base64url'),
  ])('that is forged is refused: %j', (cursor) => {
    expect(() => decodeCursor(cursor, idKey('contact'))).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
  })
})

describe('the query of a list', () => {
  test.each([
    { limit: '0' },
    { limit: '101' },
    { limit: '1.5' },
    { limit: 'ten' },
    { limit: '' },
    { limit: '0x10' },
    { limit: '1e1' },
    { limit: ' 10' },
    { limit: '10 ' },
    { limit: '+10' },
    { limit: '10.0' },
  ])('refuses %j', (query) => {
    expect(CursorSearch.safeParse(query).success).toBe(false)
  })

  test('accepts 1 to 100, 20 by default', () => {
    expect([CursorSearch.parse({}).limit, CursorSearch.parse({ limit: '1' }).limit, CursorSearch.parse({ limit: '100' }).limit]).toEqual([
      20, 1, 100,
    ])
  })

  test('accepts pages from 1', async () => {
    expect(NumberedSearch.safeParse({ page: '0' }).success).toBe(false)
    const page = await numberedPage(
      NumberedSearch.parse({ page: '2', pageSize: '2' }),
      async ({ skip, take }) => rows.slice(skip, skip + take),
      count,
    )
    expect(page).toEqual({ data: rows.slice(2, 4), total: 5, page: 2, pageSize: 2, totalPages: 3 })
  })
})

describe('a connection', () => {
  const within = ({ lt, gt }: { lt?: string; gt?: string } = {}) =>
    rows.filter(({ id }) => (lt === undefined || id < lt) && (gt === undefined || id > gt))
  const ask = (args: Parameters<typeof idWindow>[1]) => {
    const { where, orderBy, take } = idWindow('contact', args)
    const found = orderBy.id === 'asc' ? within(where.id).toReversed() : within(where.id)
    return connect(found.slice(0, take), args, count)
  }
  const ids = (connection: ReturnType<typeof ask>) => connection.edges.map(({ node }) => rows.indexOf(node))

  test('reads forwards and backwards to the same items', () => {
    const first = ask({ first: 2 })
    expect([ids(first), first.pageInfo.hasNextPage, first.pageInfo.hasPreviousPage]).toEqual([[0, 1], true, false])
    const next = ask({ first: 2, after: first.pageInfo.endCursor })
    expect([ids(next), next.pageInfo.hasNextPage, next.pageInfo.hasPreviousPage]).toEqual([[2, 3], true, true])
    expect(ids(ask({ last: 2, before: next.pageInfo.startCursor }))).toEqual([0, 1])
    const last = ask({ last: 2 })
    expect([ids(last), last.pageInfo.hasNextPage, last.pageInfo.hasPreviousPage]).toEqual([[3, 4], false, true])
    expect(ids(ask({ after: first.edges[0]?.cursor, before: last.edges[1]?.cursor }))).toEqual([1, 2, 3])
  })

  test('may be empty', () => {
    expect(ask({ first: 0 })).toMatchObject({ edges: [], pageInfo: { startCursor: null, endCursor: null, hasNextPage: true } })
  })

  test.each([{ first: 101 }, { first: -1 }, { last: 1e9 }, { first: 1, last: 1 }])('refuses %j, naming it', (args) => {
    const [field] = Object.keys(args).toReversed()
    expect(() => ask(args)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', errors: [expect.objectContaining({ field })] }))
  })

  test.each([{ after: 'forged' }, { before: '' }])('refuses %j', (args) => {
    expect(() => ask(args)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
  })
})

describe('a connection of a list that is read whole', () => {
  const shape = z.tuple([z.string().length(2)]).readonly()
  const of = (items: string[], newestFirst: boolean) => (args: ConnectionArgs) =>
    connectWhole(items, args, { keyOf: (item) => [item] as const, shape, newestFirst })
  const up = of(['a1', 'a2', 'b1', 'b2', 'c1'], false)
  const down = of(['c1', 'b2', 'b1', 'a2', 'a1'], true)
  const nodes = ({ edges }: ReturnType<typeof up>) => edges.map(({ node }) => node)

  test.each([
    ['ascending', up, ['a1', 'a2'], ['b1', 'b2'], ['b2', 'c1']],
    ['newest first', down, ['c1', 'b2'], ['b1', 'a2'], ['a2', 'a1']],
  ] as const)('reads forwards and backwards to the same items, %s', async (_order, ask, head, middle, end) => {
    const first = ask({ first: 2 })
    expect([nodes(first), first.pageInfo.hasNextPage, first.pageInfo.hasPreviousPage]).toEqual([head, true, false])
    const next = ask({ first: 2, after: first.pageInfo.endCursor })
    expect([nodes(next), next.pageInfo.hasNextPage, next.pageInfo.hasPreviousPage]).toEqual([middle, true, true])
    expect(nodes(ask({ last: 2, before: next.pageInfo.startCursor }))).toEqual(head)
    const last = ask({ last: 2 })
    expect([nodes(last), last.pageInfo.hasNextPage, last.pageInfo.hasPreviousPage]).toEqual([end, false, true])
    expect(await last.totalCount()).toBe(5)
  })

  test('goes on behind an item that is gone by now', () => {
    expect(nodes(of(['a1', 'b1'], false)({ after: up({ first: 2 }).pageInfo.endCursor }))).toEqual(['b1'])
  })

  test('may be empty, and refuses a cursor of another list', () => {
    expect(of([], false)({})).toMatchObject({ edges: [], pageInfo: { startCursor: null, endCursor: null, hasNextPage: false } })
    expect(() => up({ after: encodeCursor(['longer']) })).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
  })
})

test('a cursor that is longer than any is refused before it is decoded', () => {
  const parse = vi.spyOn(JSON, 'parse')
  const cursor = Buffer.from('['.repeat(50_000)).toString('base64url')
  expect(() => decodeCursor(cursor, idKey('contact'))).toThrow('The cursor is not one of this list.')
  const parsed = parse.mock.calls.length
  parse.mockRestore()
  expect(parsed).toBe(0)
})
