import { batch } from '../../kit/batch.ts'
import type { Executor } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { type ContactWrite, contactParameters } from '../contacts/write.ts'
import { type AcceptedRow, acceptMails } from './accept-sql.ts'
import { deliverQueue, type Mailbox, type MailType } from './shapes.ts'

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
}

const callsAtOnce = 100
const mailsAJob = 50

/** Accepts the mails of several calls in one statement; answers a row a recipient for each call, in order. */
export async function acceptAll(on: Executor, calls: SendCall[]): Promise<AcceptedRow[][]> {
  const sent = calls.map((call) => ({ ...call, id: newId('content', at(call)) }))
  const mails = sent.flatMap(({ id, content, recipients, wakeAt }) =>
    recipients.map(({ name, write }) => ({ write, id: newId('email', write.at), contentId: id, name, subject: content.subject, wakeAt })),
  )
  const rows = await on.run(acceptMails, [
    ...contactParameters(mails.map(({ write }) => write)),
    ...contentParameters(sent),
    ...attachmentParameters(sent),
    mails.map((_, ord) => ord + 1),
    mails.map(({ id }) => id),
    mails.map(({ contentId }) => contentId),
    mails.map(({ name }) => name),
    mails.map(({ subject }) => subject),
    mails.map(({ write }) => write.at),
    mails.map(({ wakeAt }) => wakeAt),
    jobPayloads(mails.map(({ write, id }) => [write.projectId, id])),
  ])
  let taken = 0
  return calls.map(({ recipients }) => {
    taken += recipients.length
    return rows.slice(taken - recipients.length, taken)
  })
}

type Sent = SendCall & { id: string }

function at({ recipients }: SendCall): Date {
  return recipients[0]?.write.at ?? new Date(0)
}

function projectOf({ recipients }: SendCall): string {
  return recipients[0]?.write.projectId ?? ''
}

function contentParameters(sent: Sent[]): unknown[] {
  return [
    sent.map(projectOf),
    sent.map(({ id }) => id),
    sent.map(({ content }) => content.templateId),
    sent.map(({ content }) => content.type),
    sent.map(({ content }) => content.subject),
    sent.map(({ content }) => content.html),
    sent.map(({ content }) => content.text),
    sent.map(({ content }) => content.from.email),
    sent.map(({ content }) => content.from.name ?? null),
    sent.map(({ content }) => content.replyTo),
    sent.map(({ content }) => JSON.stringify(content.cc)),
    sent.map(({ content }) => JSON.stringify(content.bcc)),
    sent.map(({ content }) => JSON.stringify(content.headers)),
    sent.map(({ content }) => JSON.stringify(content.data)),
    sent.map(({ content }) => JSON.stringify(content.tags)),
    sent.map(({ content }) => content.tracking),
    sent.map(at),
  ]
}

function attachmentParameters(sent: Sent[]): unknown[] {
  const files = sent.flatMap((call) =>
    call.content.attachments.map((file, position) => ({ projectId: projectOf(call), contentId: call.id, position, file })),
  )
  return [
    files.map(({ projectId }) => projectId),
    files.map(({ contentId }) => contentId),
    files.map(({ position }) => position),
    files.map(({ file }) => file.filename),
    files.map(({ file }) => file.contentType),
    files.map(({ file }) => file.cid),
    files.map(({ file }) => file.inline),
    files.map(({ file }) => file.bytes),
  ]
}

function jobPayloads(mails: [string, string][]): string[] {
  const payloads: string[] = []
  for (let from = 0; from < mails.length; from += mailsAJob) payloads.push(JSON.stringify({ emails: mails.slice(from, from + mailsAJob) }))
  return payloads
}

const lane = perWorld(({ db }) => batch((calls: SendCall[]) => acceptAll(db, calls), callsAtOnce))

/** Accepts the mails of one call, in a group with the calls that run at the same time; when it answers they are durable. */
export async function acceptCall(world: World, call: SendCall): Promise<AcceptedRow[]> {
  // Large calls go alone: a group's statement should stay small.
  const alone = call.recipients.length > callsAtOnce || call.content.attachments.length > 0
  const rows = alone ? ((await acceptAll(world.db, [call]))[0] ?? []) : await lane(world)(call)
  wakeDelivery(world)
  return rows
}

/** Lets the workers look for new mails now. */
export function wakeDelivery({ jobs }: Pick<World, 'jobs'>): void {
  jobs.wake(deliverQueue)
}
