import { randomInt } from 'node:crypto'
import { asciiAddress } from '../../../kit/address.ts'
import type { Handover, RefusedCopy } from '../../../kit/mailer.ts'
import { recipientsOf } from '../message/compose.ts'
import type { Content } from '../message/content.ts'
import type { ClaimedEmail } from '../queue/claim.ts'
import { attemptMayHaveArrived, campaignCancelled, type WaitsFor } from '../queue/waits.ts'

/** A copy that does not reach its address, with the reason; `unknown`: because there is no such address. */
export interface LostCopy {
  address: string
  reason: string
  unknown: boolean
}

/** What becomes of copies (cc, bcc) that the mail server has refused. */
export interface Copies {
  /** The addresses that are offered it again after `waitMs`; none: null. */
  waiting: string[]
  waitMs: number | null
  /** Why they wait. */
  reason: string | null
  lost: LostCopy[]
}

/** How an attempt ended. An email that was not sent has a reason: a sentence for people. */
export type Outcome =
  | { kind: 'SENT'; subject?: string; copies?: Copies }
  /** What was recorded of the email stays: only copies were offered. */
  | { kind: 'COPIES'; copies: Copies; accepted: boolean }
  /** `mailbox`: because the mailbox cannot take any email at present. */
  | { kind: 'BOUNCED' | 'FAILED'; reason: string; subject?: string; mailbox?: true; uncertain?: boolean; copies?: Copies }
  | { kind: 'SUPPRESSED' | 'CANCELLED'; reason: string; uncertain?: boolean }
  /** Will be tried again after `waitMs`. `uncertain`, here and above: it may have arrived, because the answer of the mail server was lost. */
  | { kind: 'retry'; reason: string; waitMs: number; uncertain?: boolean }
  /** The mail server has not seen it, so that this attempt is not counted. It will be tried again after `waitMs`. */
  | { kind: 'unseen'; reason: string; waitMs: number }
  /** Not attempted, because this process is ending: another one may at once. */
  | { kind: 'released' }
  /** It waits for something else than a mail server's patience, such as the end of a pause, and this attempt is not counted. */
  | { kind: 'paused'; reason: string; waitsFor: WaitsFor; waitMs: number }

function outcomeOf(email: ClaimedEmail, subject: string, handover: Handover, copies?: Copies): Outcome {
  const refused = copies && { copies }
  if (handover.kind === 'accepted') return { kind: 'SENT', subject, ...refused }
  const mailbox = handover.mailbox ? { mailbox: handover.mailbox } : {}
  if (handover.kind === 'refused')
    return { kind: handover.recipient ? 'BOUNCED' : 'FAILED', reason: handover.response, subject, ...mailbox, ...refused }
  if (handover.throttled) return { kind: 'unseen', reason: handover.response, waitMs: throttledMs(email) }
  const outcome = mayHaveArrived(retryOrFail(email, handover.response), handover.uncertain)
  return outcome.kind === 'FAILED' ? { ...outcome, ...mailbox } : outcome
}

/** An email that was handed over to the mail server for `recipients`, and what that did with it. */
interface Handed {
  email: ClaimedEmail
  content: Pick<Content, 'cc' | 'bcc'>
  subject: string
  recipients: string[]
  handover: Handover
}

/** How an attempt ends by what the mail server did with its email and with the copies of it, which may differ. */
export function outcomeOfHandover({ email, subject, handover, ...handed }: Handed): Outcome {
  const copies = copiesOf({ email, handover, ...handed })
  if (!email.copies) return outcomeOf(email, subject, handover, copies)
  const accepted = handover.kind === 'accepted'
  return copies ? { kind: 'COPIES', copies, accepted } : endOfCopies(email, outcomeOf(email, subject, handover))
}

/** How copies that are attempted alone end by an outcome of their email: what was recorded of that stays, and they are lost. */
export function endOfCopies({ copies }: Pick<ClaimedEmail, 'copies'>, outcome: Outcome): Outcome {
  if (!copies || 'waitMs' in outcome || outcome.kind === 'released' || outcome.kind === 'COPIES') return outcome
  const lost = 'reason' in outcome ? copies.map((address) => ({ address, reason: outcome.reason, unknown: false })) : []
  return { kind: 'COPIES', copies: { ...none, lost }, accepted: outcome.kind === 'SENT' }
}

const none: Copies = { waiting: [], waitMs: null, reason: null, lost: [] }

// Those that the mail server wants to see later are offered the email again, and nobody else, at the times of its own attempts; the others,
// those given up and those withheld are lost. Undefined where all of it ended alike.
function copiesOf({ email, content, recipients, handover }: Omit<Handed, 'subject'>): Copies | undefined {
  const withheld = withheldOf(email, content, recipients)
  const isSent = handover.kind === 'accepted' || handover.copied === true
  const isOver = handover.kind === 'refused' || isSent || email.copies !== null
  if (!handover.copies && (withheld.length === 0 || !isSent)) return undefined
  const copies: Copies = { ...none, waiting: [], lost: isOver ? withheld : [] }
  const spelled = new Map(recipients.map((recipient) => [asciiAddress(recipient), recipient]))
  for (const { address: sent, ...refusal } of handover.copies ?? []) {
    const address = spelled.get(sent) ?? sent
    const next = lostOrWaiting(email, refusal)
    if ('waitMs' in next) Object.assign(copies, next, { waiting: [...copies.waiting, address] })
    else copies.lost.push({ address, ...next })
  }
  return copies
}

function lostOrWaiting(
  email: ClaimedEmail,
  { response, refused }: Omit<RefusedCopy, 'address'>,
): Omit<LostCopy, 'address'> | { waitMs: number; reason: string } {
  if (refused !== 'later') return { reason: response, unknown: refused === 'unknown' }
  const next = retryOrFail(email, response)
  if (next.kind === 'retry') return { waitMs: next.waitMs, reason: next.reason }
  return { reason: 'reason' in next ? next.reason : response, unknown: false }
}

// Few emails have copies.
function withheldOf(email: ClaimedEmail, content: Handed['content'], recipients: string[]): LostCopy[] {
  if (!email.copies && content.cc.length + content.bcc.length === 0) return []
  const [, ...all] = recipientsOf(email, content)
  const withheld = (email.copies ?? all).filter((address) => !recipients.includes(address))
  return withheld.map((address) => ({ address, reason: copyWithheld, unknown: false }))
}

/** What is said of a copy that is not offered to the mail server. */
export const copyWithheld = 'The address is on the suppression list, or has opted out of marketing emails.'

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

// At different times, and what a person waits for before the others.
function throttledMs({ lane }: Pick<ClaimedEmail, 'lane'>): number {
  return lane === 'transactional' ? randomInt(1_000, 2_000) : randomInt(5_000, 10_000)
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
