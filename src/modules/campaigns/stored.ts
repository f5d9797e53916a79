import type { EditedCampaign } from './shapes.ts'

/** The columns of a campaign that are shown, without its body, which may have megabytes. */
export const campaignColumns = {
  id: true,
  name: true,
  description: true,
  subject: true,
  previewText: true,
  from: true,
  fromName: true,
  replyTo: true,
  mode: true,
  type: true,
  templateId: true,
  audienceType: true,
  segmentId: true,
  audienceFilter: true,
  sourceId: true,
  sourceOutcome: true,
  status: true,
  statusReason: true,
  paused: true,
  maxPerHour: true,
  scheduledFor: true,
  totalRecipients: true,
  sentAt: true,
  finishedAt: true,
  createdAt: true,
  updatedAt: true,
} as const

type Shown = Omit<
  EditedCampaign,
  | 'body'
  | 'audienceCondition'
  | 'sourceCampaignId'
  | 'scheduledAt'
  | `${'sent' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained' | 'unsubscribed'}Count`
>

/** A campaign as it is stored, without its body. */
export type StoredCampaign = Omit<Shown, 'audienceFilter' | 'sourceOutcome'> & {
  audienceFilter: unknown
  sourceId: string | null
  sourceOutcome: string | null
}
