import { callIn } from '../../../kit/context.ts'
import { createTurns } from '../../../kit/turns.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { changeSubscription } from '../../contacts/contacts.ts'
import { suppressAddress } from '../../suppressions/suppressions.ts'
import type { Recipient } from '../message/content.ts'
import { countMailboxErrors } from './sql.ts'

/** The recipient of an email. */
export type RecipientOf = Pick<Recipient, 'projectId' | 'contactId' | 'id' | 'toAddress'>

/**
 * Suppresses the address of an email in its project, because of a hard bounce or a complaint, and unsubscribes its contact where that
 * still has this address. Call it
 * before that is recorded, so that it is repeated after a crash in between; repeating it changes nothing.
 */
export async function suppressRecipient(
  world: World,
  email: RecipientOf,
  { reason, sentence }: { reason: 'BOUNCE' | 'COMPLAINT'; sentence: string },
): Promise<void> {
  const { id: emailId, projectId, contactId, toAddress } = email
  const source = reason === 'BOUNCE' ? 'bounce' : 'complaint'
  const ctx = callIn(world, { projectId, actor: { kind: 'system' } })
  await turnsOf(world).run(projectId, async () => {
    await suppressAddress(ctx, { email: toAddress, reason, emailId })
    // The email may have gone to an address that is not, or not any more, that of the contact.
    await changeSubscription(ctx, { id: contactId, ifAddress: toAddress, subscribed: false, source, reason: sentence, emailId })
  })
}

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
