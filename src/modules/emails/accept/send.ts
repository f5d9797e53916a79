import { asciiAddress } from '../../../kit/address.ts'
import { type Ctx, ownersOf } from '../../../kit/context.ts'
import { Failure, invalid } from '../../../kit/errors.ts'
import { maxSesRecipients } from '../../../kit/ses/transport.ts'
import type { Json } from '../../../kit/shapes.ts'
import { chargeOf, requireRoom, withinCaps } from '../../billing/charge.ts'
import { requireLittleData } from '../../contacts/bounds.ts'
import { sortData } from '../../contacts/data.ts'
import { requireSendingDomain } from '../../domains/domains.ts'
import { announceEvents } from '../../events/log.ts'
import { type AnswerKey, once } from '../../idempotency/once.ts'
import { requireLiquid } from '../../templates/check.ts'
import { getTemplate } from '../../templates/templates.ts'
import type { Attachment } from '../message/content.ts'
import { acceptCall, type ContentDraft, type SendCall } from './accept.ts'
import type { SendDraft, SendResult } from './shapes.ts'

const megabyte = 1024 * 1024
const maxMessageBytes = 40 * megabyte
// Bytes of base64 with line breaks per byte of a file (RFC 2045, 6.8).
const base64Growth = 1.37

/**
 * Sends a transactional email to each of 1 to 1,000 recipients, who become contacts if they are not. Everything is checked
 * before anything is written; when it returns, contacts, emails and their job are committed. Fails with
 * DOMAIN_NOT_VERIFIED, TEMPLATE_NOT_FOUND, PAYLOAD_TOO_LARGE (over 40 MB composed), BILLING_LIMIT_EXCEEDED (then none of
 * the emails is sent or counted), VALIDATION_ERROR.
 */
export async function sendEmail(ctx: Ctx, draft: SendDraft): Promise<SendResult> {
  const result = await once<SendResult, StoredAnswer>(
    ctx,
    (key) => accept(ctx, draft, key),
    ({ emails, timestamp }) => answerTo(draft, withAddresses(draft, emails), new Date(timestamp)),
  )
  if (draft.subscribed !== undefined) announceEvents(ctx, ctx.projectId)
  return result
}

function requireFewCopies({ world: { config } }: Ctx, copies: number): void {
  if (config.transport !== 'ses' || copies < maxSesRecipients) return
  const most = `Amazon SES sends an email to ${maxSesRecipients} addresses`
  throw invalid('cc', `and bcc together must be at most ${maxSesRecipients - 1}: ${most}`)
}

async function accept(ctx: Ctx, draft: SendDraft, key: AnswerKey | undefined): Promise<SendResult> {
  const { world, clock, projectId } = ctx
  const content = await contentOf(ctx, draft)
  await requireSendingDomain(ctx, content.from.email)
  const at = clock.now()
  const patch = sortData(draft.data as Record<string, Json> | undefined)
  content.data = patch.scope
  content.dataBytes = patch.bytes
  const distinct = recipientsOf(draft)
  await requireLittleData(ctx, { emails: [...distinct.keys()], patch })
  const copies = copiesOf(draft)
  requireFewCopies(ctx, copies)
  const charge = chargeOf(ctx, { category: 'transactional', count: distinct.size + copies, at })
  const write = {
    projectId,
    patch,
    subscribed: draft.subscribed ?? null,
    subscribedIfNew: false,
    source: 'send',
    keyKind: 'SECRET',
    at,
  } as const
  const call: SendCall = {
    content,
    charge,
    key,
    owners: ownersOf(ctx),
    recipients: [...distinct.values()].map(({ email, name }) => ({ name, write: { ...write, email } })),
  }
  const rows = await withinCaps(world, charge, () => {
    requireRoom(world, charge)
    return acceptCall(world, call)
  })
  const emails = rows.map(({ contactId, email, emailId }) => ({ contact: { id: contactId, email }, email: emailId }))
  return answerTo(draft, emails, at)
}

