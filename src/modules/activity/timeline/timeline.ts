import type { Ctx } from '../../../kit/context.ts'
import { listEventsOfEmail } from '../../events/relations/email.ts'
import { type ActivityType, activityTypeOf } from '../types.ts'
import { BounceType } from './shapes.ts'

/** Something that happened to an email. */
export interface TimelineEntry {
  /** The id of the event. */
  id: string
  type: ActivityType
  at: Date
  reason: string | null
  copy: string | null
  bounceType: BounceType | null
  link: string | null
  /** Whether a program has done it; null for what neither people nor programs do. */
  machine: boolean | null
  machineReason: string | null
}

/** What happened to an email, oldest first, at most 100 entries; concurrent calls are read in one statement. */
export async function listTimeline(
  ctx: Pick<Ctx, 'world' | 'projectId'>,
  email: { id: string; contactId: string; createdAt: Date },
): Promise<TimelineEntry[]> {
  return (await listEventsOfEmail(ctx, email)).map(({ id, name, data, createdAt }) => {
    const facts = (data ?? {}) as Record<string, unknown>
    const text = (key: string) => (typeof facts[key] === 'string' ? facts[key] : null)
    return {
      id,
      type: activityTypeOf(name),
      at: createdAt,
      reason: text('reason'),
      copy: text('copy'),
      bounceType: BounceType.safeParse(facts.bounceType).data ?? null,
      link: text('link'),
      machine: typeof facts.bot === 'boolean' ? facts.bot : null,
      machineReason: text('botReason'),
    }
  })
}
