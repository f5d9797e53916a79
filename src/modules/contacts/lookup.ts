import { emailAddress } from '../../kit/address.ts'
import type { Ctx } from '../../kit/context.ts'
import { loader } from '../../kit/load.ts'
import type { World } from '../../kit/world.ts'
import { findOptedOut } from '../suppressions/opt-outs.ts'
import { findContact } from './contacts.ts'
import type { ContactLookup } from './shapes.ts'
import { selectIdsOfEmails, selectOptOutsOfEmails } from './sql.ts'

/** Addresses as the caller spelled them: those that have a contact, with its id, and the others. */
export interface FoundContacts {
  found: { email: string; contactId: string }[]
  notFound: string[]
}

/**
 * Which of some addresses, at most 1,000, have a contact: compared as contacts are stored, and returned in the caller's spelling
 * and order. A spelling that is repeated is returned once; what is not an address is not found.
 */
export async function findContactsByEmail(
  { db, projectId }: Pick<Ctx, 'db' | 'projectId'>,
  { emails }: ContactLookup,
): Promise<FoundContacts> {
  const spellings = new Map(emails.map((spelling) => [spelling, emailAddress(spelling)]))
  const addresses = new Set([...spellings.values()].filter((address) => address !== null))
  const rows = await db.run(selectIdsOfEmails, [projectId, [...addresses]])
  const ids = new Map(rows.map(({ email, id }) => [email, id]))
  const answer: FoundContacts = { found: [], notFound: [] }
  for (const [spelling, address] of spellings) {
    const contactId = address === null ? undefined : ids.get(address)
    if (contactId === undefined) answer.notFound.push(spelling)
    else answer.found.push({ email: spelling, contactId })
  }
  return answer
}

// By address, which stands for an id.
const findIdOf = loader(async ({ db, projectId }, emails) =>
  (await db.run(selectIdsOfEmails, [projectId, emails])).map(({ id, email }) => ({ id: email, contactId: id })),
)

/** The contact of an address as it is stored, or null when it has none; parallel lookups are two statements. */
export async function findContactByEmail(
  ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>,
  { email }: { email: string },
  query: object,
): ReturnType<typeof findContact> {
  const found = await findIdOf(ctx, { id: email }, {})
  return findContact(ctx, { id: found?.contactId }, query)
}

/** The same as lists of addresses. */
export async function lookupContacts(ctx: Pick<Ctx, 'db' | 'projectId'>, lookup: ContactLookup) {
  const { found, notFound } = await findContactsByEmail(ctx, lookup)
  return { found: found.map(({ email }) => email), notFound }
}

/**
 * Those of some addresses, as they are stored, to which no marketing may be sent: the contact that has the address has opted out, or
 * one that had it did, where no contact has it now.
 */
export async function findUnwilling(
  world: Pick<World, 'vault' | 'db'>,
  { projectId, emails }: { projectId: string; emails: string[] },
): Promise<string[]> {
  const contacts = await world.db.run(selectOptOutsOfEmails, [projectId, emails])
  const owned = new Set(contacts.map(({ email }) => email))
  const left = emails.filter((email) => !owned.has(email))
  const former = left.length > 0 ? await findOptedOut(world, projectId, left) : []
  return [...contacts.flatMap(({ email, optedOut }) => (optedOut ? [email] : [])), ...former]
}
