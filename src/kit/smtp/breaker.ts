import type { Handover } from '../mailer.ts'
import { recent } from '../recent.ts'
import { type Answer, meaningOf } from './refusals.ts'
import {
  counted,
  isAboutAddress,
  isEnough,
  isOfMany,
  isPaused,
  isRefusalOfUs,
  keyOf,
  minAccounts,
  type OwnedSender,
  type Row,
  type Sender,
} from './row.ts'
import { createTrials, pauseMsAfter, rankAmong, trialMs } from './trials.ts'

export type { OwnedSender, Sender } from './row.ts'

/** How an attempt to hand an email over ended: whose it was, the domain of its sender, and its recipient. */
export interface Ending extends OwnedSender {
  address: string
  handover: Handover
  now: Date
}

/** A pause that begins, with the answer that was given again and again. */
export interface Pause {
  /** Null: nothing is sent at all. */
  sender: Sender | null
  answer: string
  until: Date
}

/**
 * Stops sending where a mail server refuses one address after the other with the same words: then it refuses the sender, and
 * failing all of its emails would help nobody. Any acceptance ends a pause and the row that led to it.
 *
 * - Ten equal refusals in a row for different addresses pause that sender domain.
 * - Refusals that say that there is no such address count only when the addresses are of three domains: a list may have many
 *   addresses in a row that do not exist any more.
 * - Ten at connect or login pause all sending.
 * - Ten of them from at least three established accounts cast doubt on all sending, unless they are refusals of recipients of one
 *   domain. Then the senders that were refused are paused, and one email of another established account is tried at a time, first those
 *   whose last email was accepted. When one is accepted, all others go on; all sending is paused when the trials of three accounts were
 *   refused. Where none says more within 20 seconds, all go on but the senders that were refused.
 *
 * Anybody can have accounts, and addresses that refuse what they are sent, so of other accounts only what is said at connect or login
 * counts for all sending.
 *
 * After the pause of a domain one of its emails at a time is tried, urgent ones first, until one is accepted. A handful of the
 * others ask again in each ten seconds, the rest within five minutes, so that a long trial does not wake them all. One more equal
 * refusal begins the next pause. The first one lasts five minutes and each next one twice as long, up to an hour. A refused trial
 * is final for its email: otherwise the oldest one, to an address that does not exist perhaps, would be tried after each pause and
 * hold up all others. So a server that refuses everything costs four emails in the first hour, and one in each that follows.
 *
 * After a pause of all sending, which lasts five minutes, one email of all projects is tried at a time, until one is accepted.
 * Accounts take turns: first established ones, and of them those whose last email was accepted, last those whose last one was refused,
 * and the urgent ones first among them. A refused trial is final for its email, and its account waits as after the pause of a domain;
 * all sending is paused again when the trials of three established accounts were refused, or one at connect or login. So a server that refuses everybody costs three
 * emails per pause at most, and accounts whose emails nobody wants do not hold up the others. When one is accepted, it was not the
 * server: for an hour, refusals of the accounts that had led to the pause do not count for all sending.
 *
 * Temporary failures, and messages that are too large, do not count.
 */
export interface Breaker {
  /** Records an ending. False: the email is to stay queued, although it was refused, because sending is paused. */
  record(ending: Ending): boolean
  /** Asks to send one email of a domain; without a pause, and before one, all may be sent at the same time. */
  admit(sender: OwnedSender & { urgent: boolean; now: Date }): Admission
  /** Until when nothing is sent from a domain; null when it may send. */
  pausedUntil(sender: Sender & { now: Date }): Wait | null
  /** How many sender domains are paused, and whether all sending is. */
  paused(now: Date): { domains: number; transport: boolean }
}

/** Until when an email waits, and for what: a pause of its sender domain, or one of all sending. */
export interface Wait {
  until: Date
  scope: 'domain' | 'transport'
}

/** An email that may be sent. */
export interface Admitted {
  kind: 'go'
  /** Whether it still may: no pause has begun since. Otherwise end it and ask again. */
  holds(now: Date): boolean
  /** Call it when the attempt has ended, whatever became of it; calling it again changes nothing. */
  end(): void
}

/** Whether an email may be sent now. */
export type Admission = ({ kind: 'wait' } & Wait) | Admitted

const blameMs = 60 * 60_000
const maxSenders = 1_000
const maxProjects = 10_000
// How long the others wait for a trial of an established account while there is doubt, and how long for its answer.
const doubtMs = 20_000
const answerMs = 30_000
// An email that was accepted within this time says that its sender may find out whether another is.
const acceptedMs = 10 * 60_000

