import { bodyLoader } from '../../kit/bodies.ts'
import { type Ctx, ownersOf } from '../../kit/context.ts'
import { Failure, maxAnswerBytes, notFound } from '../../kit/errors.ts'
import { JsonText } from '../../kit/json-text.ts'
import { loader, type ReadingAlone, rowReader, rowsOfProjects } from '../../kit/load.ts'
import { isDuplicate, type Transaction } from '../../kit/postgres/db.ts'
import { countFiltered, isFiltered } from '../../kit/postgres/totals.ts'
import type { Json } from '../../kit/shapes.ts'
import { hideContactEvents } from '../events/erasure/erase.ts'
import { announceEvents, appendEvents } from '../events/log.ts'
import { forgetAddresses } from '../jobs/job.ts'
import { untilForgotten } from '../projects/queue/leaving.ts'
import { untilWithheld } from '../suppressions/leaving.ts'
import { keepOptOuts, optOutHash } from '../suppressions/opt-outs.ts'
import { type ContactSearchSql, contacts } from './audience/sql.ts'
import { withinBounds } from './bounds.ts'
import { awaitContact, changeContact, takeOptOut } from './change/sql.ts'
import { sortData } from './data.ts'
import { isWrittenTo } from './erasure/erase.ts'
import { rememberFields } from './fields/sql.ts'
import { type Contact, type ContactChange, type ContactDraft, eraseContactQueue, type SubscriptionSource } from './shapes.ts'
import { hideContact, leaveSegments, selectContact, selectContactData, selectContacts, sumContacts } from './sql.ts'
import { fieldsParameter, writeContact } from './write.ts'

/** The condition that finds one contact with Prisma; a deleted one is not found. */
export function visibleContact(projectId: string, id: string) {
  return { projectId_id: { projectId, id }, deletedAt: null }
}

const readContact = rowReader(selectContacts)

/** One contact. Fails with CONTACT_NOT_FOUND. */
export async function getContact(ctx: Pick<Ctx, 'world' | 'projectId'>, { id }: { id: string }): Promise<Contact> {
  const contact = await readContact(ctx, id)
  if (!contact) throw notFound('CONTACT_NOT_FOUND')
  return contact
}

