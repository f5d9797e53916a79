import type { Ctx } from '../../../kit/context.ts'
import type { IdList, ListOrder, ListWindow } from '../../../kit/paging.ts'
import { readSlice } from '../../../kit/postgres/list.ts'
import { countOnce } from '../../../kit/postgres/totals.ts'
import { countMatches, listMatchingByEmail, listMatchingIds, listOldestMatchingIds } from '../../filters/filters.ts'
import { membershipIn } from '../../filters/membership.ts'
import type { Condition } from '../../filters/shapes.ts'
import type { Contact } from '../shapes.ts'
import { contacts } from '../sql.ts'

type Call = Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>

/**
 * The contacts that match a condition at the moment, as a list in some order. Reading and counting it fail with SERVICE_UNAVAILABLE
 * when they take longer than 15 s each.
 */
export function matchingList(ctx: Call, condition: Condition, order: ListOrder): IdList<Contact> {
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

/** How many contacts match a condition: exact up to 100,000, above that at most 60 s old. Fails with SERVICE_UNAVAILABLE after 15 s. */
export function countAudience(ctx: Call, condition: Condition): Promise<number> {
  const name = JSON.stringify(['contacts_matching', ctx.projectId, condition])
  return countOnce(ctx, { name, count: (db) => countMatches({ ...ctx, db }, { condition, membership: membershipIn(ctx) }) })
}