/**
 * A breaker that has seen nothing yet, with a bounded memory. `onPause` is called once per pause, and `onResume` when all emails of
 * a sender may be sent again after one, or of everybody (null).
 */
export function createBreaker(onPause: (pause: Pause) => void, onResume: (sender: Sender | null) => void): Breaker {
  const senders = new Map<string, Row>()
  let transport: Row | undefined
  let trials = createTrials()
  // How the last email of a project ended; and until when the refusals of an account do not count for all sending.
  const last = recent<string, 'accepted' | 'refused'>({ max: maxProjects })
  const blamedUntil = recent<string, number>({ max: maxProjects })
  let acceptedAt = Number.NEGATIVE_INFINITY

  function begin(row: Row, answer: Answer, now: Date, sender: Pause['sender']): void {
    row.until = now.getTime() + pauseMsAfter(sender ? row.pauses++ : 0)
    onPause({ sender, answer: `${answer.code} ${answer.enhanced ?? ''} ${answer.text}`.replace(/ +/g, ' '), until: new Date(row.until) })
  }

  function countForSender(ending: Ending, answer: Answer): void {
    const key = keyOf(ending)
    const before = triedRow(ending)
    const row = counted(senders.get(key), ending, answer)
    if (before && before !== row) onResume(ending)
    // Last in the map, so that the sender that was refused least recently is forgotten first.
    senders.delete(key)
    senders.set(key, row)
    const [oldest] = senders.keys()
    if (oldest !== undefined && senders.size > maxSenders) senders.delete(oldest)
    const { projectId, domain, now } = ending
    if (isEnough(row, ending) && !isPaused(row, now)) begin(row, answer, now, { projectId, domain })
  }

  function countForTransport(ending: Ending, answer: Answer, isAboutUs: boolean): void {
    if (!isAboutUs && (!ending.established || (blamedUntil.get(ending.account) ?? 0) > ending.now.getTime())) return
    transport = counted(transport, ending, answer)
    if (!isEnough(transport, ending) || isPaused(transport, ending.now)) return
    if (isAboutUs) pauseAll(transport, ending, answer)
    else if (isOfMany(transport, answer)) doubt(transport, ending, answer)
  }

  // Somebody may have chosen the addresses that led to it: so others find out.
  function doubt(row: Row, { now }: Ending, answer: Answer): void {
    for (const [key, sender] of row.senders) {
      const own = senders.get(key)
      if (own && !isPaused(own, now)) begin(own, answer, now, { projectId: sender.projectId, domain: sender.domain })
    }
    row.until = now.getTime()
    row.doubtUntil = now.getTime() + doubtMs
    if (now.getTime() - acceptedAt < acceptedMs)
      trials.expect({ account: '', rank: rankAmong('accepted', { established: true, urgent: false }) }, now.getTime())
  }

  function countTrial(ending: Ending, answer: Answer, isAboutUs: boolean): void {
    transport?.senders.set(keyOf(ending), ending)
    if (transport && transport.doubtUntil > 0) transport.doubtUntil = ending.now.getTime() + doubtMs
    // What is refused at connect or login costs no email: its project need not wait longer than the others.
    const isEnough = isAboutUs || trials.refuse(ending, ending.now.getTime()) >= minAccounts
    if (transport && isEnough) pauseAll(transport, ending, answer)
  }

  function pauseAll(row: Row, { now }: Ending, answer: Answer): void {
    trials.pause()
    row.doubtUntil = 0
    begin(row, answer, now, null)
  }

  // After a pause of all sending, and before an email was accepted.
  function isTried(now: Date): boolean {
    if (transport && transport.doubtUntil > 0 && transport.doubtUntil <= now.getTime()) resume(now)
    return transport !== undefined && transport.until > 0 && !isPaused(transport, now)
  }

  function accept(ending: Ending): void {
    if (triedRow(ending)) onResume(ending)
    senders.delete(keyOf(ending))
    last.set(ending.projectId, 'accepted')
    acceptedAt = ending.now.getTime()
    resume(ending.now)
  }

  // It was not the server, as far as anybody knows.
  function resume(now: Date): void {
    if (!transport) return
    if (transport.until > 0) {
      onResume(null)
      for (const { projectId, account } of transport.senders.values())
        if (last.get(projectId) === 'refused') blamedUntil.set(account, now.getTime() + blameMs)
    }
    trials = createTrials()
    transport = undefined
  }

  function pausedUntil({ projectId, domain, now }: Sender & { now: Date }): Wait | null {
    const ofAll = transport?.until ?? 0
    const ofDomain = senders.get(keyOf({ projectId, domain }))?.until ?? 0
    if (Math.max(ofAll, ofDomain) <= now.getTime()) return null
    return ofDomain > ofAll ? { until: new Date(ofDomain), scope: 'domain' } : { until: new Date(ofAll), scope: 'transport' }
  }

  function rankOf(sender: OwnedSender & { urgent: boolean }): number {
    return rankAmong(last.get(sender.projectId), sender)
  }

  // Nobody else's email may be tried meanwhile, and one that is not urgent waits for those that are.
  function waitForTrial(sender: OwnedSender & { urgent: boolean; now: Date }, row: Row | null): Wait | null {
    const now = sender.now.getTime()
    if (row && (row.trying || (!sender.urgent && row.urgentUntil > now))) {
      if (sender.urgent) row.urgentUntil = now + 2 * trialMs
      const next = sender.urgent ? row.returns.urgent : row.returns.others
      return { until: new Date(next(now)), scope: 'domain' }
    }
    if (!isTried(sender.now)) return null
    const { account, established, urgent } = sender
    if (transport && transport.doubtUntil > 0 && !established)
      return { until: new Date((urgent ? transport.returns.urgent : transport.returns.others)(now)), scope: 'transport' }
    const until = trials.waitOf({ account, rank: rankOf(sender) }, now)
    return until === null ? null : { until: new Date(until), scope: 'transport' }
  }

  function expect(sender: OwnedSender & { urgent: boolean }, { until, scope }: Wait, row: Row | null): void {
    const { account, urgent } = sender
    if (scope === 'transport') trials.expect({ account, rank: rankOf(sender) }, until.getTime())
    else if (row && urgent) row.urgentUntil = until.getTime() + trialMs
  }

  function beginTrial({ account, now }: OwnedSender & { now: Date }): () => void {
    if (transport && transport.doubtUntil > 0) transport.doubtUntil = now.getTime() + answerMs
    return trials.begin(account)
  }

  // The equal refusals of a sender of which one email at a time is tried.
  function triedRow(sender: Sender): Row | null {
    const row = senders.get(keyOf(sender))
    return row && row.until > 0 ? row : null
  }

  function admit(sender: OwnedSender & { urgent: boolean; now: Date }): Admission {
    const row = triedRow(sender)
    const paused = pausedUntil(sender)
    if (paused) expect(sender, paused, row)
    const wait = paused ?? waitForTrial(sender, row)
    if (wait) return { kind: 'wait', ...wait }
    const endTrial = isTried(sender.now) ? beginTrial(sender) : undefined
    if (row) row.trying = true
    let ended = false
    return {
      kind: 'go',
      holds(now) {
        const current = triedRow(sender)
        return !pausedUntil({ ...sender, now }) && (endTrial !== undefined || !isTried(now)) && (current === null || current === row)
      },
      end() {
        if (ended) return
        ended = true
        endTrial?.()
        if (row) row.trying = false
      },
    }
  }

  return {
    admit,
    record(ending) {
      const { handover, now } = ending
      if (handover.kind === 'accepted') {
        accept(ending)
        return true
      }
      const { answer } = handover
      // Of those that were under way when doubt began, nothing is learnt.
      const wasTried = isTried(now) && trials.isTrying(ending.account)
      const wasTriedOfOwn = senders.get(keyOf(ending))?.trying === true
      const countForAll = wasTried ? countTrial : isTried(now) ? nothing : countForTransport
      if (answer && isRefusalOfUs(handover, answer)) countForAll(ending, answer, true)
      if (handover.kind === 'deferred') return true
      if (answer && meaningOf(answer, 1) !== 'too-large') {
        countForSender(ending, answer)
        // Whether an address exists says nothing about us: otherwise one customer's list could pause everybody.
        if (!isAboutAddress(handover)) {
          last.set(ending.projectId, 'refused')
          countForAll(ending, answer, false)
        }
      }
      return wasTried || wasTriedOfOwn || pausedUntil(ending) === null
    },
    pausedUntil,
    paused: (now) => ({
      domains: [...senders.values()].filter((row) => isPaused(row, now)).length,
      transport: transport !== undefined && isPaused(transport, now),
    }),
  }
}

function nothing(): void {}
