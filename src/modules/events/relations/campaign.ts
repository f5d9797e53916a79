import type { Reading } from '../../../kit/load.ts'
import { findNamed } from './named.ts'

/** The events that may be about a campaign: those of its emails, and its own. */
export const eventsOfCampaigns: readonly string[] = [
  ...['email.sent', 'email.delivery', 'email.open', 'email.click', 'email.bounce', 'email.complaint', 'email.failed'],
  ...['campaign.scheduled', 'campaign.sent', 'campaign.cancelled'],
]

/** The campaign that a line of the log is about; null where there is none. What was tracked says nothing about campaigns. */
export function campaignIdOf({ name, data }: { name: string; data: unknown }): string | null {
  const { campaignId } = (data ?? {}) as { campaignId?: unknown }
  return typeof campaignId === 'string' && eventsOfCampaigns.includes(name) ? campaignId : null
}

/** The same as `campaignIdOf`, of a line whose data, which may be large, was not read. */
export async function findCampaignIdOf(ctx: Reading, { id, name }: { id: string; name: string }): Promise<string | null> {
  return eventsOfCampaigns.includes(name) ? (await findNamed(ctx, { id })).campaignId : null
}
