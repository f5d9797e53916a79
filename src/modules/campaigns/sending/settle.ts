import type { ErasingDatabase } from '../../../kit/postgres/erase.ts'
import type { World } from '../../../kit/world.ts'
import { listDeferred, settleCharge } from '../../billing/deferral.ts'
import { findCampaignsLeft, takeRecipientsOut } from '../../emails/ledger/ledger.ts'
import { untilNoneIsSent } from './stop.ts'

const perStep = 2_000

/**
 * Settles the deferred charges of a closed project, whose data is about to be removed, for campaigns of which anything has left, in the
 * present month: first it takes what has not left out of the queue, and waits up to 10 s for what is being handed to a mail server. What
 * may have left counts as having left, as when a campaign is cancelled. Returns how many emails it has taken out or charges it has
 * settled; call it until it returns 0.
 */
export async function settleLeft(world: Pick<World, 'clock'> & { db: ErasingDatabase }, projectId: string): Promise<number> {
  const { db, clock } = world
  const campaignIds = await listDeferred(db, projectId)
  if (campaignIds.length === 0) return 0
  const taken = await takeRecipientsOut(db, { projectId, campaignIds, limit: perStep })
  if (taken > 0) return taken
  const leaving = (await findCampaignsLeft(db, { projectId, campaignIds })).filter(({ sent }) => !sent)
  await Promise.all(leaving.map(({ id }) => untilNoneIsSent({ db, clock, projectId }, id)))
  return db.transaction(async (tx) => {
    const left = await findCampaignsLeft(tx, { projectId, campaignIds })
    for (const { id } of left) await settleCharge(tx, world, { projectId, id })
    return left.length
  })
}
