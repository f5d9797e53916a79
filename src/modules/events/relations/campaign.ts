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
