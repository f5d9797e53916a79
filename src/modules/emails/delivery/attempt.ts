import { isDeepStrictEqual } from 'node:util'
import { asciiAddress } from '../../../kit/address.ts'
import type { Handover } from '../../../kit/mailer.ts'
import { isDatabaseUnavailable, isDatabaseUnreachable } from '../../../kit/postgres/db.ts'
import type { Admitted, OwnedSender } from '../../../kit/smtp/breaker.ts'
import type { Gate, SmtpMessage } from '../../../kit/smtp/message.ts'
import { OwnerSlow } from '../../../kit/smtp/pool/pool.ts'
import type { World } from '../../../kit/world.ts'
import { isOptedOutAddress } from '../../suppressions/opt-outs.ts'
import { envelopeSenderOf } from '../feedback/return-path.ts'
import type { Content } from '../message/content.ts'
import type { RenderTask } from '../message/thread.ts'
import { type ClaimedEmail, confirmClaim, holdsClaim, isFresh, refreshDecisions, releaseClaim, returnToken } from '../queue/claim.ts'
import { requireShare, returnShare, takeShare } from '../warm-up/shares.ts'
import { connect, connectSlow, reconnect } from './connect.ts'
import { loadContactData, loadContent, signingKeyOf } from './contents.ts'
import { chooseRecipients, decide } from './decisions.ts'
import { reserveMemory } from './memory.ts'
import { copyWithheld, endOf, endOfCopies, mayHaveArrived, type Outcome, outcomeOfHandover, retryOrFail, unseen } from './outcomes.ts'
import { admitEmail, recordHandover } from './pauses.ts'
import { awaitRenderer, renderEmail, whyGivenUp } from './renderers.ts'
import { settleEmail, suppressBounced, suppressUnknown } from './settle.ts'
import type { MailConnection } from './transport.ts'

/**
 * Attempts to deliver a claimed email and records the outcome with its reason. Nothing is recorded when the claim was
 * lost: the email belongs to another worker then. After a crash the claim expires, and the email is attempted again with
 * the same Message-ID. Once a server has accepted it, nothing leads to another attempt.
 *
 * @returns whether it was handed to the mail server: otherwise it has used nothing of the sending rate
 */
export async function deliverClaimed(world: World, email: ClaimedEmail): Promise<boolean> {
  const attempt: Attempt = { world, email, handing: false, handed: false, accepted: false, missed: { stale: 0, unseen: 0 }, releases: [] }
  try {
    const stop = await runAll(attempt).catch((error: unknown) => interrupted(attempt, error))
    giveBack(attempt)
    if (stop.kind === 'lost') return attempt.handed
    const outcome = endOfCopies(email, endOf(email, stop))
    if (outcome.kind === 'BOUNCED') await suppressBounced(world, email, outcome.reason)
    if ('copies' in outcome && outcome.copies) await suppressUnknown(world, email, outcome.copies)
    await settleEmail(world, email, outcome)
    if (!attempt.handed) await returnToken(world, email)
    await returnShare(attempt, outcome)
    return attempt.handed
  } finally {
    releaseClaim(world, email)
  }
}

// Whatever goes wrong here, the outcome has to be recorded.
function giveBack({ world, releases }: Attempt): void {
  for (const release of releases.splice(0)) {
    try {
      release()
    } catch (error) {
      world.log.error({ err: error }, 'emails: an attempt could not give back what it had taken')
    }
  }
}

/** An attempt under way: its input, and what its steps have produced so far. */
interface Attempt {
  world: World
  email: ClaimedEmail
  content?: Content
  contactData?: RenderTask['recipient']['contactData']
  subject?: string
  message?: Pick<SmtpMessage, 'pieces' | 'wireReady'>
  recipients?: string[]
  connection?: MailConnection
  admission?: Admitted
  /** The mail server has accepted the email: nothing may lead to another attempt. */
  accepted: boolean
  /** It is being handed to the mail server, whose answer is not known yet. */
  handing: boolean
  /** The mail server has answered, or may have. */
  handed: boolean
  /** Its gate was closed while it was being handed over. */
  withheld?: boolean
  /** How often it did not leave: because what decides on it was out of date, and because its connection ended before it. */
  missed: { stale: number; unseen: number }
  /** Lets the next email with a slow template be rendered; calling it again changes nothing. */
  leaveRenderer?: () => void
  /** Gives back what it has taken from others: memory, a connection. */
  releases: (() => void)[]
}

/** What ends an attempt. `lost`: another worker has claimed the email, so that nothing is recorded. */
type Stop = Outcome | { kind: 'lost' }

