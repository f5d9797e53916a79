import type { EmailSource } from '../../generated/prisma/client.ts'
import { lowestId } from '../../kit/ids.ts'
import type { World } from '../../kit/world.ts'
import { deliverClaimed } from '../../modules/emails/delivery/attempt.ts'
import { closeRenderers } from '../../modules/emails/delivery/renderers.ts'
import { transportOf } from '../../modules/emails/delivery/transport.ts'
import { claimEmails } from '../../modules/emails/queue/claim.ts'
import { releaseLease } from '../../modules/emails/queue/lease/lease.ts'
import { type Lane, lanes } from '../../modules/emails/shapes.ts'

/** An email of the demo data that has left. */
export interface SentEmail {
  id: string
  contactId: string
  toAddress: string
  source: EmailSource
}

// Ids are in the order of time, and may be ahead of it by less than this.
const aheadMs = 60_000

/**
 * Delivers what was accepted in a project before the time of a world: what is accepted now, beside the demo data, is left to the workers,
 * whose clock is right. Returns the emails that left.
 */
export async function deliverPast(past: World, projectId: string): Promise<SentEmail[]> {
  const before = lowestId('email', new Date(past.clock.now().getTime() + aheadMs))
  const due = { projectId, due: null, worker: null, emailId: { lt: before } }
  const counts = await past.db.prisma.delivery.groupBy({ by: ['lane'], where: due, _count: true })
  const ids: string[] = []
  for (const { lane, _count } of counts) ids.push(...(await deliverOldest(past, { projectId, lane: lanes[lane], want: _count })))
  if (ids.length === 0) return []
  return past.db.prisma.email.findMany({
    where: { projectId, id: { in: ids }, status: 'SENT' },
    orderBy: { id: 'asc' },
    select: { id: true, contactId: true, toAddress: true, source: true },
  })
}

async function deliverOldest(past: World, turn: { projectId: string; lane: Lane | undefined; want: number }): Promise<string[]> {
  if (turn.lane === undefined) return []
  const [claimed] = await claimEmails(past, turn.lane, [{ ...turn, after: '' }])
  const emails = claimed?.emails ?? []
  await Promise.all(emails.map((email) => deliverClaimed(past, email)))
  return emails.map(({ id }) => id)
}

/** Gives back what delivering took. */
export async function endDelivery(past: World): Promise<void> {
  await Promise.all([transportOf(past).close(), closeRenderers(past), releaseLease(past)])
}
