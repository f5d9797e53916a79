import type { Ctx } from '../../../kit/context.ts'
import { escapeHtml } from '../../../kit/html/escape.ts'
import { networkOf } from '../../../kit/networks.ts'
import { escapeLike } from '../../../kit/postgres/like.ts'
import { createShare } from '../../../kit/share.ts'
import { readOctets } from '../../../kit/stored-octets.ts'
import { perWorld } from '../../../kit/world.ts'
import { type Message, parseFile, parseMessage } from '../parsing/parse.ts'
import type { MessageFile, ReadMessage } from '../parsing/thread.ts'
import {
  type CapturedEmail,
  countCapturedEmails,
  deleteCapturedEmails,
  selectCapturedEmail,
  selectCapturedEmails,
  selectCapturedPiece,
} from './sql.ts'

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

/** A captured email with the beginning of its source and what a mail program reads in it. */
export interface ParsedCapturedEmail extends CapturedEmail {
  /** At most 1 MB of its octets. */
  beginning: Buffer
  /** How many octets it has. */
  bytes: number
  /** Null when it takes too long to read. */
  message: ReadMessage | null
  /** Whether only its beginning was read, because all of it takes too long. */
  isPart: boolean
}

/**
 * One captured email, or null when there is none with this id. Fails with SERVICE_UNAVAILABLE, as the next two, when its turn to be read
 * has not come after 15 s.
 */
export async function findCapturedEmail(ctx: Ctx, { id = '' }: { id?: string }): Promise<ParsedCapturedEmail | null> {
  return inTurn(ctx, async () => {
    const [email] = await ctx.db.run(selectCapturedEmail, [id, maxShownBytes])
    if (!email) return null
    const raw = email.bytes > email.beginning.length ? await sourceOf(ctx, email) : email.beginning
    const message = raw && (await parseMessage(ctx.world, messageOf(ctx, raw)))
    if (message) return { ...email, message, isPart: false }
    return { ...email, message: await parseMessage(ctx.world, messageOf(ctx, email.beginning)), isPart: true }
  })
}

/** The HTML of a captured email, whose inline pictures are files of the mailbox; null when there is no email with this id. */
export async function findCapturedHtml(ctx: Ctx, input: { id?: string }): Promise<string | null> {
  const email = await findCapturedEmail(ctx, input)
  return email && withPictures(email.id, email.message)
}

/** An attachment of a captured email by its position from 0, or null when there is none. */
export async function findCapturedAttachment(
  ctx: Ctx,
  { id = '', position }: { id?: string; position?: string },
): Promise<MessageFile | null> {
  return inTurn(ctx, async () => {
    const [email] = await ctx.db.run(selectCapturedEmail, [id, 0])
    const raw = email ? await sourceOf(ctx, email) : null
    return raw && parseFile(ctx.world, messageOf(ctx, raw), Number(position))
  })
}

// An email may have 40 MB, and each of its pictures is read with all of it.
const inShareOf = perWorld(() => createShare({ max: 2, maxPerOwner: 1, busy: 'Other emails of the mailbox are being read at the moment.' }))

const readerOf = ({ client }: Ctx): string => `mailbox ${networkOf(client.address)}`

function inTurn<Result>(ctx: Ctx, read: () => Promise<Result>): Promise<Result> {
  return inShareOf(ctx.world)(readerOf(ctx), read, { ended: ctx.left?.() })
}

const messageOf = (ctx: Ctx, raw: Buffer): Message => ({ raw, sender: readerOf(ctx), ended: ctx.left?.() })

async function sourceOf(ctx: Ctx, { id, bytes }: { id: string; bytes: number }): Promise<Buffer | null> {
  const pieces = await readOctets(ctx, bytes, (from, count) => ctx.db.run(selectCapturedPiece, [id, from, count]))
  return pieces && Buffer.concat(pieces)
}

/** How much of an email is shown as text, in bytes. */
export const maxShownBytes = 1_000_000

const pageSize = 50
const deletedPerBatch = 500
const aboveAllIds = '~'

// Inline pictures are referred to by their Content-ID (RFC 2392).
function withPictures(id: string, message: ReadMessage | null): string {
  const { html, attachments } = message ?? { html: null, attachments: [] }
  return attachments.reduce((text, { contentId }, position) => {
    const name = contentId?.replace(/^<|>$/g, '')
    return name ? text.replaceAll(`cid:${escapeHtml(name)}`, `/mailbox/${id}/files/${position}`) : text
  }, html ?? '')
}
