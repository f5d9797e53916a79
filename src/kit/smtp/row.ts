import { domainOf } from '../address.ts'
import type { Handover } from '../mailer.ts'
import { type Answer, kindOf } from './refusals.ts'
import { createReturns } from './trials.ts'

/** Equal refusals in a row. */
export interface Row {
  kind: string
  addresses: Set<string>
  /** The domains of the addresses. */
  domains: Set<string>
  /** Whose they were, by project and domain, and how many accounts have them. */
  senders: Map<string, OwnedSender>
  accounts: Set<string>
  /** How many pauses it has led to, and the end of the last one in milliseconds; 0 before. */
  pauses: number
  until: number
  /** While there is doubt about all sending: when it ends without a trial that says more, in milliseconds; 0 otherwise. */
  doubtUntil: number
  /** Whether an email of the sender is being tried after its pause, and until when an urgent one is expected. */
  trying: boolean
  urgentUntil: number
  /** When those that wait for the trial ask again: the urgent ones, and the others. */
  returns: { urgent: (now: number) => number; others: (now: number) => number }
}

/** Whose email is to be sent: a domain of a project. */
export interface Sender {
  projectId: string
  domain: string
}

/** A sender, and the account that owns its project. */
export interface OwnedSender extends Sender {
  account: string
  /** Whether emails of it were accepted at least a day ago: anybody can make accounts, but not the past. */
  established: boolean
}

/** A refused email: whose it was, its recipient, and the refusal. */
interface Refused extends OwnedSender {
  address: string
  handover: Handover
  now: Date
}

const minRefusals = 10
const minRecipientDomains = 3
/** How many accounts it takes to pause all sending, unless nobody can connect. */
export const minAccounts = 3
const maxSenders = 10_000
const maxAccounts = 100

/** Whether a refusal says that there is no such address. */
export function isAboutAddress(handover: Handover): boolean {
  return handover.kind === 'refused' && handover.recipient
}

/** Whether the server does not want us at all: it said so when we connected or logged in, or it wants a login first. */
export function isRefusalOfUs(handover: Handover, { code }: Answer): boolean {
  return handover.kind === 'deferred' && handover.problem !== undefined && code >= 500
}

/** Whether a row leads to a pause. */
export function isEnough({ addresses, domains }: Row, { handover }: Pick<Refused, 'handover'>): boolean {
  return addresses.size >= minRefusals && (!isAboutAddress(handover) || domains.size >= minRecipientDomains)
}

/**
 * Whether a row says something about the server as a whole, and not about those who were refused: it is of several accounts, and where
 * recipients were refused, not all of them are of one domain, which somebody may have chosen.
 */
export function isOfMany({ accounts, domains }: Row, { phase }: Answer): boolean {
  return accounts.size >= minAccounts && (phase !== 'rcpt' || domains.size > 1)
}

/** Whether the pause that a row has led to goes on. */
export function isPaused(row: Row, now: Date): boolean {
  return row.until > now.getTime()
}

/** The row with one more refusal. One that differs begins a new row, except in a pause, in which only emails that were under way are refused. */
export function counted(row: Row | undefined, { projectId, domain, account, established, address, now }: Refused, answer: Answer): Row {
  const kind = kindOf(answer)
  if (row && row.kind !== kind && isPaused(row, now)) return row
  const current =
    row?.kind === kind
      ? row
      : {
          kind,
          addresses: new Set<string>(),
          domains: new Set<string>(),
          senders: new Map<string, OwnedSender>(),
          accounts: new Set<string>(),
          pauses: 0,
          until: 0,
          doubtUntil: 0,
          trying: false,
          urgentUntil: 0,
          returns: { urgent: createReturns(), others: createReturns() },
        }
  if (current.addresses.size < minRefusals) current.addresses.add(address)
  if (current.domains.size < minRecipientDomains) current.domains.add(domainOf(address))
  if (current.senders.size < maxSenders) current.senders.set(keyOf({ projectId, domain }), { projectId, domain, account, established })
  if (current.accounts.size < maxAccounts) current.accounts.add(account)
  return current
}

/** A sender as a key. */
export function keyOf({ projectId, domain }: Sender): string {
  return `${projectId}/${domain}`
}