/** One step of an attempt. It returns what ends the attempt, or null to go on with the next step. */
type Step = (attempt: Attempt) => Stop | null | Promise<Stop | null>

/** The steps of an attempt, in order; the first one that returns an outcome ends it. They end with a connection. */
const preparing: Step[] = [
  requireOpenWorld,
  decide,
  requireRenderable,
  requireShare,
  connectSlow,
  waitForRenderer,
  load,
  requireUnpaused,
  requireOpenWorld,
  render,
  connect,
]

/** The steps that lead to an answer of the mail server. When one had to wait they begin again: nothing leaves on what was read before. */
const leaving: Step[] = [requireOpenWorld, requireClaim, refresh, decide, requireUnpaused, takeShare, handOver]

// Whoever waits for a connection has memory. When its account turns out to be slow, an email gives that back and begins again.
async function runAll(attempt: Attempt): Promise<Stop> {
  try {
    return await runSteps(attempt)
  } catch (error) {
    if (!(error instanceof OwnerSlow)) throw error
    giveBack(attempt)
    return runAll(Object.assign(attempt, { connection: undefined, admission: undefined }))
  }
}

async function runSteps(attempt: Attempt): Promise<Stop> {
  const stop = await firstStop(attempt, preparing)
  if (stop) return stop
  const { missed } = attempt
  while (missed.stale < maxMissed && missed.unseen < maxMissed) {
    const end = await firstStop(attempt, leaving)
    if (end) return end
  }
  if (missed.stale < maxMissed) return unseen
  return retryOrFail(attempt.email, 'The database was too slow to tell whether this email may still be sent.')
}

const maxMissed = 5

async function firstStop(attempt: Attempt, steps: Step[]): Promise<Stop | null> {
  for (const step of steps) {
    const stop = await step(attempt)
    if (stop) return stop
  }
  return null
}

// While the process is ending, emails that have not been handed over are left to another one.
function requireOpenWorld({ world }: Attempt): Stop | null {
  return world.closing.aborted ? { kind: 'released' } : null
}

async function load(attempt: Attempt): Promise<null> {
  const { world, email } = attempt
  attempt.content = await loadContent(world, email)
  attempt.contactData = email.contactData ?? (await loadContactData(world, email))
  return null
}

// The mail server has refused one email of this sender after the other. Asked again with a connection: a pause may have begun since.
function requireUnpaused(attempt: Attempt): Stop | null {
  const { world, email } = attempt
  const admission = admitEmail(world, { ...senderOf(attempt), urgent: email.lane === 'transactional' }, attempt.admission)
  if (admission.kind === 'paused') return admission
  attempt.admission = admission
  attempt.releases.push(admission.end)
  return null
}

// Asked again before it is rendered, because it may wait long for its turn.
function requireRenderable({ world, email }: Attempt): Stop | null {
  const reason = whyGivenUp(world, email)
  return reason === null ? null : { kind: 'FAILED', reason }
}

// Memory is taken last, because an email with a slow template may wait long. One whose template turns out to be slow while it
// waits for memory gives it back.
async function waitForRenderer(attempt: Attempt): Promise<null> {
  const { world, email, releases } = attempt
  for (;;) {
    const turn = await awaitRenderer(world, email)
    const releaseMemory = await reserveMemory(world, email)
    if (turn.holds()) {
      attempt.leaveRenderer = turn.leave
      releases.push(turn.leave, releaseMemory)
      return null
    }
    releaseMemory()
    turn.leave()
  }
}

async function render(attempt: Attempt): Promise<Stop | null> {
  const { world, email } = attempt
  const key = await signingKeyOf(world, email)
  const recipient = { ...email, contactData: partOf(attempt, 'contactData') }
  const rendered = await renderEmail(world, recipient, partOf(attempt, 'content'), key)
  attempt.leaveRenderer?.()
  if (rendered.kind === 'dropped') return { kind: 'released' }
  if (rendered.kind === 'failed') return { kind: 'FAILED', reason: rendered.reason }
  attempt.subject = rendered.subject
  attempt.message = { pieces: rendered.pieces, wireReady: rendered.wireReady }
  return null
}

async function requireClaim({ world, email }: Attempt): Promise<Stop | null> {
  if (await confirmClaim(world, email)) return null
  return email.lost ? { kind: 'lost' } : { kind: 'released' }
}

