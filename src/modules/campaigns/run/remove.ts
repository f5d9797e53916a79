import { cancelRecipients, dropRecipients } from '../../emails/ledger/ledger.ts'
import { eraseExclusionsOf } from '../audience/sql.ts'
import { keyOf } from './deliver.ts'
import { removeCampaign, removeCounts } from './sql.ts'
import type { Step } from './step.ts'

const perStep = 2_000

/** Removes what is left of an earlier ledger of which nothing was sent, then goes on to the snapshot, if the campaign is sent, or waits for its time. */
export const clear: Step = async (world, campaign) => async (tx) => {
  const now = world.clock.now()
  const { projectId, id, status, scheduledFor } = campaign
  const dropped = await dropRecipients(tx, { ...keyOf(campaign), limit: perStep })
  const excluded = await eraseExclusionsOf(tx, projectId, id)
  // The counts go when there is nothing left that could still be counted.
  if (dropped > 0 || excluded > 0) return { wakeAt: now }
  await tx.run(removeCounts, [projectId, id])
  if (status === 'SENDING') return { stage: 'SNAPSHOT', wakeAt: now }
  return { stage: null, contentId: null, totalRecipients: 0, wakeAt: campaign.deleted ? now : status === 'SCHEDULED' ? scheduledFor : null }
}

/** Cancels the emails of a cancelled campaign that have not ended, behind the answer to its cancellation. */
export const cancelRest: Step = async (world, campaign) => async (tx) => {
  const now = world.clock.now()
  const last = await cancelRecipients(tx, world, { ...keyOf(campaign), after: campaign.doneUpTo, limit: perStep })
  if (last !== null) return { doneUpTo: last, wakeAt: now }
  return { stage: null, wakeAt: campaign.deleted ? now : null }
}

/** Removes a deleted campaign, after what belongs to it alone; its emails stay. */
export const erase: Step =
  async (world, { projectId, id }) =>
  async (tx) => {
    if ((await eraseExclusionsOf(tx, projectId, id)) > 0) return { stage: 'ERASE', wakeAt: world.clock.now() }
    await tx.run(removeCampaign, [projectId, id])
    return {}
  }
