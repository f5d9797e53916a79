import type { CampaignStatus } from '../../graphql/graphql.ts'
import { Badge, type Tone } from '../../parts/state.tsx'

const shown: Record<CampaignStatus, { label: string; tone: Tone }> = {
  DRAFT: { label: 'Draft', tone: 'neutral' },
  SCHEDULED: { label: 'Scheduled', tone: 'info' },
  SENDING: { label: 'Sending', tone: 'info' },
  SENT: { label: 'Sent', tone: 'good' },
  CANCELLED: { label: 'Cancelled', tone: 'warn' },
}

/** How far a campaign is. */
export function StatusBadge({ status, paused }: { status: CampaignStatus; paused: boolean }) {
  if (paused) return <Badge tone="warn">Paused</Badge>
  return <Badge tone={shown[status].tone}>{shown[status].label}</Badge>
}
