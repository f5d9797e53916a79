import { partOfAddress } from '../../kit/address.ts'
import type { Ctx } from '../../kit/context.ts'
import { countsOf } from '../../kit/counts.ts'
import { notFound } from '../../kit/errors.ts'
import { idRange } from '../../kit/ids.ts'
import { loader, type Reading } from '../../kit/load.ts'
import { type Connection, type ConnectionArgs, type IdList, loadRows, readConnection, readPage } from '../../kit/paging.ts'
import { escapeLike } from '../../kit/postgres/like.ts'
import { readSlice } from '../../kit/postgres/list.ts'
import { countFiltered, isFiltered } from '../../kit/postgres/totals.ts'
import { listEventsOfEmail } from '../events/relations/email.ts'
import { type Email, type EmailListFilter, type EmailSearch, EmailWait } from './shapes.ts'
import { countEmailsOfContacts, type EmailListConditions, emailListSql, sumEmails } from './sql.ts'

type Call = Pick<Ctx, 'world' | 'db' | 'projectId'>

/** The columns of an email that lists, GraphQL and `getEmail` return. */
export const emailColumns = {
  id: true,
  contactId: true,
  campaignId: true,
  source: true,
  status: true,
  toAddress: true,
  toName: true,
  subject: true,
  reason: true,
  attempts: true,
  opens: true,
  clicks: true,
  machineOpens: true,
  machineClicks: true,
  sentAt: true,
  deliveredAt: true,
  openedAt: true,
  clickedAt: true,
  bouncedAt: true,
  complainedAt: true,
  createdAt: true,
  updatedAt: true,
  delivery: { select: { claim: true, attempts: true, reason: true, due: true, waitsFor: true, copies: true } },
} as const

interface Waiting {
  claim: string | null
  attempts: number
  reason: string | null
  due: Date | null
  waitsFor: string | null
  /** Of one that waits for copies only. */
  copies: unknown
}

/** A stored email, with its delivery as long as it has not ended. */
export type StoredEmail = Email & { delivery: Waiting | null }

/** The email as it is shown: until it has ended or is reported on, state, attempts and last failure are those of its delivery. */
export function shownEmail({ delivery, ...email }: StoredEmail): Email {
  if (!delivery || delivery.copies !== null) return email
  const status = delivery.claim !== null && email.status === 'PENDING' ? 'SENDING' : email.status
  const reason = email.status === 'PENDING' ? delivery.reason : email.reason
  return { ...email, status, attempts: delivery.attempts, reason }
}

/** When an email is attempted next; null when it may be now, while it is attempted, and once it has ended. */
export function nextAttemptOf({ delivery }: Pick<StoredEmail, 'delivery'>): Date | null {
  return delivery?.claim === null && delivery.copies === null ? delivery.due : null
}

/** The copies of an email that the mail server has put off: they are attempted again while the email itself has ended. */
export function waitingCopiesOf({ delivery }: Pick<StoredEmail, 'delivery'>): string[] {
  return (delivery?.copies ?? []) as string[]
}

/** What an email waits for, unless it is its next attempt; null for one that is being sent, and that has ended. */
export function waitOf({ delivery }: Pick<StoredEmail, 'delivery'>): EmailWait | null {
  if (!delivery || delivery.claim !== null || delivery.copies !== null || delivery.waitsFor === null) return null
  // Those for a domain name it behind a colon.
  return EmailWait.safeParse(delivery.waitsFor.split(':')[0]).data ?? null
}

/** The condition that finds one email with Prisma; emails of a deleted contact are not found. */
export function visibleEmail(projectId: string, id: string) {
  return { projectId_id: { projectId, id }, contact: { deletedAt: null } }
}

/** One email of the project as it is shown. Fails with RESOURCE_NOT_FOUND. */
export async function getEmail(ctx: Call, input: { id: string }): Promise<Email> {
  return shownEmail(await getStoredEmail(ctx, input))
}

