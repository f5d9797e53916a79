import { asciiAddress, domainOf } from '../../../kit/address.ts'
import { type Ctx, ownersOf } from '../../../kit/context.ts'
import { Failure, invalid } from '../../../kit/errors.ts'
import { newId } from '../../../kit/ids.ts'
import { createShare } from '../../../kit/share.ts'
import { perWorld } from '../../../kit/world.ts'
import { findSuppressed } from '../../suppressions/suppressions.ts'
import { signingKeyOf } from '../delivery/contents.ts'
import { awaitRenderer, type LoadedEmail, renderEmail } from '../delivery/renderers.ts'
import { transportOf } from '../delivery/transport.ts'
import type { Content } from '../message/content.ts'
import { blankContent, recipientOf, type TestContent } from './preview.ts'

const header = { 'X-Postwire-Test': 'true' }

/** A test email, and what its sending depends on. */
export interface TestEmail {
  content: TestContent
  to: string
  contactId?: string | undefined
  /** Fails when it may not be sent: called right before it leaves, by when something may have changed. */
  requireAllowed(): Promise<void>
}

/**
 * Sends an email to one address at once, as a test: with `[TEST]` before the subject, without tracking, and rendered for a contact, or
 * else for the one with that address, if there is one. Nothing is stored or counted. Fails with CONTACT_NOT_FOUND, with
 * VALIDATION_ERROR when it cannot be rendered, when the address has bounced or complained before, and when the mail server refuses it,
 * with SERVICE_UNAVAILABLE when the mail server cannot take it at the moment or the turn of its account has not come after a minute, and
 * as `requireAllowed` and `rightsNow` do when it may not be sent any more by then.
 */
export async function sendTestEmail(ctx: Ctx, { content: draft, to, contactId, requireAllowed }: TestEmail): Promise<void> {
  const { world, db, clock, projectId } = ctx
  await requireNotSuppressed(ctx, to)
  const contact = await db.prisma.contact.findFirst({ where: { projectId, email: to, deletedAt: null }, select: { id: true } })
  const domain = domainOf(draft.fromAddress)
  const sender = await db.prisma.domain.findUnique({
    where: { projectId_domain: { projectId, domain } },
    select: { id: true, ownLinks: true },
  })
  const id = newId('email', clock.now())
  const recipient = { ...(await recipientOf(ctx, contactId ?? contact?.id ?? null)), id, toAddress: to }
  const content: Content = {
    ...blankContent,
    ...draft,
    headers: header,
    projectId,
    id: newId('content', clock.now()),
    subject: `[TEST] ${draft.subject}`,
  }
  const key = await signingKeyOf(world, { projectId, domainId: sender?.id ?? null })
  const email = {
    ...recipient,
    account: ctx.account || projectId,
    ...{ contentId: content.id, lane: 'transactional' as const, bodyBytes: content.html.length, hasOwnLinks: sender?.ownLinks ?? false },
  }
  const requireStill = async (): Promise<void> => {
    await ctx.rightsNow?.()
    await requireNotSuppressed(ctx, to)
    await requireAllowed()
  }
  await testsOf(world)(ownersOf(ctx), () => renderAndSend(ctx, { email, content, key, to, requireStill }), { ended: ctx.left?.() })
}

async function requireNotSuppressed(ctx: Ctx, to: string): Promise<void> {
  if ((await findSuppressed(ctx, [to])).size > 0) throw invalid('email', 'is on the suppression list of the project', 'suppressed')
}

interface Prepared {
  email: LoadedEmail
  content: Content
  key: Parameters<typeof renderEmail>[3]
  to: string
  requireStill(): Promise<void>
}

async function renderAndSend(ctx: Ctx, { email, content, key, to, requireStill }: Prepared): Promise<void> {
  const { world, projectId } = ctx
  const turn = await awaitRenderer(world, email)
  const rendered = await renderEmail(world, email, content, key).finally(turn.leave)
  if (rendered.kind === 'dropped') throw unavailable('The server is shutting down.')
  if (rendered.kind === 'failed') throw new Failure('VALIDATION_ERROR', rendered.reason)
  const { subject, pieces, wireReady } = rendered
  const message = { from: content.fromAddress, to: [asciiAddress(to)], pieces, wireReady, projectId, emailId: null, subject }
  await handOver(ctx, message, requireStill)
}

// The threads and connections are those of emails that are sent: a test takes a place in its lane, and an account four at most.
const testsOf = perWorld(() =>
  createShare({ max: 16, maxPerOwner: 4, maxWaitMs, busy: 'Other tests of this account or project are being sent at the moment.' }),
)

const maxWaitMs = 60_000

type Message = Parameters<Awaited<ReturnType<ReturnType<typeof transportOf>['connect']>>['send']>[0]

async function handOver({ world, projectId }: Ctx, message: Message, requireStill: () => Promise<void>): Promise<void> {
  const connection = await transportOf(world).connect('transactional', projectId)
  try {
    await requireStill()
    let handover = await connection.send(message)
    if (!handover) {
      await connection.renew()
      await requireStill()
      handover = await connection.send(message)
    }
    if (handover?.kind === 'accepted') return
    if (handover?.kind === 'refused') throw invalid('email', `was refused by the mail server: ${handover.response}`, 'refused')
    throw unavailable(`The mail server did not take the email: ${handover?.response ?? 'the connection was lost'}`)
  } finally {
    connection.release()
  }
}

function unavailable(sentence: string): Failure {
  return new Failure('SERVICE_UNAVAILABLE', sentence, { suggestion: 'Try again in a moment.', headers: { 'Retry-After': '5' } })
}