/** Some contacts, in the order in which they are asked for; those that do not exist are left out. */
export async function getContacts({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, ids: string[]): Promise<Contact[]> {
  const found = new Map((await db.lists.run(selectContacts, [projectId, ids])).map((contact) => [contact.id, contact]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** One contact, or null when there is none; parallel lookups are read in one statement. */
export const findContact = loader(async ({ db, projectId }, ids, query) =>
  db.prisma.contact.findMany({ ...query, where: { projectId, id: { in: ids }, deletedAt: null } }),
)

const loadData = bodyLoader({ select: selectContactData, maxBytes: maxAnswerBytes })

/**
 * The custom data of a contact, unless it was read with it; none of one that has been removed meanwhile. Of the contacts that a call asks for
 * at once the first 32 MB are read, as much as an answer may have. Fails with PAYLOAD_TOO_LARGE for the others.
 */
export async function findContactData(ctx: ReadingAlone, contact: { id: string; data?: unknown }): Promise<unknown> {
  if (contact.data !== undefined) return contact.data
  const json = await loadData(ctx, contact)
  return json === null ? {} : new JsonText(json)
}

const countsOf = rowsOfProjects(sumContacts)

/** The number of contacts that match: of all contacts exact, of some of them exact up to 100,000, above that at most 60 s old. */
export async function countContacts(
  { world, db, projectId }: Pick<Ctx, 'world' | 'db' | 'projectId'>,
  filter: ContactSearchSql,
): Promise<number> {
  if (isFiltered(filter)) return countFiltered({ world, db }, contacts, projectId, filter)
  return (await countsOf({ world, projectId }))[0]?.count ?? 0
}

/**
 * Creates a contact, or updates the one with this address: `data` is merged key by key, and `subscribed` stays unchanged when it
 * is not given. A change of an existing contact's subscription is logged; creating a contact logs nothing. After the answer to one that
 * unsubscribes no marketing is handed to a mail server. Fails with
 * VALIDATION_ERROR when it would pass a bound of stored data.
 */
export async function upsertContact(ctx: Ctx, { email, subscribed, data }: ContactDraft) {
  const { world, clock, projectId } = ctx
  const patch = sortData(data as Record<string, Json> | undefined)
  const written = await writeContact(world, {
    projectId,
    email,
    patch,
    subscribed: subscribed ?? null,
    subscribedIfNew: true,
    source: 'api',
    keyKind: 'SECRET',
    at: clock.now(),
    owners: ownersOf(ctx),
  })
  if (subscribed !== undefined) announceEvents(ctx, projectId)
  if (subscribed === false && !written.isNew) await untilWithheld(ctx, [written.email])
  const { isNew, ...contact } = written
  return { ...contact, _meta: { isNew, isUpdate: !isNew } }
}

/**
 * Changes the address, subscription and data (merged key by key) of a contact. Taking an address that had opted out unsubscribes
 * it, unless the call subscribes it; a call that changes nothing writes nothing. After the answer to one that unsubscribes no marketing
 * is handed to a mail server. Fails with CONTACT_NOT_FOUND, and with CONFLICT
 * when another contact of the project has the address, with VALIDATION_ERROR when it would pass a bound of stored data.
 */
export async function updateContact(ctx: Ctx, { id, email, subscribed, data }: ContactChange): Promise<Contact> {
  const patch = sortData(data as Record<string, Json> | undefined)
  const changed = await withinBounds(ctx.db.transaction((tx) => change(ctx, tx, { id, email, subscribed, source: 'api', patch })))
  if (!changed) throw notFound('CONTACT_NOT_FOUND')
  if (subscribed === false) await untilWithheld(ctx, [changed.email])
  return changed
}

/**
 * Subscribes or unsubscribes a contact, because of what its person did, and logs it if that is a change. The wish to be
 * unsubscribed is recorded also of a contact that was never subscribed. With `ifAddress` a contact that has another address by now stays
 * as it is. Returns null when the contact does not exist.
 */
export async function changeSubscription(
  ctx: Ctx,
  wanted: Pick<Change, 'id' | 'source' | 'reason' | 'emailId' | 'ifAddress'> & { subscribed: boolean },
): Promise<Contact | null> {
  return ctx.db.transaction((tx) => change(ctx, tx, { ...wanted, patch: sortData(undefined) }))
}

/**
 * Changes the data and the subscription of a contact in a transaction, as a workflow does it; `line` is added to what is logged of a
 * change of its subscription. Returns null when the contact does not exist. Fails with VALIDATION_ERROR when it would pass a bound of
 * stored data: then the transaction cannot go on.
 */
export async function changeContactWithin(
  ctx: Ctx,
  tx: Transaction,
  { id, patch, subscribed, line }: Pick<Change, 'id' | 'patch' | 'subscribed' | 'line'>,
): Promise<Contact | null> {
  return withinBounds(change(ctx, tx, { id, patch, subscribed, line, source: 'workflow' }))
}

interface Change {
  id: string
  /** The address that the contact must have for anything to change. */
  ifAddress?: string | undefined
  email?: string | undefined
  subscribed?: boolean | undefined
  source: SubscriptionSource
  reason?: string | undefined
  emailId?: string | undefined
  /** What else is logged of a change of the subscription. */
  line?: object | undefined
  patch: ReturnType<typeof sortData>
}

async function change(ctx: Ctx, tx: Transaction, wanted: Change): Promise<Contact | null> {
  const { clock, projectId } = ctx
  const { id, email, subscribed, source, emailId, patch } = wanted
  const now = clock.now()
  const values = [projectId, id, email ?? null, subscribed ?? null, JSON.stringify(patch.set), patch.removed, now, wanted.ifAddress ?? null]
  await tx.run(awaitContact, [projectId, id])
  const [changed] = await tx.run(changeContact, values).catch((error: unknown) => {
    throw isDuplicate(error) ? new Failure('CONFLICT', 'Another contact of this project has this address.') : error
  })
  if (!changed) return (await tx.run(selectContact, [projectId, id]))[0] ?? null
  const { was, moved, left, optedOut, ...written } = changed
  if (optedOut) await keepOptOuts(tx, ctx, [{ email: left, subscribed: false, optedOut }])
  const unsubscribed = moved && subscribed !== true ? await unsubscribeOptedOut(ctx, tx, written) : null
  const contact = unsubscribed ?? written
  const reason = unsubscribed ? 'The address had opted out before the contact took it.' : wanted.reason
  if (Object.keys(patch.types).length > 0) await tx.run(rememberFields, [fieldsParameter({ projectId, patch, keyKind: 'SECRET', at: now })])
  if (was !== contact.subscribed) {
    const name = contact.subscribed ? 'contact.subscribed' : 'contact.unsubscribed'
    await appendEvents(tx, ctx, {
      projectId,
      at: now,
      lines: [{ name, contactId: id, emailId: emailId ?? null, data: { source, ...(reason && { reason }), ...wanted.line } }],
    })
  }
  return contact
}

// Otherwise an address that opted out could be written to again once its contact is deleted and another one takes it.
async function unsubscribeOptedOut({ world, projectId }: Ctx, tx: Transaction, { id, email }: Contact): Promise<Contact | null> {
  const [contact] = await tx.run(takeOptOut, [projectId, id, optOutHash(world, { projectId, email })])
  return contact ?? null
}

/**
 * Deletes a contact with its emails and events: they are hidden from reads at once and removed in the background. It leaves
 * its segments, without a line of the log. Nothing is handed to a mail server for it after the answer. The address is free for a new
 * contact at once; if it had opted out, so has the new contact. Fails with CONTACT_NOT_FOUND.
 */
export async function deleteContact(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const { db, jobs, clock, projectId } = ctx
  const now = clock.now()
  const contact = { projectId, contactId: id }
  // Before, because what is queued is removed behind the deletion; and again, because more may have been queued until it was committed.
  const hadEmails = await isWrittenTo(ctx, contact)
  await db.transaction(async (tx) => {
    await tx.run(leaveSegments, [projectId, [id]])
    const [hidden] = await tx.run(hideContact, [projectId, id, now])
    if (!hidden) throw notFound('CONTACT_NOT_FOUND')
    await keepOptOuts(tx, ctx, [hidden])
    await forgetAddresses(tx, projectId, [hidden.email])
    const erasureId = await hideContactEvents(tx, now, { projectId, contactId: id })
    await jobs.enqueue(eraseContactQueue, { projectId, contactId: id, erasureId }, tx)
  })
  if (hadEmails || (await isWrittenTo(ctx, contact))) await untilForgotten()
}
