import { TemplateFailure } from '../../../kit/liquid.ts'
import type { Handover } from '../../../kit/mailer.ts'
import { isDatabaseAway } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { findSuppressed } from '../../suppressions/suppressions.ts'
import { recordBounce } from '../feedback/bounce.ts'
import { composeMail, recipientsOf } from '../message/compose.ts'
import type { Content } from '../message/content.ts'
import { trackMail } from '../message/links.ts'
import { type Message, renderMail } from '../message/render.ts'
import { signMail } from '../message/sign.ts'
import { claimEmail, type EmailKey, holds, type Mail, releaseMail } from './claim.ts'
import { loadContent } from './contents.ts'
import { type Ending, settleEmail } from './settle.ts'
import { signingKeyOf } from './signing-keys.ts'
import { reserveSlot } from './throttle.ts'
import { transportOf } from './transport.ts'

/** Delivers one new mail, unless another worker has it. */
export async function deliverEmail(world: World, key: EmailKey): Promise<void> {
  const mail = await claimEmail(world, key)
  if (mail) await deliverMail(world, mail)
}

/**
 * Delivers a mail this process holds: claim → admit → throttle → render → track → compose → sign → send → settle. Every
 * ending is recorded with its reason; a mail whose claim was lost is left to its new holder, unrecorded. A crash anywhere
 * leaves a lapsed claim, and the mail is attempted again with the same Message-ID.
 */
export async function deliverMail(world: World, mail: Mail): Promise<void> {
  let content: Content | null = null
  try {
    content = await loadContent(world, mail)
    const ending = await attempt(world, mail, content)
    if (ending?.kind === 'BOUNCED') await recordBounce(world, mail, ending.reason)
    if (ending) await settleEmail(world, mail, content, ending)
  } catch (error) {
    await settleEmail(world, mail, content, stoppedBy(world, mail, error))
  } finally {
    releaseMail(world, mail)
  }
}

function stoppedBy(world: World, mail: Mail, error: unknown): Ending {
  const now = world.clock.now()
  const away = isDatabaseAway(error)
  if (!away) world.log.error({ err: error, email: mail.id }, 'emails: an attempt failed unexpectedly')
  const why = away ? 'The database was away during this attempt.' : 'An internal error stopped this attempt.'
  const ending = retryOrFail(mail, why, now)
  // Settling waits until Postgres is back, and then nothing is wrong: the mail need not wait any longer.
  return away && ending.kind === 'retry' ? { ...ending, at: now } : ending
}

async function attempt(world: World, mail: Mail, content: Content): Promise<Ending | null> {
  const withheld = admit(mail, content)
  if (withheld) return withheld
  const later = await reserveSlot(world, mail)
  if (later) return { kind: 'postponed', at: later }
  const rendered = render(world, mail, content)
  if ('kind' in rendered) return rendered
  const message = trackMail(world, mail, content, rendered)
  const raw = await write(world, mail, content, message)
  const to = await addresseesOf(world, mail, content)
  if (!holds(world, mail)) return null
  const handover = await transportOf(world).send({
    from: content.fromAddress,
    to,
    raw,
    projectId: mail.projectId,
    emailId: mail.id,
    subject: message.subject,
  })
  return endingOf(mail, message, handover, world.clock.now())
}

/** Whether a mail may leave at all; otherwise how it ends, with the reason. */
export function admit(mail: Mail, content: Pick<Content, 'fromAddress'>): Ending | null {
  if (mail.contactDeleted) return { kind: 'CANCELLED', reason: 'The contact was deleted before the mail left.' }
  // An earlier attempt has arrived although its answer was lost.
  if (mail.arrived) return { kind: 'SENT' }
  if (mail.disabled) return { kind: 'FAILED', reason: 'The project is disabled.' }
  if (!mail.domainVerified) return { kind: 'FAILED', reason: `The sender domain of ${content.fromAddress} is not verified any more.` }
  if (mail.suppressed) return { kind: 'SUPPRESSED', reason: suppressedBy[mail.suppressed] }
  if (mail.optedOut) return { kind: 'SUPPRESSED', reason: 'The contact has unsubscribed from marketing emails.' }
  return null
}

const suppressedBy = {
  BOUNCE: 'The address is on the suppression list: an earlier mail to it bounced.',
  COMPLAINT: 'The address is on the suppression list: its owner reported an earlier mail as spam.',
}

function render(world: World, mail: Mail, content: Content): Message | Ending {
  try {
    return renderMail(world, mail, content)
  } catch (error) {
    if (error instanceof TemplateFailure) return { kind: 'FAILED', reason: error.message }
    throw error
  }
}

async function write(world: World, mail: Mail, content: Content, message: Message): Promise<Buffer> {
  const raw = composeMail({ mail, content, message })
  if (!transportOf(world).signs) return raw
  const key = await signingKeyOf(world, mail)
  return key ? signMail(raw, key, mail.createdAt) : raw
}

// A copy to a suppressed address is left out; the mail itself is not withheld for it.
async function addresseesOf(world: World, mail: Mail, content: Content): Promise<string[]> {
  const [recipient = mail.toAddress, ...copies] = recipientsOf(mail, content)
  if (copies.length === 0) return [recipient]
  const suppressed = await findSuppressed({ db: world.db, projectId: mail.projectId }, copies)
  return [recipient, ...copies.filter((copy) => !suppressed.has(copy))]
}

function endingOf(mail: Mail, { subject }: Message, handover: Handover, now: Date): Ending {
  if (handover.kind === 'accepted') return { kind: 'SENT', subject }
  if (handover.kind === 'deferred') return retryOrFail(mail, handover.response, now)
  return { kind: handover.recipient ? 'BOUNCED' : 'FAILED', reason: handover.response, subject }
}

const minute = 60_000
const waits = [0.5 * minute, 2 * minute, 10 * minute, 30 * minute, 60 * minute, 120 * minute]
const triedForMs = 24 * 60 * minute

/** The next attempt after a temporary failure: later and later, for 24 hours from acceptance (decisions.md 7). */
export function retryOrFail(mail: Pick<Mail, 'attempts' | 'createdAt'>, reason: string, now: Date): Ending {
  const wait = waits[Math.min(mail.attempts, waits.length) - 1] ?? minute
  const at = new Date(now.getTime() + wait)
  if (at.getTime() - mail.createdAt.getTime() <= triedForMs) return { kind: 'retry', reason, at }
  return { kind: 'FAILED', reason: `Given up after 24 hours and ${mail.attempts} attempts: ${reason}` }
}
