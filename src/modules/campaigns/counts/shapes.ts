import { z } from 'zod'

const count = (text: string) => z.int().describe(text)

const rate = (text: string) => z.number().describe(`${text}, in percent of what was sent, with two decimals; 0 while nothing was sent.`)

/** What became of a campaign. */
export const CampaignStats = z
  .object({
    totalRecipients: count('How many contacts are sent it.'),
    sentCount: count('How many emails left: a mail server accepted them, or refused their address for good.'),
    deliveredCount: count('How many are known to have reached the mailbox.'),
    openedCount: count('How many were opened, the first time by a person as far as can be told.'),
    clickedCount: count('In how many a link was followed, the first time by a person as far as can be told.'),
    bouncedCount: count('How many were refused for good because of their address.'),
    complainedCount: count('How many were reported as spam.'),
    unsubscribedCount: count('How many recipients unsubscribed by a link of it.'),
    failedCount: count('How many failed: refused for another reason, or not rendered; one that arrived after all has not failed.'),
    suppressedCount: count('How many were withheld, because their recipient had unsubscribed or was suppressed meanwhile.'),
    machineOpens: count('How often machines, such as mail scanners, opened it.'),
    machineClicks: count('How often machines followed a link of it.'),
    deliveryRate: rate('Delivered'),
    openRate: rate('Opened'),
    clickRate: rate('Clicked'),
    bounceRate: rate('Bounced'),
    complaintRate: rate('Complaints'),
    unsubscribeRate: rate('Unsubscribed'),
  })
  .meta({ id: 'CampaignStats' })
/** What became of a campaign. */
export type CampaignStats = z.output<typeof CampaignStats>

/** What became of a campaign as GraphQL shows it, also of those that have not left. */
export const CampaignProgress = CampaignStats.extend({
  waitingCount: count('How many wait or are being sent; 0 once it is SENT or CANCELLED.'),
  cancelledCount: count(
    'How many never left because it was cancelled, or because their contact was deleted or has another address; 0 before its end, and in the first 10 s of one that is SENT, until all that left is counted. `sentCount`, `failedCount`, `suppressedCount`, `waitingCount` and `cancelledCount` are `totalRecipients` together; one that failed after it had left is counted by both.',
  ),
})
/** What became of a campaign as GraphQL shows it. */
export type CampaignProgress = z.output<typeof CampaignProgress>
