import type { Handover } from '../../../kit/mailer.ts'
import type { ClaimedEmail } from '../queue/claim.ts'
import { type Outcome, retryOrFail } from './settle.ts'

/** How an attempt ends by what the mail server did with its email. */
export function outcomeOf(email: ClaimedEmail, subject: string, handover: Handover): Outcome {
  if (handover.kind === 'accepted') return { kind: 'SENT', subject }
  if (handover.kind === 'deferred') return mayHaveArrived(retryOrFail(email, handover.response), handover.uncertain)
  return { kind: handover.recipient ? 'BOUNCED' : 'FAILED', reason: handover.response, subject }
}

/** The same outcome; where another attempt follows, it records whether the email may have arrived already. */
export function mayHaveArrived(outcome: Outcome, uncertain: boolean | undefined): Outcome {
  return outcome.kind === 'retry' && uncertain ? { ...outcome, uncertain } : outcome
}
