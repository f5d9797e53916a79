import { words } from '../data/format.ts'
import type { EmailStatus } from '../graphql/graphql.ts'
import { Badge, type Tone } from './state.tsx'

const tones: Record<EmailStatus, Tone> = {
  PENDING: 'neutral',
  SENDING: 'neutral',
  SENT: 'neutral',
  DELIVERED: 'good',
  OPENED: 'info',
  CLICKED: 'info',
  BOUNCED: 'bad',
  COMPLAINED: 'bad',
  FAILED: 'bad',
  REJECTED: 'bad',
  SUPPRESSED: 'warn',
  CANCELLED: 'warn',
  RECEIVED: 'neutral',
}

/** Every status, in the order in which emails go through them. */
export const emailStatuses = Object.keys(tones) as EmailStatus[]

/** The status of an email. */
export function EmailStatusBadge({ status }: { status: EmailStatus }) {
  return <Badge tone={tones[status]}>{words(status)}</Badge>
}