// It may have waited: what happened meanwhile counts. While Postgres is unavailable nothing leaves. All is read at the same time:
// from a slow database, what was read first would be out of date when the last is known.
async function refresh(attempt: Attempt): Promise<Stop | null> {
  const { world, email } = attempt
  const [recipients] = await Promise.all([chooseRecipients(world, email, partOf(attempt, 'content')), refreshDecisions(world, email)])
  attempt.recipients = recipients
  if (email.addressUnowned && !email.optedOut) email.optedOut = await isOptedOutAddress(world, email.projectId, email.toAddress)
  if (email.lost) return { kind: 'lost' }
  return recipients.length > 0 ? null : { kind: 'SUPPRESSED', reason: copyWithheld }
}

async function handOver(attempt: Attempt): Promise<Stop | null> {
  const { world, email } = attempt
  const subject = partOf(attempt, 'subject')
  const connection = partOf(attempt, 'connection')
  const isDue = isFresh(email) && holdsClaim(world, email)
  const handover = isDue ? await send(attempt, connection, subject) : null
  if (!handover) {
    attempt.missed[isDue && !attempt.withheld ? 'unseen' : 'stale']++
    return isDue ? reconnect(attempt, connection) : null
  }
  attempt.accepted = handover.kind === 'accepted'
  const recipients = partOf(attempt, 'recipients')
  const paused = recordHandover(world, { ...senderOf(attempt), address: recipients[0] ?? '', handover })
  if (paused && !handover.copied) return paused
  return outcomeOfHandover({ email, content: partOf(attempt, 'content'), subject, recipients, handover })
}

async function send(attempt: Attempt, connection: MailConnection, subject: string): Promise<Handover | null> {
  const { id: emailId, projectId } = attempt.email
  const from = await envelopeSenderOf(attempt.world, attempt.email, partOf(attempt, 'content').fromAddress)
  const to = partOf(attempt, 'recipients').map(asciiAddress)
  attempt.handing = true
  attempt.handed = true
  attempt.withheld = false
  const message = { from, to, onlyCopies: attempt.email.copies !== null, ...partOf(attempt, 'message'), projectId, emailId, subject }
  const handover = await connection.send(message, gateOf(attempt))
  attempt.handing = false
  attempt.handed = handover !== null
  return handover
}

// The server may have taken its time to ask for the content, or this process was stopped.
function gateOf(attempt: Attempt): Gate {
  const { world, email } = attempt
  const noted = (isOpen: boolean): boolean => {
    attempt.withheld = !isOpen
    return isOpen
  }
  return {
    opens: async (maxAgeMs) => noted(await isStillWanted(attempt, maxAgeMs).catch((error: unknown) => cannotTell(world, error))),
    holds: () => noted(holdsClaim(world, email)),
  }
}

async function isStillWanted(attempt: Attempt, maxAgeMs = slowMs): Promise<boolean> {
  const { email, recipients } = attempt
  if (isFresh(email, maxAgeMs)) return true
  if (await firstStop(attempt, [refresh, decide])) return false
  return isDeepStrictEqual(attempt.recipients, recipients)
}

// A server that is far away takes some hundreds of milliseconds: reading again each time would cost more than it is worth.
const slowMs = 1_000

function cannotTell({ log }: World, error: unknown): boolean {
  log.debug({ err: error }, 'emails: an email was withheld, because what decides on it could not be read')
  return false
}

function senderOf(attempt: Attempt): OwnedSender {
  const { projectId, account, established, fromAddress } = attempt.email
  return { projectId, account, established, domain: fromAddress.replace(/^.*@/, '') }
}

type Part = 'content' | 'contactData' | 'subject' | 'message' | 'recipients' | 'connection'

function partOf<Name extends Part>(attempt: Attempt, part: Name): NonNullable<Attempt[Name]> {
  const value = attempt[part]
  if (value === undefined) throw new Error(`The steps of an attempt are out of order: ${part} does not exist yet`)
  return value
}

function interrupted({ world, email, accepted, handing, subject }: Attempt, error: unknown): Outcome {
  const databaseDown = isDatabaseUnavailable(error)
  if (!databaseDown) world.log.error({ err: error, email: email.id }, 'emails: an attempt failed unexpectedly')
  if (accepted) return { kind: 'SENT', ...(subject !== undefined && { subject }) }
  const reason = databaseDown ? 'The database was unavailable during this attempt.' : 'An internal error stopped this attempt.'
  const outcome = mayHaveArrived(retryOrFail(email, reason), handing)
  // Recording the outcome waits until Postgres can be reached again; from then on there is no reason to wait longer.
  return isDatabaseUnreachable(error) && outcome.kind === 'retry' ? { ...outcome, waitMs: 0 } : outcome
}
