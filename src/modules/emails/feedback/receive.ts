import { readCertificate } from '../../../kit/smtp/certificate.ts'
import { type ReceivedMessage, type Receiver, receiveMail } from '../../../kit/smtp/receiver.ts'
import { isMailboxError, meaningOf, sentenceOf } from '../../../kit/smtp/refusals.ts'
import { createTurns } from '../../../kit/turns.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { maxReadBytes, parseReports } from '../parsing/parse.ts'
import type { Reported } from '../parsing/reports.ts'
import type { EmailName } from './names.ts'
import { type FeedbackResult, findReported, isNamed, recordBounce, recordComplaint, recordDelivered, recordFailure } from './record.ts'
import { addressOfRemoved, findRemoved } from './removed.ts'
import { readReturnPath } from './return-path.ts'
import type { FeedbackEmail } from './sql.ts'

const maxBytes = 1_048_576
const maxConnections = 500
const maxPerAddress = 5
const unprovenMs = 30_000
const sessionMs = 300_000

/**
 * Receives bounces and reports of abuse at BOUNCE_PORT until the world closes; null where it is not set. Mail is accepted for
 * return paths of this installation only, and of at most 1 MB.
 */
export async function startReturnPath(world: World): Promise<Receiver | null> {
  const { BOUNCE_PORT: port, HOST: host, RETURN_PATH_HOST: name = 'localhost' } = world.config
  if (port === undefined) return null
  const receiver = await receiveMail({
    host,
    port,
    name,
    maxBytes,
    keptBytes: maxReadBytes,
    maxConnections,
    unprovenMs,
    sessionMs,
    tls: await readCertificate(world.config),
    maxPerAddress,
    accepts: (address) => readReturnPath(world, address) !== null,
    receive: (message) => receiveReturned(world, message),
    report: (err) => world.log.warn({ err }, 'emails: what came back could not be recorded now; its sender is asked to send it again'),
  })
  world.atClose(receiver.close)
  const timer = setInterval(() => void renewCertificate(world, receiver), hourMs).unref()
  world.closing.addEventListener('abort', () => clearInterval(timer))
  return receiver
}

const hourMs = 3_600_000

/** Reads the certificate again, which is replaced every few weeks; one that cannot be used is reported, and the one before stays. */
export async function renewCertificate({ config, log }: Pick<World, 'config' | 'log'>, receiver: Pick<Receiver, 'renew'>): Promise<void> {
  try {
    const tls = await readCertificate(config)
    if (tls) receiver.renew(tls)
  } catch (err) {
    log.warn({ err }, 'emails: the certificate of the port for bounces cannot be renewed: the one that was read before stays in use')
  }
}

/**
 * Records what a message to return paths reports about their emails, of each email every kind of report once; of an email with copies it
 * suppresses and unsubscribes nobody. Any other message changes nothing. Networks take turns, and nothing more is recorded for a sender
 * that has left: it was not answered, and sends the message again. Rejects then, with TurnMissed or the reason of `ended`.
 */
export async function receiveReturned(world: World, { to, ...message }: ReceivedMessage): Promise<void> {
  const reports = await parseReports(world, message)
  if (reports.every(saysNothing)) return world.metrics.feedback.inc({ kind: 'other', result: 'unknown' })
  const names = new Map(to.flatMap((address) => readReturnPath(world, address) ?? []).map((name) => [name.emailId, name]))
  const { sender, ended } = message
  await turnsOf(world).run(sender, () => recordAll(world, { names: [...names.values()], reports, ended }), { ended })
}

const saysNothing = (report: Reported): report is Reported & { kind: 'pending' | 'unread' } =>
  report.kind === 'pending' || report.kind === 'unread'

// Anyone with an email of ours may send reports about it without end: what they write leaves room for everybody else's.
const turnsOf = perWorld(() => createTurns({ max: 3, maxPerOwner: 1 }))

type Kind = 'delivered' | 'complaint' | 'pending' | 'unread' | 'bounce' | 'failure' | 'mailbox'

/** What is to be recorded: of these emails these reports. */
interface Recording {
  names: EmailName[]
  reports: Reported[]
  ended?: AbortSignal | undefined
}

async function recordAll(world: World, { names, reports, ended }: Recording): Promise<void> {
  for (const name of names) {
    ended?.throwIfAborted()
    const email = await findReported(world, name)
    const named = email ? (addresses: string[]) => isNamed(email, addresses) : await namedOfRemoved(world, name)
    for (const ofKind of Map.groupBy(named ? countedFor(named, reports) : reports, kindOf).values()) {
      ended?.throwIfAborted()
      const report = (named && ofKind.find((one) => named(addressesOf(one)))) ?? ofKind[0]
      if (report) await record(world, email ?? name, report)
    }
  }
}

/** Whether the recipient of an email is one of some addresses. */
type Named = (addresses: string[]) => boolean

async function namedOfRemoved(world: World, name: EmailName): Promise<Named | null> {
  const removed = await findRemoved(world, name)
  return removed && ((addresses) => addressOfRemoved(world, removed, addresses) !== undefined)
}

const addressesOf = ({ recipients, originals }: Reported): string[] => [...recipients, ...originals]

// An alias may lead to several mailboxes, of which one does not exist: what names the recipient of the email says what became of it. Where
// only mailboxes are named to which it was led on, it has not failed while one of them has it, or may get it; nor as long as not all of
// them are known.
function countedFor(named: Named, reports: Reported[]): Reported[] {
  const naming = reports.filter(({ recipients }) => named(recipients))
  if (naming.length > 0) return naming
  if (reports.some(({ kind }) => kind === 'unread')) return []
  const ledTo = reports.filter(({ originals }) => named(originals))
  const others = ledTo.length > 0 ? ledTo : reports
  const arriving = others.filter(({ kind }) => kind === 'delivered' || kind === 'pending')
  return arriving.length > 0 ? arriving : others
}

function kindOf(report: Reported): Kind {
  if (report.kind !== 'failed') return report.kind
  if (meaningOf(report.answer, 1) === 'unknown-address') return 'bounce'
  return isMailboxError(report.answer, 1) ? 'mailbox' : 'failure'
}

async function record(world: World, email: FeedbackEmail | EmailName, report: Reported): Promise<FeedbackResult> {
  if (saysNothing(report)) return 'unchanged'
  const feedback = { email, at: world.clock.now(), recipients: addressesOf(report), unproven: true }
  if (report.kind === 'delivered') return recordDelivered(world, feedback)
  if (report.kind === 'complaint') return recordComplaint(world, feedback)
  const { answer } = report
  const reason = answer.text === '' ? `It came back as undeliverable (${answer.enhanced ?? 'no reason given'}).` : sentenceOf(answer)
  const kind = kindOf(report)
  if (kind === 'bounce') return recordBounce(world, { ...feedback, reason })
  return recordFailure(world, { ...feedback, reason, mailbox: kind === 'mailbox' })
}
