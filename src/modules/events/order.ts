/** Which lines of the log a statement reads; all of it is SQL. */
interface LinesAfter {
  /** What it returns of a line `e`; the columns epoch, xid and id are among it. */
  select: string
  /** The epoch, xid and id after which the lines are. */
  position: readonly [epoch: string, xid: string, id: string]
  /** What else a line `e` must fulfil. */
  and: string
  limit: string
}

/**
 * Selects the first lines after a position, in the order of the log. The indexes hold the lines of a transaction as one entry, by
 * (epoch, xid), and Postgres sorts those of each by id. Epochs are compared for themselves: a comparison of (epoch, xid, id) is
 * estimated by its first column, which is the same for nearly all lines, and then Postgres reads the whole table.
 */
export function linesAfter({ select, position: [epoch, xid, id], and, limit }: LinesAfter): string {
  return `select * from (
    (select ${select} from events e where e.epoch = ${epoch} and e.xid >= ${xid} and (e.xid, e.id) > (${xid}, ${id}) and ${and}
      order by e.epoch, e.xid, e.id limit ${limit})
    union all
    (select ${select} from events e where e.epoch > ${epoch} and ${and} order by e.epoch, e.xid, e.id limit ${limit})) lines
    order by epoch, xid, id limit ${limit}`
}
