import type { Ctx } from '../../kit/context.ts'
import { getContact } from '../contacts/contacts.ts'
import { explainCondition } from '../filters/evaluate.ts'
import { membershipIn } from '../filters/membership.ts'
import { getSegment } from './segments.ts'
import type { Explanation } from './shapes.ts'

/**
 * Why a contact is a member of a segment at the moment or not: each filter of the condition with the value that the contact has.
 * A static segment has one leaf: whether the contact was added. Fails with RESOURCE_NOT_FOUND and CONTACT_NOT_FOUND.
 */
export async function explainSegment(
  ctx: Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>,
  { id, contactId }: { id: string; contactId: string },
): Promise<Explanation> {
  const { condition } = await getSegment(ctx, { id })
  const contact = await getContact(ctx, { id: contactId })
  return explainCondition(ctx, {
    condition: condition ?? { field: `segment.${id}`, operator: 'memberOfSegment' },
    membership: membershipIn(ctx),
    contact,
  })
}
