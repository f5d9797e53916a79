import { callIn } from '../../../kit/context.ts'
import type { World } from '../../../kit/world.ts'
import { changeSubscription } from '../../contacts/contacts.ts'
import { suppressAddress } from '../../suppressions/suppressions.ts'
import type { Recipient } from '../message/content.ts'

/**
 * What a hard bounce means for the address: suppressed in this project, its contact unsubscribed. Done
 * before the mail's own state is recorded, so that a crash between repeats it; repeating changes nothing.
 */
export async function recordBounce(
  world: World,
  mail: Pick<Recipient, 'projectId' | 'contactId' | 'id' | 'toAddress'>,
  reason: string,
): Promise<void> {
  const ctx = callIn(world, { projectId: mail.projectId, actor: { kind: 'system' } })
  await suppressAddress(ctx, { email: mail.toAddress, reason: 'BOUNCE', emailId: mail.id })
  await changeSubscription(ctx, { id: mail.contactId, subscribed: false, source: 'bounce', reason })
}
