import type { Handover } from '../../../kit/mailer.ts'
import type { ClaimedEmail } from '../queue/claim.ts'
import { attemptMayHaveArrived, campaignCancelled, type WaitsFor } from '../queue/waits.ts'

/** How an attempt ended. An email that was not sent has a reason: a sentence for people. */
export type Outcome =
  | { kind: 'SENT'; subject?: string }
  /** `mailbox`: because the mailbox cannot take any email at present. */
  | { kind: 'BOUNCED' | 'FAILED'; reason: string; subject?: string; mailbox?: true; uncertain?: boolean }
  | { kind: 'SUPPRESSED' | 'CANCELLED'; reason: string; uncertain?: boolean }
  /** Will be tried again after `waitMs`. `uncertain`, here and above: it may have arrived, because the answer of the mail server was lost. */
  | { kind: 'retry'; reason: string; waitMs: number; uncertain?: boolean }
  /** The mail server has not seen it, so that this attempt is not counted. It will be tried again after `waitMs`. */
  | { kind: 'unseen'; reason: string; waitMs: number }
  /** Not attempted, because this process is ending: another one may at once. */
  | { kind: 'released' }
  /** It waits for something else than a mail server's patience, such as the end of a pause, and this attempt is not counted. */
  | { kind: 'paused'; reason: string; waitsFor: WaitsFor; waitMs: number }

/** How an attempt ends by what the mail server did with its email. */
export function outcomeOf(email: ClaimedEmail, subject: string, handover: Handover): Outcome {
  if (handover.kind === 'accepted') return { kind: 'SENT', subject }
  const mailbox = handover.mailbox ? { mailbox: handover.mailbox } : {}
  if (handover.kind === 'refused')
    return { kind: handover.recipient ? 'BOUNCED' : 'FAILED', reason: handover.response, subject, ...mailbox }
  const outcome = mayHaveArrived(retryOrFail(email, handover.response), handover.uncertain)
  return outcome.kind === 'FAILED' ? { ...outcome, ...mailbox } : outcome
}

/** The same outcome, of an attempt whose answer was lost if it is `uncertain`. */
export function mayHaveArrived(outcome: Outcome, uncertain: boolean | undefined): Outcome {
  return uncertain && (outcome.kind === 'retry' || outcome.kind === 'FAILED') ? { ...outcome, uncertain } : outcome
}

/**
 * How an email ends that this attempt ends. One that may have arrived, by this or an earlier attempt, is not recorded as withheld: it ends
 * as one does that is given up, and the reason says so.
 */
export function endOf(email: Pick<ClaimedEmail, 'uncertain'>, outcome: Outcome): Outcome {
  if (outcome.kind !== 'SUPPRESSED' && outcome.kind !== 'CANCELLED' && outcome.kind !== 'FAILED') return outcome
  if (!email.uncertain && !outcome.uncertain) return outcome
  const kind = outcome.reason === campaignCancelled ? outcome.kind : 'FAILED'
  // What a mail server answers seldom ends as a sentence does.
  const reason = outcome.reason.replace(/[^.!?]$/, '$&.')
  return { ...outcome, kind, reason: `${reason} ${attemptMayHaveArrived}`, uncertain: true }
}

/** The outcome of an attempt whose connections ended, or were needed for others, again and again before the email was sent over them. */
export const unseen: Outcome = {
  kind: 'unseen',
  reason: 'The connection to the mail server ended before this email, again and again.',
  waitMs: 1_000,
}

const minute = 60_000
const retryWaitsMs = [0.5 * minute, 2 * minute, 10 * minute, 30 * minute, 60 * minute, 120 * minute]
const maxRetryMs = 24 * 60 * minute

/**
 * The outcome of a temporary failure: another attempt after a growing delay, until 24 hours after the first attempt, in which waits for the
 * sender domain do not count.
 */
export function retryOrFail({ attempts, sinceFirstMs }: Pick<ClaimedEmail, 'attempts' | 'sinceFirstMs'>, reason: string): Outcome {
  const waitMs = retryWaitsMs[Math.min(attempts, retryWaitsMs.length) - 1] ?? minute
  if (sinceFirstMs + waitMs <= maxRetryMs) return { kind: 'retry', reason, waitMs }
  return { kind: 'FAILED', reason: `Given up after 24 hours and ${attempts === 1 ? 'one attempt' : `${attempts} attempts`}: ${reason}` }
}
