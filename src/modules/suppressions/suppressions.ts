import { emailAddress, partOfAddress } from '../../kit/address.ts'
import type { Ctx } from '../../kit/context.ts'
import { notFound } from '../../kit/errors.ts'
import { loader, type Reading } from '../../kit/load.ts'
import { type Connection, type ConnectionArgs, type IdList, readConnection, readPage } from '../../kit/paging.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import { escapeLike } from '../../kit/postgres/like.ts'
import { readSlice } from '../../kit/postgres/list.ts'
import { countFiltered } from '../../kit/postgres/totals.ts'
import { untilWithheld } from './leaving.ts'
import { optOutHash } from './opt-outs.ts'
import type { SuppressionFilter, SuppressionReason, SuppressionSearch, SuppressionSource, SuppressionsDraft } from './shapes.ts'
import {
  insertSuppressions,
  removeSuppression,
  type SuppressionRow,
  selectSuppressed,
  selectSuppressions,
  suppressionListSql,
} from './sql.ts'

type Call = Pick<Ctx, 'world' | 'db' | 'projectId'>

/** A filter of the list, with one reason or several. */
type Wanted = SuppressionFilter & Pick<SuppressionSearch, 'reason'>

/** A filter of the list as its statements take it. */
export function filterSqlOf({ search, reason, reasons }: Wanted) {
  const words = search && partOfAddress(search.trim())
  return { search: words ? escapeLike(words) : undefined, reasons: reasons ?? (reason && [reason]) }
}

function suppressionList({ world, db, projectId }: Call, asked: Wanted): IdList<SuppressionRow> {
  const filter = filterSqlOf(asked)
  return {
    kind: null,
    order: { by: 'email', direction: 'asc' },
    read: (window) => readSlice(db, suppressionListSql, projectId, filter, window),
    count: () => countFiltered({ world, db }, suppressionListSql, projectId, filter),
  }
}

/** A page of the suppression list, by address, filtered by a part of the address and by reason. */
export async function listSuppressions(ctx: Call, search: SuppressionSearch) {
  return readPage(suppressionList(ctx, search), search)
}

/** The same list as a connection. */
export async function connectSuppressions(ctx: Call, filter: SuppressionFilter, args: ConnectionArgs): Promise<Connection<SuppressionRow>> {
  return readConnection(suppressionList(ctx, filter), args)
}

/** The suppression of an address, or null; parallel lookups are read in one statement. */
export const findSuppression = loader(({ db, projectId }, emails) => db.run(selectSuppressions, [projectId, emails]))

/** The suppression of an address in any spelling, or null when there is none. */
export async function findSuppressionOf(ctx: Reading, { email }: { email: string }): Promise<SuppressionRow | null> {
  return findSuppression(ctx, { id: emailAddress(email) }, {})
}

/** The suppressions of some addresses, in their order, each once; those that are not on the list are left out. */
export async function findSuppressions(
  { db, projectId }: Pick<Ctx, 'db' | 'projectId'>,
  { emails }: { emails: string[] },
): Promise<SuppressionRow[]> {
  const rows = new Map((await db.run(selectSuppressions, [projectId, emails])).map((row) => [row.email, row]))
  return [...new Set(emails)].flatMap((email) => rows.get(email) ?? [])
}

/**
 * Puts addresses on the suppression list; a stronger reason replaces a weaker one. Emails that wait are withheld as well: nothing
 * is handed to a mail server for them after the answer. Contacts stay as they are.
 */
export async function suppressAddresses({ db, clock, projectId }: Pick<Ctx, 'db' | 'clock' | 'projectId'>, draft: SuppressionsDraft) {
  const emails = [...new Set(draft.emails)]
  const added = await putOnList({ db, clock, projectId }, { emails, reason: draft.reason ?? 'MANUAL', source: 'API' })
  await untilWithheld({ db, projectId }, emails)
  return { added, alreadyThere: emails.length - added }
}

/** Puts addresses, each once, on the suppression list; returns how many were not there. */
export async function putOnList(
  { db, clock, projectId }: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { emails, reason, source }: { emails: string[]; reason: SuppressionReason; source: SuppressionSource },
): Promise<number> {
  const rows = await db.run(insertSuppressions, [projectId, emails, reason, source, clock.now(), null])
  return rows.filter(({ isNew }) => isNew).length
}

/** Puts an address on the project's suppression list because of an email to it; a complaint replaces a bounce, never the reverse. */
export async function suppressAddress(
  { db, clock, projectId }: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { email, reason, emailId }: { email: string; reason: SuppressionReason; emailId?: string | undefined },
): Promise<void> {
  await db.run(insertSuppressions, [projectId, [email], reason, 'DELIVERY', clock.now(), emailId ?? null])
}

/**
 * Takes an address off the suppression list, and forgets that the deleted contact of it had opted out. Fails with
 * RESOURCE_NOT_FOUND when it is neither on the list nor has opted out.
 */
export async function deleteSuppression({ world, db, projectId }: Call, { email }: { email: string }): Promise<void> {
  const address = emailAddress(email)
  if (address === null) throw notFound()
  const found = await db.run(removeSuppression, [projectId, address, optOutHash(world, { projectId, email: address })])
  if (found.length === 0) throw notFound()
}

/** Those of the addresses that are on the project's suppression list, with the reason. */
export async function findSuppressed(
  { db, projectId }: { db: Executor; projectId: string },
  emails: string[],
): Promise<Map<string, SuppressionReason>> {
  const rows = await db.run(selectSuppressed, [projectId, emails])
  return new Map(rows.map(({ email, reason }) => [email, reason]))
}