/** One email of the project as it is shown, with its timeline. Fails with RESOURCE_NOT_FOUND. */
export async function getEmailWithEvents(ctx: Call, input: { id: string }) {
  const email = await getEmail(ctx, input)
  return { ...email, events: await listEventsOfEmail(ctx, email) }
}

/** One email of the project as it is stored. Fails with RESOURCE_NOT_FOUND. */
export async function getStoredEmail({ db, projectId }: Call, { id }: { id: string }): Promise<StoredEmail> {
  const email = await db.prisma.email.findUnique({ select: emailColumns, where: visibleEmail(projectId, id) })
  if (!email) throw notFound()
  return email
}

/** One email, or null when there is none; parallel lookups are read in one statement. */
export const findEmail = loader(async ({ db, projectId }, ids, query) =>
  db.prisma.email.findMany({ ...query, where: { projectId, id: { in: ids }, contact: { deletedAt: null } } }),
)

/**
 * What the mail server or provider said of the email because of which an address is suppressed; null where it said nothing, and once the
 * email has been deleted. Concurrent calls are read in at most two statements.
 */
export async function findBounceText(
  ctx: Reading,
  { reason, emailId }: { reason: string; emailId: string | null },
): Promise<string | null> {
  if (reason !== 'BOUNCE') return null
  const email = await findEmail(ctx, { id: emailId }, { select: { id: true, contactId: true, createdAt: true, reason: true } })
  if (!email || email.reason !== null) return email?.reason ?? null
  // Of a bounce that passes the email itself says nothing.
  const bounce = (await listEventsOfEmail(ctx, email)).findLast(({ name }) => name === 'email.bounce')
  const { reason: said } = (bounce?.data ?? {}) as Record<string, unknown>
  return typeof said === 'string' ? said : null
}

function conditionsOf(filter: EmailListFilter): EmailListConditions {
  const { contactId, campaignId, statuses, executionId, sources, templateId, search, createdFrom, createdTo } = filter
  return {
    contactId,
    campaignId,
    statuses,
    executionId,
    sources,
    templateId,
    search: search ? escapeLike(partOfAddress(search)) : undefined,
    ...{ createdFrom, createdTo, ...idRange('email', createdFrom, createdTo) },
  }
}

/** The emails of the project, newest first, filtered; `query` says what to select. */
function emailList({ world, db, projectId }: Call, conditions: EmailListFilter, query: object): IdList<StoredEmail> {
  const filter = conditionsOf(conditions)
  // What GraphQL selects contains these columns, as REST does.
  const selected = query as { select: typeof emailColumns }
  const load = (ids: string[]): Promise<StoredEmail[]> => db.prisma.email.findMany({ ...selected, where: { projectId, id: { in: ids } } })
  return {
    kind: 'email',
    read: async (window) => loadRows(await readSlice(db, emailListSql, projectId, filter, window), load),
    count: async () =>
      isFiltered(filter)
        ? countFiltered({ world, db }, emailListSql, projectId, filter)
        : ((await db.lists.run(sumEmails, [projectId]))[0]?.count ?? 0),
  }
}

/** A page of the emails of the project, newest first, filtered by status and contact. */
export async function listEmails(ctx: Call, { status, ...search }: EmailSearch) {
  const page = await readPage(emailList(ctx, { ...search, statuses: status && [status] }, { select: emailColumns }), search)
  return { ...page, data: page.data.map(shownEmail) }
}

/** The same list as a GraphQL connection; `query` says what to select of each node. */
export async function connectEmails(
  ctx: Call,
  filter: EmailListFilter,
  args: ConnectionArgs,
  query: object,
): Promise<Connection<StoredEmail>> {
  return readConnection(emailList(ctx, filter, query), args)
}

/** How many emails a contact has; concurrent calls are counted in one statement. */
export async function countEmailsOf(ctx: Reading, { contactId }: { contactId: string }): Promise<number> {
  return countInBatch(ctx, contactId)
}

const countInBatch = countsOf(countEmailsOfContacts)
