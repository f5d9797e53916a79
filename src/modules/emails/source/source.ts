import { type Ctx, ownersOf } from '../../../kit/context.ts'
import type { Download } from '../../../kit/download.ts'
import { answerTooLarge, Failure, maxAnswerBytes, notFound } from '../../../kit/errors.ts'
import { createShare } from '../../../kit/share.ts'
import { readOctets } from '../../../kit/stored-octets.ts'
import { createThreadLanes } from '../../../kit/thread-lanes.ts'
import { TaskKilled } from '../../../kit/threads.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { linksUrlOf } from '../../domains/links.ts'
import { loadContent, signingKeyOf } from '../delivery/contents.ts'
import { isLongBody, laneLimits, whyKilled } from '../message/limits.ts'
import type { RenderAnswer, RenderData, RenderTask } from '../message/thread.ts'
import { parseMessage } from '../parsing/parse.ts'
import type { ReadMessage } from '../parsing/thread.ts'
import type { EmailMessage } from './shapes.ts'
import { type SourceRow, selectCaptured, selectOctets, selectSource } from './sql.ts'

/**
 * The message of an email (RFC 5322) as a file: the octets that the capture transport stored, or else a copy that is rendered again
 * from its content and from the contact as it is now, see `vaultOfCopies`. Fails with RESOURCE_NOT_FOUND, and with CONFLICT when it
 * came in, when its content was removed because of its age, and when it cannot be rendered; with SERVICE_UNAVAILABLE when its turn
 * has not come after 15 s, and while the caller has not read earlier answers.
 */
export async function getEmailSource(ctx: Ctx, { id }: { id: string }): Promise<Download<Uint8Array>> {
  const found = await readMessage(ctx, id)
  if ('gone' in found) throw unavailable(found.gone)
  const { pieces, bytes, isExact } = found
  return {
    filename: `${id}.eml`,
    pieces: inOrder(pieces),
    bytes,
    headers: { 'X-Postwire-Source': isExact ? 'captured' : 'rendered' },
  }
}

/**
 * The same as text and as mail programs read it, for GraphQL; null for an email that came in, and once its content was removed because
 * of its age. Fails with PAYLOAD_TOO_LARGE as well when it has more than 32 MB.
 */
export async function findEmailMessage(ctx: Ctx, { id }: { id: string }): Promise<EmailMessage | null> {
  const requireRoom = (bytes: number): void => {
    if (bytes > maxAnswerBytes) throw answerTooLarge()
  }
  const found = await readMessage(ctx, id, requireRoom)
  if ('gone' in found) return null
  requireRoom(found.bytes)
  const raw = Buffer.concat(found.pieces)
  let reading: Promise<ReadMessage> | undefined
  return { raw: () => raw.toString('utf8'), isExact: found.isExact, read: () => (reading ??= read(ctx, raw)) }
}

async function read(ctx: Ctx, raw: Buffer): Promise<ReadMessage> {
  // Beside the octets, the answer may have its bodies.
  ctx.takeRoom?.(raw.length)
  const message = await parseMessage(ctx.world, { raw, sender: ownersOf(ctx), ended: ctx.left?.() })
  if (message) return message
  throw new Failure('SERVICE_UNAVAILABLE', 'To read this message took more than 2 s of computing time.', {
    suggestion: 'Ask for `raw` instead.',
    headers: { 'Retry-After': '5' },
  })
}

interface Found {
  pieces: readonly Uint8Array[]
  isExact: boolean
}

interface Message extends Found {
  bytes: number
}

// A message may have 40 MB: accounts take turns, and everything is read in turn, as soon as there is room for it in the answer. Of one
// whose size is refused nothing is read.
async function readMessage(ctx: Ctx, id: string, accept: (bytes: number) => void = () => undefined): Promise<Message | { gone: string }> {
  const { db, projectId } = ctx
  const found = await renderersOf(ctx.world).inShare(ownersOf(ctx), async (): Promise<Found | { gone: string } | { stored: Stored }> => {
    const [email] = await db.run(selectSource, [projectId, id])
    if (!email) throw notFound()
    accept(email.bytes)
    ctx.takeRoom?.(email.bytes)
    const [captured] = await db.run(selectCaptured, [projectId, id])
    const read = (from: number, count: number) => db.run(selectOctets, [projectId, captured?.id, from, count])
    const octets = captured && (await readOctets(ctx, captured.bytes, read))
    if (octets) return { pieces: octets, isExact: true }
    const { contentId, fromAddress } = email
    if (email.source === 'INBOUND') return { gone: 'This email came in: its message is not stored.' }
    if (contentId === null || fromAddress === null)
      return { gone: 'The content of this email was removed because of its age (CONTENT_RETENTION_DAYS).' }
    return { stored: { ...email, contentId, fromAddress } }
  })
  if ('gone' in found) return found
  const { pieces, isExact } = 'stored' in found ? { pieces: await render(ctx, found.stored), isExact: false } : found
  return { pieces, isExact, bytes: pieces.reduce((sum, piece) => sum + piece.length, 0) }
}

type Stored = SourceRow & { contentId: string; fromAddress: string }

async function render(ctx: Ctx, stored: Stored): Promise<Uint8Array[]> {
  const answer = await run(ctx, () => taskOf(ctx.world, stored))
  if (answer.kind === 'rendered') return answer.pieces
  if (answer.kind === 'failed')
    throw unavailable(answer.reason, 'Its content does not change, but the data of its contact may: look at what it prints of that.')
  throw new Error('A rendering thread dropped a content that it was just sent')
}

async function taskOf(world: World, { contentId, fromAddress, domainId, hasOwnLinks, bytes: _, ...recipient }: Stored) {
  const { projectId } = recipient
  return {
    recipient,
    contentId,
    keep: false,
    budgetMs: world.config.RENDER_BUDGET_MS,
    copy: true as const,
    content: await loadContent(world, { projectId, contentId }),
    key: await signingKeyOf(world, { projectId, domainId }),
    publicUrl: linksUrlOf(world, { address: fromAddress, hasOwnLinks }),
  }
}

async function run(ctx: Ctx, load: () => Promise<RenderTask>): Promise<RenderAnswer> {
  try {
    return await renderersOf(ctx.world).lanes.run(ownersOf(ctx), load, ctx.left?.())
  } catch (error) {
    if (!(error instanceof TaskKilled)) throw error
    return { kind: 'failed', reason: whyKilled(error.exceeded, ctx.config.RENDER_BUDGET_MS), cpuMs: 0 }
  }
}

function unavailable(sentence: string, suggestion = 'See the timeline of the email for what became of it.'): Failure {
  return new Failure('CONFLICT', sentence, { suggestion })
}

async function* inOrder(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* pieces
}

const busy = 'Other messages of emails are being read at the moment.'
// With its attachments: to compose and sign so many takes about 20 ms.
const maxQuickBytes = 1_000_000

// Threads of their own, so that no email that is sent waits for one that is read.
const renderersOf = perWorld((world) => ({
  inShare: createShare({ max: 2, maxPerOwner: 1, busy }),
  lanes: createThreadLanes<RenderTask, RenderAnswer>(world, {
    file: new URL('../message/thread.ts', import.meta.url),
    name: 'renderEmails',
    data: { secret: world.secret } satisfies RenderData,
    ...laneLimits(world.config.RENDER_BUDGET_MS),
    isLong: ({ content }) => content !== undefined && (content.bytes > maxQuickBytes || isLongBody(content.html)),
    busy,
  }),
}))
