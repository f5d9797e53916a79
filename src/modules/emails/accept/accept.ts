import { batch } from '../../../kit/batch.ts'
import { newId } from '../../../kit/ids.ts'
import type { Executor } from '../../../kit/postgres/db.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { type Charge, chargeParameter, isNearCap } from '../../billing/charge.ts'
import { type ContactWrite, contactParameters } from '../../contacts/write.ts'
import { deliverQueue, type Mailbox, type MailType } from '../shapes.ts'
import { type AcceptedRow, acceptMails } from './sql.ts'

/** A file of a mail, decoded. */
export interface Attachment {
  filename: string
  contentType: string
  bytes: Buffer
  cid: string | null
  inline: boolean
}

/** What is sent, the same for every recipient of a call; subject and bodies are templates until delivery. */
export interface MailContent {
  type: MailType
  templateId: string | null
  subject: string
  html: string
  text: string | null
  from: Mailbox
  replyTo: string | null
  cc: Mailbox[]
  bcc: Mailbox[]
  headers: Record<string, string>
  /** The call's data for rendering, over the contact's own. */
  data: Record<string, unknown>
  tags: string[]
  tracking: boolean | null
  attachments: Attachment[]
}

/** One call that sends: content and its distinct recipients. */
export interface SendCall {
  content: MailContent
  recipients: { name: string | null; write: ContactWrite }[]
  /** When a worker looks at the mails even if their job was lost. */
  wakeAt: Date
  /** What the mails count as; a call that does not fit under a cap is refused by Postgres (see withinCaps). */
  charge: Charge
}

const callsAtOnce = 100
const mailsAJob = 50

/** Accepts the mails of several calls in one statement; answers a row a recipient for each call, in order. */
export async function acceptAll(on: Executor, calls: SendCall[]): Promise<AcceptedRow[][]> {
  const sent = calls.map((call) => ({ ...call, id: newId('content', firstOf(call).at) }))
  const mails = sent.flatMap(({ id, content, recipients, wakeAt }) =>
    recipients.map(({ name, write }) => ({ write, row: mailRow(write, { id, name, subject: content.subject, wakeAt }) })),
  )
  const files = sent.flatMap((call) => call.content.attachments.map((file, position) => fileRow(call, file, position)))
  const rows = await on.run(acceptMails, [
    ...contactParameters(mails.map(({ write }) => write)),
    JSON.stringify(sent.map(contentRow)),
    JSON.stringify(files.map(({ row }, at) => ({ ...row, ord: at + 1 }))),
    files.map(({ bytes }) => bytes),
    JSON.stringify(mails.map(({ row }, at) => ({ ...row, ord: at + 1 }))),
    JSON.stringify(jobPayloads(mails.map(({ write, row }) => [write.projectId, row.id]))),
    chargeParameter(calls.map(({ charge }) => charge)),
  ])
  let taken = 0
  return calls.map(({ recipients }) => {
    taken += recipients.length
    return rows.slice(taken - recipients.length, taken)
  })
}

type Sent = SendCall & { id: string }

function firstOf({ recipients: [first] }: SendCall): ContactWrite {
  if (!first) throw new Error('A call without recipients was to be accepted')
  return first.write
}

function mailRow({ at }: ContactWrite, { id, name, subject, wakeAt }: { id: string; name: string | null; subject: string; wakeAt: Date }) {
  return { id: newId('email', at), content_id: id, to_name: name, subject, at, wake_at: wakeAt }
}

function contentRow(call: Sent): object {
  const { content } = call
  const { projectId, at } = firstOf(call)
  return {
    project_id: projectId,
    id: call.id,
    template_id: content.templateId,
    type: content.type,
    subject: content.subject,
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
    at,
  }
}

// The bytes go beside the JSON, as they are.
function fileRow(call: Sent, { bytes, filename, contentType, cid, inline }: Attachment, position: number) {
  const row = { project_id: firstOf(call).projectId, content_id: call.id, position, filename, content_type: contentType, cid, inline }
  return { row, bytes }
}

function jobPayloads(mails: [string, string][]): object[] {
  const payloads: object[] = []
  for (let from = 0; from < mails.length; from += mailsAJob) payloads.push({ emails: mails.slice(from, from + mailsAJob) })
  return payloads
}

const lane = perWorld(({ db }) => batch((calls: SendCall[]) => acceptAll(db, calls), callsAtOnce))

/** Accepts the mails of one call, in a group with the calls that run at the same time; when it answers they are durable. */
export async function acceptCall(world: World, call: SendCall): Promise<AcceptedRow[]> {
  // Large calls go alone: a group's statement should stay small. So do those that may break their group.
  const alone = call.recipients.length > callsAtOnce || call.content.attachments.length > 0 || isNearCap(world, call.charge)
  const rows = alone ? ((await acceptAll(world.db, [call]))[0] ?? []) : await lane(world)(call)
  wakeDelivery(world)
  return rows
}

/** Lets the workers look for new mails now. */
export function wakeDelivery({ jobs }: Pick<World, 'jobs'>): void {
  jobs.wake(deliverQueue)
}
