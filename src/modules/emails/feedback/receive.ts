import { readCertificate } from '../../../kit/smtp/certificate.ts'
import { type ReceivedMessage, type Receiver, receiveMail } from '../../../kit/smtp/receiver.ts'
import { isMailboxError, meaningOf, sentenceOf } from '../../../kit/smtp/refusals.ts'
import type { World } from '../../../kit/world.ts'
import { parseReports } from '../parsing/parse.ts'
import type { Reported } from '../parsing/reports.ts'
import { type EmailName, type FeedbackResult, recordBounce, recordComplaint, recordDelivered, recordFailure } from './record.ts'
import { readReturnPath } from './return-path.ts'

const maxBytes = 1_048_576
const maxConnections = 50
const maxPerAddress = 5

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
    maxConnections,
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

/** Records what a message to return paths reports about their emails. Any other message changes nothing. */
export async function receiveReturned(world: World, { to, ...message }: ReceivedMessage): Promise<void> {
  const reports = await parseReports(world, message)
  if (reports.length === 0) world.metrics.feedback.inc({ kind: 'other', result: 'unknown' })
  for (const address of to) {
    const email = readReturnPath(world, address)
    if (email) for (const report of reports) await record(world, email, report)
  }
}

async function record(world: World, email: EmailName, report: Reported): Promise<FeedbackResult> {
  const feedback = { email, at: world.clock.now(), recipients: report.recipients }
  if (report.kind === 'delivered') return recordDelivered(world, feedback)
  if (report.kind === 'complaint') return recordComplaint(world, feedback)
  const { answer } = report
  const reason = answer.text === '' ? `It came back as undeliverable (${answer.enhanced ?? 'no reason given'}).` : sentenceOf(answer)
  if (meaningOf(answer, 1) === 'unknown-address') return recordBounce(world, { ...feedback, reason })
  return recordFailure(world, { ...feedback, reason, mailbox: isMailboxError(answer, 1) })
}
