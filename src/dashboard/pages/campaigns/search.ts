import { oneOf, type Place, placeOf, someOf, text } from '../../data/search.ts'
import type { CampaignRecipientOutcome, CampaignStatus } from '../../graphql/graphql.ts'
import { type PreviewLook, previewLookOf } from '../../parts/editor/preview-look.ts'

/** The states of campaigns, in their order. */
export const campaignStatuses: CampaignStatus[] = ['DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED']

/** What became of recipients, in the order of filters. */
export const outcomes: CampaignRecipientOutcome[] = [
  'PENDING',
  'SENT',
  'DELIVERED',
  'OPENED',
  'CLICKED',
  'BOUNCED',
  'COMPLAINED',
  'FAILED',
  'REJECTED',
  'SUPPRESSED',
  'CANCELLED',
  'EXCLUDED',
]

/** The address of the list. */
export interface CampaignsSearch extends Place {
  status?: CampaignStatus[] | undefined
  search?: string | undefined
  create?: true | undefined
}

/** What the address of the list says. */
export function campaignsSearch(given: Record<string, unknown>): CampaignsSearch {
  return {
    status: someOf(campaignStatuses, given.status),
    search: text(given.search),
    create: given.create === true || undefined,
    ...placeOf(given),
  }
}

/** The steps of a draft. */
export const steps = ['audience', 'content', 'review'] as const

/** The parts of a report. */
export const reportTabs = ['overview', 'recipients', 'links', 'content'] as const

/** The address of a campaign: the step of a draft, the part of a report, and how its preview is shown. */
export interface CampaignSearch extends PreviewLook, Place {
  tab?: (typeof steps)[number] | (typeof reportTabs)[number] | undefined
  outcome?: CampaignRecipientOutcome | undefined
}

/** What the address of a campaign says. */
export function campaignSearch(given: Record<string, unknown>): CampaignSearch {
  return {
    tab: oneOf([...steps, ...reportTabs], given.tab),
    outcome: oneOf(outcomes, given.outcome),
    ...previewLookOf(given),
    ...placeOf(given),
  }
}
