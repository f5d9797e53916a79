import { callIn } from '../../../kit/context.ts'
import { createTurns } from '../../../kit/turns.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { changeSubscription } from '../../contacts/contacts.ts'
import { findContactsByEmail } from '../../contacts/lookup.ts'
import { suppressAddress } from '../../suppressions/suppressions.ts'
import type { Recipient } from '../message/content.ts'
import { countMailboxErrors } from './sql.ts'

/** The recipient of an email. */
export type RecipientOf = Pick<Recipient, 'projectId' | 'contactId' | 'id' | 'toAddress'>

/** Why an address is suppressed, with a sentence for people. */
export interface SuppressionCause {
  reason: 'BOUNCE' | 'COMPLAINT'
  sentence: string
}

/**
 * Suppresses the address of an email in its project, because of a hard bounce or a complaint, and unsubscribes its contact where that
 * still has this address. Call it before that is recorded, so that it is repeated after a crash in between; repeating it changes nothing.
 */
export async function suppressRecipient(world: World, email: RecipientOf, cause: SuppressionCause): Promise<void> {
  const { contactId, projectId } = email
  await withTurn(world, projectId, () => suppress(world, { ...email, findContact: async () => contactId }, cause))
}

/** The same of an email whose contact was deleted: whoever has the address by now is unsubscribed. Call it in a turn. */
export async function suppressAddressOf(world: World, email: Omit<RecipientOf, 'contactId'>, cause: SuppressionCause): Promise<void> {
  const { projectId, toAddress } = email
  const findContact = async (): Promise<string | undefined> => {
    const { found } = await findContactsByEmail({ db: world.db, projectId }, { emails: [toAddress] })
    return found[0]?.contactId
  }
  await suppress(world, { ...email, findContact }, cause)
}

interface Suppressed extends Omit<RecipientOf, 'contactId'> {
  findContact: () => Promise<string | undefined>
}

async function suppress(
  world: World,
  { id: emailId, projectId, toAddress, findContact }: Suppressed,
  { reason, sentence }: SuppressionCause,
): Promise<void> {
  const source = reason === 'BOUNCE' ? 'bounce' : 'complaint'
  const ctx = callIn(world, { projectId, actor: { kind: 'system' } })
  await suppressAddress(ctx, { email: toAddress, reason, emailId })
  const id = await findContact()
  // The email may have gone to an address that is not, or not any more, that of the contact.
  if (id) await changeSubscription(ctx, { id, ifAddress: toAddress, subscribed: false, source, reason: sentence, emailId })
}

/** Runs what is recorded of feedback about a project when it is its turn. */
export const withTurn = <Result>(world: World, projectId: string, work: () => Promise<Result>): Promise<Result> =>
  turnsOf(world).run(projectId, work)

// Each is a transaction: the bounces of a large campaign, which come at once, must leave connections to everybody else.
const turnsOf = perWorld(() => createTurns({ max: 3, maxPerOwner: 2 }))

const minErrors = 5
const minDays = 7
const dayMs = 86_400_000

/**
 * Suppresses the address of an email when the last emails to it, five or more over seven days or more, all ended because its
 * mailbox could not take them. Call it after such an end is recorded; an email that was taken in between begins the count anew,
 * and one that failed for another reason does not count.
 */
export async function suppressUnreachable(world: World, email: RecipientOf): Promise<void> {
  const [errors] = await world.db.run(countMailboxErrors, [email.projectId, email.contactId, email.toAddress])
  if (!errors?.first || !errors.last || errors.count < minErrors) return
  const days = Math.floor((errors.last.getTime() - errors.first.getTime()) / dayMs)
  if (days < minDays) return
  const sentence = `The mailbox took none of the last ${errors.count} emails, over ${days} days.`
  await suppressRecipient(world, email, { reason: 'BOUNCE', sentence })
}
