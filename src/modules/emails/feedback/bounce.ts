import { callIn } from '../../../kit/context.ts'
import type { World } from '../../../kit/world.ts'
import { changeSubscription } from '../../contacts/contacts.ts'
import { suppressAddress } from '../../suppressions/suppressions.ts'
import type { Recipient } from '../message/content.ts'

/**
 * Handles a hard bounce: suppresses the address in this project and unsubscribes its contact. Call it before the status of
 * the email is recorded, so that it is repeated after a crash in between; repeating it changes nothing.
 */
export async function recordBounce(
  world: World,
  email: Pick<Recipient, 'projectId' | 'contactId' | 'id' | 'toAddress'>,
  reason: string,
): Promise<void> {
  const ctx = callIn(world, { projectId: email.projectId, actor: { kind: 'system' } })
  await suppressAddress(ctx, { email: email.toAddress, reason: 'BOUNCE', emailId: email.id })
  await changeSubscription(ctx, { id: email.contactId, subscribed: false, source: 'bounce', reason })
}
