import type { Ctx } from '../../kit/context.ts'
import { brief, shorten } from '../../kit/cut.ts'
import { getContact } from '../contacts/contacts.ts'
import { type ExplainedMatch, explainCondition } from '../filters/evaluate.ts'
import { membershipIn } from '../filters/membership.ts'
import { requireReferences } from '../filters/references.ts'
import type { Condition } from '../filters/shapes.ts'
import { conditionOf } from './kinds.ts'
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
  const segment = await getSegment(ctx, { id })
  const contact = await getContact(ctx, { id: contactId })
  const asked = conditionOf(segment) ?? ({ field: `segment.${id}`, operator: 'memberOfSegment' } as const)
  return cutActuals(await explainCondition(ctx, { condition: asked, membership: membershipIn(ctx), contact }))
}

/**
 * Why a contact matches a condition at the moment or not, as explainSegment says it of a stored one. Fails with CONTACT_NOT_FOUND, and
 * with VALIDATION_ERROR for a condition that names segments that do not exist.
 */
export async function explainConditionFor(
  ctx: Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>,
  { condition, contactId }: { condition: Condition; contactId: string },
): Promise<Explanation> {
  await requireReferences(ctx.db, ctx.projectId, { condition })
  const contact = await getContact(ctx, { id: contactId })
  return cutActuals(await explainCondition(ctx, { condition, membership: membershipIn(ctx), contact }))
}

const maxShown = 1_000

// A hundred filters may ask the same field, whose value may have 128 KB.
function cutActuals({ matches, leaves }: ExplainedMatch): Explanation {
  const cut = (actual: unknown): unknown => (typeof actual === 'string' ? shorten(actual, maxShown) : brief(actual, maxShown))
  return { matches, leaves: leaves.map((leaf) => ({ ...leaf, actual: cut(leaf.actual) })) }
}
