import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Ctx } from '../../../kit/context.ts'
import {
  type Connection,
  type ConnectionArgs,
  type IdList,
  type ListOrder,
  type ListWindow,
  loadRows,
  readConnection,
  readPage,
} from '../../../kit/paging.ts'
import { readSlice } from '../../../kit/postgres/list.ts'
import { countOnce } from '../../../kit/postgres/totals.ts'
import { countMatches, listMatchingByEmail, listMatchingIds, listOldestMatchingIds } from '../../filters/filters.ts'
import { membershipIn } from '../../filters/membership.ts'
import type { Condition } from '../../filters/shapes.ts'
import { countContacts } from '../contacts.ts'
import type { contactSelection } from '../fields/columns.ts'
import type { Contact, ContactFilter, ContactOrder, ContactSearch } from '../shapes.ts'
import { conditionOf, requireSegments, searchOf } from './audience.ts'
import { contacts } from './sql.ts'

type Call = Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>

/**
 * A page of the contacts of the project, newest first or in another order, filtered by a part of the address, by subscription and by
 * a segment. Fails with BAD_REQUEST for a cursor of another order, SEGMENT_NOT_FOUND, and SERVICE_UNAVAILABLE when finding the members
 * of the segment takes longer than 15 s.
 */
export async function listContacts(ctx: Call, { sort, dir, ...search }: Optional<ContactSearch, 'sort'>) {
  await requireSegments(ctx, search)
  return readPage(contactList(ctx, search, orderOf({ by: sort, direction: dir })), search)
}

type Optional<Shape, Key extends keyof Shape> = Omit<Shape, Key> & Partial<Pick<Shape, Key>>

interface Which {
  filter: ContactFilter
  orderBy: ContactOrder
}

/**
 * The same list as a connection, with the fields of its nodes that a GraphQL query selects; a filter may also have a condition. Fails
 * with VALIDATION_ERROR when that names segments that do not exist.
 */
export async function connectContacts(ctx: Call, which: Which, args: ConnectionArgs, query: object): Promise<Connection<Row>> {
  await requireSegments(ctx, which.filter)
  return connectAudience(ctx, which, args, query)
}

/** The same for a filter of which segments may have been deleted: they have no members. */
export async function connectAudience(
  ctx: Call,
  { filter, orderBy }: Which,
  args: ConnectionArgs,
  query: object,
): Promise<Connection<Row>> {
  const { db, projectId } = ctx
  const order = orderOf(orderBy)
  const list = contactList(ctx, filter, order)
  const load = (ids: string[]) =>
    db.prisma.contact.findMany({ ...query, where: { projectId, id: { in: ids }, deletedAt: null } }) as Promise<Row[]>
  const read = async (window: ListWindow) => {
    const slice = await list.read(window)
    const contactOf = new Map(slice.rows.map((contact) => [contact.id, contact]))
    const { rows, stoppedAt } = await loadRows(slice, load, order)
    // All of a contact is of the moment in which the list was read, with its data, of which that has about 4 MB at most.
    return { rows: rows.map((row) => ({ ...row, ...contactOf.get(row.id) })), stoppedAt }
  }
  return readConnection({ ...list, read }, args)
}

type Row = Prisma.ContactGetPayload<{ select: typeof contactSelection }>

/** How many contacts match a condition: exact up to 100,000, above that at most 60 s old. Fails with SERVICE_UNAVAILABLE after 15 s. */
export function countAudience(ctx: Call, condition: Condition): Promise<number> {
  const name = JSON.stringify(['contacts_matching', ctx.projectId, condition])
  return countOnce(ctx, { name, count: (db) => countMatches({ ...ctx, db }, { condition, membership: membershipIn(ctx) }) })
}

// Those that a filter means, as a list in some order.
function contactList(ctx: Call, asked: ContactFilter, order: ListOrder): IdList<Contact> {
  const { db, projectId } = ctx
  const condition = conditionOf(asked)
  if (condition) return matchingList(ctx, condition, order)
  const filter = searchOf(asked)
  return {
    kind: 'contact',
    order,
    read: (window) => readSlice(db, contacts, projectId, filter, window),
    count: () => countContacts(ctx, filter),
  }
}

// Ids are in the order of creation.
function orderOf({ by = 'createdAt', direction }: ContactOrder): ListOrder {
  if (by === 'email') return { by, direction: direction ?? 'asc' }
  return { by: 'id', direction: direction ?? 'desc' }
}

// Those that match a condition at the moment. Reading and counting it fail with SERVICE_UNAVAILABLE when they take longer than 15 s each.
function matchingList(ctx: Call, condition: Condition, order: ListOrder): IdList<Contact> {
  const { db, projectId } = ctx
  return {
    kind: 'contact',
    order,
    async read(window) {
      const keys = await keysOf(ctx, condition, window)
      const ids = keys.map(({ id }) => id)
      const { rows, stoppedAt } = await readSlice<Contact, { ids: string[] }>(db, contacts, projectId, { ids }, { ...window, where: {} })
      // Those that were deleted in between are left out, and the list goes on behind them.
      return { rows, stoppedAt: stoppedAt ?? (rows.length < keys.length ? keys.at(-1)?.key : undefined) }
    },
    count: () => countAudience(ctx, condition),
  }
}

async function keysOf(ctx: Call, condition: Condition, { take, orderBy, where }: ListWindow): Promise<{ id: string; key: string }[]> {
  const question = { condition, membership: membershipIn(ctx), limit: take }
  if (orderBy.email) {
    const rows = await listMatchingByEmail(ctx, { ...question, direction: orderBy.email, ...where.email })
    return rows.map(({ id, email }) => ({ id, key: email }))
  }
  const { gt, lt } = where.id ?? {}
  const ids =
    orderBy.id === 'asc'
      ? await listOldestMatchingIds(ctx, { ...question, after: gt, before: lt })
      : (await listMatchingIds(ctx, { ...question, before: lt })).filter((id) => gt === undefined || id > gt)
  return ids.map((id) => ({ id, key: id }))
}
