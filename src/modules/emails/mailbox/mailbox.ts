import PostalMime, { type Attachment, type Email as ParsedEmail } from 'postal-mime'
import type { Ctx } from '../../../kit/context.ts'
import { escapeHtml } from '../../../kit/html/escape.ts'
import { escapeLike } from '../../../kit/postgres/like.ts'
import { type CapturedEmail, countCapturedEmails, deleteCapturedEmails, selectCapturedEmail, selectCapturedEmails } from './sql.ts'

type Call = Pick<Ctx, 'db'>

/** One page of the captured emails. */
export interface CapturedEmails {
  emails: CapturedEmail[]
  search: string
  /** The id below which the next page begins, unless this is the last one. */
  older: string | undefined
  first: boolean
}

/** Lists captured emails, newest first, 50 per page; `search` matches part of the subject or of an address, ignoring case. */
export async function listCapturedEmails({ db }: Call, input: { search?: string; before?: string }): Promise<CapturedEmails> {
  const search = (input.search ?? '').trim()
  const pattern = `%${escapeLike(search)}%`
  const found = await db.run(selectCapturedEmails, [input.before ?? aboveAllIds, pattern, pageSize + 1])
  const emails = found.slice(0, pageSize)
  return { emails, search, older: found.length > pageSize ? emails.at(-1)?.id : undefined, first: !input.before }
}

/** The number of captured emails. */
export async function countMailbox({ db }: Call): Promise<number> {
  const [found] = await db.run(countCapturedEmails, [])
  return found?.count ?? 0
}

/** Deletes all captured emails, in batches. */
export async function emptyMailbox({ db }: Call): Promise<void> {
  for (let deleted = deletedPerBatch; deleted === deletedPerBatch; )
    deleted = (await db.run(deleteCapturedEmails, [deletedPerBatch]))[0]?.count ?? 0
}

/** A captured email with its source and what a mail program reads in it. */
export interface ParsedCapturedEmail extends CapturedEmail {
  raw: Buffer
  parsed: ParsedEmail
}

/** One captured email, or null when there is none with this id. */
export async function findCapturedEmail({ db }: Call, { id = '' }: { id?: string }): Promise<ParsedCapturedEmail | null> {
  const [email] = await db.run(selectCapturedEmail, [id])
  return email ? { ...email, parsed: await PostalMime.parse(email.raw) } : null
}

/** The HTML of a captured email, whose inline pictures are files of the mailbox; null when there is no email with this id. */
export async function findCapturedHtml(ctx: Call, input: { id?: string }): Promise<string | null> {
  const email = await findCapturedEmail(ctx, input)
  return email && withPictures(email.id, email.parsed)
}

/** An attachment of a captured email by its position from 0, or null when there is none. */
export async function findCapturedAttachment(ctx: Call, input: { id?: string; position?: string }): Promise<Attachment | null> {
  const email = await findCapturedEmail(ctx, input)
  return email?.parsed.attachments[Number(input.position)] ?? null
}

const pageSize = 50
const deletedPerBatch = 500
const aboveAllIds = '~'

// Inline pictures are referred to by their Content-ID (RFC 2392).
function withPictures(id: string, { html = '', attachments }: ParsedEmail): string {
  return attachments.reduce((text, { contentId }, position) => {
    const name = contentId?.replace(/^<|>$/g, '')
    return name ? text.replaceAll(`cid:${escapeHtml(name)}`, `/mailbox/${id}/files/${position}`) : text
  }, html)
}
