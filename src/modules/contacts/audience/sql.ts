import type { ListSql } from '../../../kit/postgres/list.ts'
import { recordOf } from '../fields/columns.ts'

/** Which contacts a list holds; `search` is a part of the address, already escaped for LIKE. */
export interface ContactSearchSql {
  search?: string | undefined
  subscribed?: boolean | undefined
  createdFrom?: Date | undefined
  createdTo?: Date | undefined
  /** The bounds of the ids of those, which are in the order of creation. */
  fromId?: string | undefined
  toId?: string | undefined
  /** Only these. */
  ids?: string[] | undefined
}

/** The contacts of a project. */
export const contacts: ListSql<ContactSearchSql> = {
  name: 'contacts',
  // Every statement has this condition, so that the partial index without deleted contacts can be used.
  table: '(select * from contacts where deleted_at is null)',
  columns: recordOf('l'),
  conditions: [
    ['search', (at) => `l.email like '%' || ${at} || '%'`],
    ['subscribed', (at) => `l.subscribed = ${at}`],
    ['ids', (at) => `l.id = any(${at}::text[])`],
    ['createdFrom', (at) => `l.created_at >= ${at}`],
    ['createdTo', (at) => `l.created_at < ${at}`],
    ['fromId', (at) => `l.id >= ${at}`],
    ['toId', (at) => `l.id < ${at}`],
  ],
  long: 'v.data',
}
