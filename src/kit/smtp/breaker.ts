import type { Handover } from '../mailer.ts'
import { type Answer, kindOf, meaningOf } from './refusals.ts'

/** How an attempt to hand an email over ended: whose it was, the domain of its sender, and its recipient. */
export interface Ending {
  projectId: string
  domain: string
  address: string
  handover: Handover
  now: Date
}

/** A pause that begins, with the answer that was given again and again. It lasts five minutes. */
export interface Pause {
  /** Null: nothing is sent at all. */
  sender: { projectId: string; domain: string } | null
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
 * - Ten of them from at least three projects, or ten at connect or login, pause all sending.
 *
 * After a pause one email at a time is tried, until one is accepted; one more equal refusal begins the next pause. Temporary
 * failures, and messages that are too large, do not count.
 */
export interface Breaker {
  /** Records an ending. False: the email is to stay queued, although it was refused, because sending is paused. */
  record(ending: Ending): boolean
  /** Asks to send one email of a domain; without a pause, and before one, all may be sent at the same time. */
  admit(sender: { projectId: string; domain: string; now: Date }): Admission
  /** Until when nothing is sent from a domain; null when it may send. */
  pausedUntil(sender: { projectId: string; domain: string; now: Date }): Date | null
  /** How many sender domains are paused, and whether all sending is. */
  paused(now: Date): { domains: number; transport: boolean }
}

/** Whether an email may be sent now. `end` is called when its attempt has ended, whatever became of it. */
export type Admission = { kind: 'wait'; until: Date } | { kind: 'go'; end(): void }

const minRefusals = 10
const minProjects = 3
const minRecipientDomains = 3
const pauseMs = 5 * 60_000
// How long the others wait while the first email after a pause is tried.
const trialMs = 10_000
const maxSenders = 1_000

/** Equal refusals in a row. */
interface Row {
  kind: string
  addresses: Set<string>
  /** The domains of the addresses. */
  domains: Set<string>
  projects: Set<string>
  /** End of the pause it has led to, in milliseconds; 0 before. */
  until: number
  /** Whether an email is being tried after the pause. */
  trying: boolean
}

/** A breaker that has seen nothing yet, with a bounded memory; `onPause` is called once per pause. */
export function createBreaker(onPause: (pause: Pause) => void): Breaker {
  const senders = new Map<string, Row>()
  let transport: Row | undefined

  function begin(row: Row, answer: Answer, now: Date, sender: Pause['sender']): void {
    row.until = now.getTime() + pauseMs
    onPause({ sender, answer: `${answer.code} ${answer.enhanced ?? ''} ${answer.text}`.replace(/ +/g, ' '), until: new Date(row.until) })
  }

  function countForSender(ending: Ending, answer: Answer): void {
    const key = keyOf(ending)
    const row = counted(senders.get(key), ending, answer)
    // Last in the map, so that the sender that was refused least recently is forgotten first.
    senders.delete(key)
    senders.set(key, row)
    const [oldest] = senders.keys()
    if (oldest !== undefined && senders.size > maxSenders) senders.delete(oldest)
    const { projectId, domain, now } = ending
    if (isEnough(row, ending) && !isPaused(row, now)) begin(row, answer, now, { projectId, domain })
  }

  function countForTransport(ending: Ending, answer: Answer, projects: number): void {
    transport = counted(transport, ending, answer)
    const enough = isEnough(transport, ending) && transport.projects.size >= projects
    if (enough && !isPaused(transport, ending.now)) begin(transport, answer, ending.now, null)
  }

  function pausedUntil({ projectId, domain, now }: { projectId: string; domain: string; now: Date }): Date | null {
    const until = Math.max(transport?.until ?? 0, senders.get(keyOf({ projectId, domain }))?.until ?? 0)
    return until > now.getTime() ? new Date(until) : null
  }

  function admit(sender: { projectId: string; domain: string; now: Date }): Admission {
    const until = pausedUntil(sender)
    if (until) return { kind: 'wait', until }
    const rows = [transport, senders.get(keyOf(sender))].filter((row) => row !== undefined && row.until > 0)
    if (rows.some((row) => row?.trying)) return { kind: 'wait', until: new Date(sender.now.getTime() + trialMs) }
    const setTrying = (trying: boolean): void => {
      for (const row of rows) if (row) row.trying = trying
    }
    setTrying(true)
    return { kind: 'go', end: () => setTrying(false) }
  }

  return {
    admit,
    record(ending) {
      const { handover } = ending
      if (handover.kind === 'accepted') {
        senders.delete(keyOf(ending))
        transport = undefined
        return true
      }
      const { answer } = handover
      if (answer && isRefusalOfUs(handover, answer)) countForTransport(ending, answer, 1)
      if (handover.kind === 'deferred') return true
      if (answer && meaningOf(answer, 1) !== 'too-large') {
        countForSender(ending, answer)
        // Whether an address exists says nothing about us: otherwise one customer's list could pause everybody.
        if (!isAboutAddress(handover)) countForTransport(ending, answer, minProjects)
      }
      return pausedUntil(ending) === null
    },
    pausedUntil,
    paused: (now) => ({
      domains: [...senders.values()].filter((row) => isPaused(row, now)).length,
      transport: transport !== undefined && isPaused(transport, now),
    }),
  }
}

function isAboutAddress(handover: Handover): boolean {
  return handover.kind === 'refused' && handover.recipient
}

function isEnough({ addresses, domains }: Row, { handover }: Ending): boolean {
  return addresses.size >= minRefusals && (!isAboutAddress(handover) || domains.size >= minRecipientDomains)
}

function isPaused(row: Row, now: Date): boolean {
  return row.until > now.getTime()
}

// The server does not want us at all: it said so when we connected or logged in, or it wants a login first.
function isRefusalOfUs(handover: Handover, { code }: Answer): boolean {
  return handover.kind === 'deferred' && handover.problem !== undefined && code >= 500
}

// A refusal that differs begins a new row, except in a pause, in which only emails that were under way are refused.
function counted(row: Row | undefined, { projectId, address, now }: Ending, answer: Answer): Row {
  const kind = kindOf(answer)
  if (row && row.kind !== kind && isPaused(row, now)) return row
  const current =
    row?.kind === kind
      ? row
      : { kind, addresses: new Set<string>(), domains: new Set<string>(), projects: new Set<string>(), until: 0, trying: false }
  if (current.addresses.size < minRefusals) current.addresses.add(address)
  if (current.domains.size < minRecipientDomains) current.domains.add(address.slice(address.lastIndexOf('@') + 1))
  if (current.projects.size < minProjects) current.projects.add(projectId)
  return current
}

function keyOf({ projectId, domain }: { projectId: string; domain: string }): string {
  return `${projectId}/${domain}`
}
