import type { z } from 'zod'
import { type Connection, type ConnectionArgs, connectionSize, decodeCursor, encodeCursor } from './paging.ts'

/**
 * A connection of a list that is always read completely because it is short, such as 1,000 members. `keyOf` returns the
 * values the list is ordered by, `shape` validates them in cursors. Throws BAD_REQUEST as idWindow does.
 */
export function connectWhole<Node, Key extends readonly string[]>(
  items: readonly Node[],
  args: ConnectionArgs,
  { keyOf, shape, newestFirst }: { keyOf: (node: Node) => Key; shape: z.ZodType<Key>; newestFirst: boolean },
): Connection<Node> {
  const size = connectionSize(args)
  const [after, before] = [args.after, args.before].map((cursor) => (cursor == null ? undefined : decodeCursor(cursor, shape)))
  const isPast = (node: Node, key: Key) => compareKeys(keyOf(node), key) * (newestFirst ? -1 : 1) > 0
  const isBefore = (node: Node, key: Key) => compareKeys(keyOf(node), key) * (newestFirst ? -1 : 1) < 0
  const between = items.filter((node) => (!after || isPast(node, after)) && (!before || isBefore(node, before)))
  const nodes = args.last == null ? between.slice(0, size) : between.slice(Math.max(0, between.length - size))
  const edges = nodes.map((node) => ({ cursor: encodeCursor(keyOf(node)), node }))
  const more = between.length > size
  return {
    totalCount: async () => items.length,
    edges,
    pageInfo: {
      hasNextPage: args.last == null ? more : args.before != null,
      hasPreviousPage: args.last == null ? args.after != null : more,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}

function compareKeys(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index])
  return at < 0 ? 0 : (a[at] ?? '') < (b[at] ?? '') ? -1 : 1
}
