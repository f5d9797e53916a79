import { newId } from '../../../kit/ids.ts'
import { batchInLanes } from '../../../kit/lanes.ts'
import type { Executor } from '../../../kit/postgres/db.ts'
import type { Owners } from '../../../kit/turns.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { type Charge, chargeParameter, isNearCap } from '../../billing/charge.ts'
import { withinBounds } from '../../contacts/bounds.ts'
import { noteStoredBytes, rewrittenBytes } from '../../contacts/weights.ts'
import { type ContactWrite, contactParameters, lockOf } from '../../contacts/write.ts'
import { type AnswerKey, answersParameter } from '../../idempotency/once.ts'
import type { EmailType } from '../../templates/shapes.ts'
import { type Attachment, contentBytes } from '../message/content.ts'
import { type DeliverJob, deliverQueue, type NamedAddress } from '../shapes.ts'
import { type AcceptedRow, acceptEmails, acceptEmailsOnce } from './sql.ts'

/** A content to store: the same for all recipients of a call; subject, preview text and bodies are Liquid templates until delivery. */
export interface ContentDraft {
  type: EmailType
  templateId: string | null
  subject: string
  previewText: string | null
  html: string
  text: string | null
  from: NamedAddress
  replyTo: string | null
  cc: NamedAddress[]
  bcc: NamedAddress[]
  headers: Record<string, string>
  /** Data of the call for rendering; it overrides the data of the contact. */
  data: Record<string, unknown>
  /** The size of `data` as JSON. */
  dataBytes: number
  tags: string[]
  tracking: boolean | null
  attachments: Attachment[]
}

/** A call that sends: a content and its distinct recipients. */
export interface SendCall {
  content: ContentDraft
  recipients: { name: string | null; write: ContactWrite }[]
  /** What the emails count against; a call that would exceed a cap is refused by Postgres (see withinCaps). */
  charge: Charge
  /** The idempotency key of the call. */
  key: AnswerKey | undefined
  /** Whose large calls count together. */
  owners: Owners
}

const maxCalls = 100
// About the bytes of an email beside its content, and of its contact.
const bytesPerRecipient = 700

// Accepts the emails of several calls in one statement; returns for each call one row per recipient, in order.
async function acceptAll(world: World, on: Executor, calls: SendCall[]): Promise<AcceptedRow[][]> {
  const contents = calls.map((call) => ({ ...call, id: newId('content', firstOf(call).at) }))
  const emails = contents.flatMap(({ id, content, recipients }) =>
    recipients.map(({ name, write }) => ({ write, row: emailRow(write, { id, name, subject: content.subject }) })),
  )
  const files = contents.flatMap((call) => call.content.attachments.map((file, position) => attachmentRow(call, file, position)))
  const keyed = contents.flatMap(({ id, key }) => (key ? [{ key, ref: id }] : []))
  const rows = await on.run(keyed.length > 0 ? acceptEmailsOnce : acceptEmails, [
    ...contactParameters(
      world,
      emails.map(({ write }) => write),
    ),
    JSON.stringify(contents.map((call) => contentRow(call.content, { ...firstOf(call), id: call.id }))),
    JSON.stringify(files.map(({ row }, at) => ({ ...row, ord: at + 1 }))),
    files.map(({ bytes }) => bytes),
    JSON.stringify(emails.map(({ row }, at) => ({ ...row, ord: at + 1 }))),
    JSON.stringify([jobOf(calls)]),
    chargeParameter(calls.map(({ charge }) => charge)),
    ...(keyed.length > 0 ? [answersParameter(keyed)] : []),
  ])
  noteStoredBytes(
    world,
    emails.map(({ write }) => write),
    rows.map(({ bytes }) => bytes),
  )
  let taken = 0
  return calls.map(({ recipients }) => {
    taken += recipients.length
    return rows.slice(taken - recipients.length, taken)
  })
}

type CallWithId = SendCall & { id: string }

function firstOf({ recipients: [first] }: SendCall): ContactWrite {
  if (!first) throw new Error('Cannot accept a call without recipients')
  return first.write
}

function emailRow({ at }: ContactWrite, { id, name, subject }: { id: string; name: string | null; subject: string }) {
  return { id: newId('email', at), content_id: id, to_name: name, subject, at }
}

/** The row of a content. */
export function contentRow(content: ContentDraft, { projectId, id, at }: { projectId: string; id: string; at: Date }): object {
  return {
    project_id: projectId,
    id,
    template_id: content.templateId,
    type: content.type,
    subject: content.subject,
    preview_text: content.previewText,
    html: content.html,
    text: content.text,
    from_address: content.from.email,
    from_name: content.from.name ?? null,
    reply_to: content.replyTo,
    cc: content.cc,
    bcc: content.bcc,
    headers: content.headers,
    data: content.data,
    tags: content.tags,
    tracking: content.tracking,
    bytes: contentBytes(content),
    at,
  }
}

// The bytes are a parameter of their own, because JSON would have to encode them.
function attachmentRow(call: CallWithId, { bytes, filename, contentType, cid, inline }: Attachment, position: number) {
  const row = { project_id: firstOf(call).projectId, content_id: call.id, position, filename, content_type: contentType, cid, inline }
  return { row, bytes }
}

// One job for the whole group: it only says which projects have emails.
function jobOf(calls: SendCall[]): DeliverJob {
  return { turns: [...new Set(calls.map((call) => firstOf(call).projectId))].map((projectId) => [projectId, 'transactional']) }
}

const acceptInLanes = perWorld((world) =>
  batchInLanes({
    flush: (calls: SendCall[]) => acceptAll(world, world.db.impatient, calls),
    flushAlone: (calls: SendCall[]) => acceptAll(world, world.db, calls),
    max: maxCalls,
    ownerOf: ({ charge }) => charge.projectId,
    locksOf: ({ recipients }) => recipients.map(({ write }) => lockOf(write)),
    // A call that a cap may refuse would make its group fail.
    bytesOf: (call) => (isNearCap(world, call.charge) ? Number.POSITIVE_INFINITY : bytesOf(call)),
    rewrittenBytesOf: ({ recipients }) =>
      rewrittenBytes(
        world,
        recipients.map(({ write }) => write),
      ),
    ownersOf: ({ owners }) => owners,
  }),
)

function bytesOf({ content: { html, text, attachments }, recipients }: SendCall): number {
  const files = attachments.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const [first] = recipients
  return html.length + (text?.length ?? 0) + files + recipients.length * (bytesPerRecipient + (first?.write.patch.bytes ?? 0))
}

/**
 * Accepts the emails of one call, grouped with concurrent calls; when it resolves, they are committed. Fails with
 * VALIDATION_ERROR when it would pass a bound of stored data.
 */
export async function acceptCall(world: World, call: SendCall): Promise<AcceptedRow[]> {
  const rows = await withinBounds(acceptInLanes(world)(call))
  wakeDelivery(world)
  return rows
}

/** Makes the workers look for new emails now. */
export function wakeDelivery({ jobs }: Pick<World, 'jobs'>): void {
  jobs.wake(deliverQueue)
}
