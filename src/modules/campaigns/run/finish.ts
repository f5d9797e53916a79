import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { settleCharge } from '../../billing/deferral.ts'
import { appendEvents } from '../../events/log.ts'
import type { CampaignStep, DueCampaign } from './sql.ts'

/** Records in the log what happened to a campaign. */
export async function logCampaign(
  tx: Transaction,
  world: Pick<World, 'clock' | 'notices'>,
  { projectId, id, name }: Pick<DueCampaign, 'projectId' | 'id' | 'name'>,
  event: { name: 'campaign.scheduled' | 'campaign.sent' | 'campaign.cancelled'; data?: object },
): Promise<void> {
  const now = world.clock.now()
  await appendEvents(tx, world, {
    projectId,
    at: now,
    lines: [{ name: event.name, data: { campaignId: id, campaignName: name, ...event.data } }],
  })
}

/** Ends a campaign of which every email has ended. */
export async function finished(tx: Transaction, world: World, campaign: DueCampaign): Promise<CampaignStep> {
  await logCampaign(tx, world, campaign, { name: 'campaign.sent', data: { totalRecipients: campaign.totalRecipients } })
  await settleCharge(tx, world, campaign)
  const now = world.clock.now()
  const sentAt = campaign.stage === 'DELIVER' ? {} : { sentAt: now }
  return { status: 'SENT', statusReason: null, stage: null, wakeAt: null, held: false, paused: false, finishedAt: now, ...sentAt }
}