/** What is stored of an answer: one email per distinct recipient, in their order. */
interface StoredAnswer {
  emails: { contact: { id: string }; email: string }[]
  timestamp: string
}

// The key is bound to the call, so that a repeated one has the same recipients.
function withAddresses(draft: SendDraft, emails: StoredAnswer['emails']): SendResult['emails'] {
  return [...recipientsOf(draft).keys()].flatMap((address, at) => {
    const stored = emails[at]
    return stored ? [{ contact: { id: stored.contact.id, email: address }, email: stored.email }] : []
  })
}

function recipientsOf({ to }: SendDraft): Map<string, SendDraft['to'][number]> {
  return new Map(to.map((address) => [address.email, address]))
}

// Whoever is named again gets nothing more.
function copiesOf({ to, cc = [], bcc = [] }: SendDraft): number {
  const distinct = (named: { email: string }[]): number => new Set(named.map(({ email }) => asciiAddress(email))).size
  return distinct([...to, ...cc, ...bcc]) - distinct(to)
}

// The answer in the order of `to`, in which an address may be repeated, from one email per address.
function answerTo({ to }: SendDraft, emails: SendResult['emails'], timestamp: Date): SendResult {
  const byAddress = new Map(emails.map((one) => [one.contact.email, one]))
  const emailTo = (address: string): SendResult['emails'][number] => {
    const accepted = byAddress.get(address)
    if (!accepted) throw new Error('A recipient of an accepted call has no email')
    return accepted
  }
  return { emails: to.map(({ email }) => emailTo(email)), timestamp }
}

const tooLarge = (): Failure => new Failure('PAYLOAD_TOO_LARGE', 'The composed message would be larger than 40 MB.')

async function contentOf(ctx: Ctx, draft: SendDraft): Promise<ContentDraft> {
  const template = draft.template === undefined ? undefined : await getTemplate(ctx, { id: draft.template })
  const from = draft.from ?? (template && { email: template.from, name: template.fromName })
  if (!from) throw invalid('from', 'is required without a template', 'required')
  // Before it is looked at.
  if (((draft.body?.length ?? 0) + (draft.text?.length ?? 0)) * base64Growth > maxMessageBytes) throw tooLarge()
  await requireLiquid(ctx, draft)
  const subject = draft.subject ?? template?.subject ?? ''
  const html = draft.body ?? template?.body ?? ''
  const previewText = draft.previewText === undefined ? (template?.previewText ?? null) : draft.previewText
  const text = draft.text ?? null
  const attachments = attachmentsOf(ctx, draft)
  const size = (html.length + (text?.length ?? 0) + attachments.reduce((sum, { bytes }) => sum + bytes.length, 0)) * base64Growth
  if (size > maxMessageBytes) throw tooLarge()
  return {
    type: template?.type ?? 'TRANSACTIONAL',
    templateId: template?.id ?? null,
    subject,
    previewText,
    html,
    text,
    from: { email: from.email, name: from.name ?? draft.name ?? null },
    replyTo: draft.reply ?? template?.replyTo ?? null,
    cc: draft.cc ?? [],
    bcc: draft.bcc ?? [],
    headers: draft.headers ?? {},
    data: {},
    dataBytes: 0,
    tags: draft.tags ?? [],
    tracking: draft.tracking ?? null,
    attachments,
  }
}

function attachmentsOf({ config }: Pick<Ctx, 'config'>, { attachments = [] }: SendDraft): Attachment[] {
  const files = attachments.map((file) => ({
    filename: file.filename,
    contentType: file.contentType,
    bytes: Buffer.from(file.content, 'base64'),
    cid: file.contentId ?? null,
    inline: file.disposition === 'inline',
  }))
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (total > config.MAX_ATTACHMENT_SIZE_MB * megabyte) {
    throw invalid('attachments', `must be at most ${config.MAX_ATTACHMENT_SIZE_MB} MB together, decoded`, 'too_big')
  }
  return files
}
