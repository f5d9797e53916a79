import { createPrivateKey } from 'node:crypto'
import { CpuBudget, TemplateFailure } from '../../../kit/liquid.ts'
import { recent } from '../../../kit/recent.ts'
import { isWireReady } from '../../../kit/smtp/message.ts'
import { answering, threadData } from '../../../kit/threads.ts'
import { createVault } from '../../../kit/vault.ts'
import { type SigningKey, signMessage } from '../mime/sign.ts'
import { renderMessage } from './compiled.ts'
import { composeMessage } from './compose.ts'
import { type Content, maxContentBytes, type Recipient } from './content.ts'
import { vaultOfCopies } from './copies.ts'

/** One email to render. `content` is missing when this thread should still have it. */
export interface RenderTask {
  /** Its data may be JSON: much of it takes long to copy from thread to thread, and a text does not. */
  recipient: Omit<Recipient, 'contactData'> & { contactData: Recipient['contactData'] | string }
  contentId: string
  content: Content | undefined
  /** Whether this thread stores the content for other emails. */
  keep: boolean
  /** The key of the sender domain as PEM; null sends unsigned. */
  key: { domain: string; selector: string; pem: string; unsigned?: readonly string[] } | null
  publicUrl: string
  budgetMs: number
  /** Whether it is a copy to be read, see `vaultOfCopies`. */
  copy?: true
}

/** A rendered email, or why there is none. */
export type RenderAnswer =
  | { kind: 'rendered'; subject: string; pieces: Uint8Array[]; wireReady: boolean; cpuMs: number }
  /** The template failed, with a sentence for the sender. */
  | { kind: 'failed'; reason: string; cpuMs: number }
  /** This thread has dropped the content: it has to be sent again. */
  | { kind: 'unknown' }

/** What a rendering thread is started with. */
export interface RenderData {
  secret: string
}

const { secret, onSection } = threadData<RenderData>()
const vault = createVault(secret)
const contents = recent<string, Content>({ max: 1_000, weight: { max: maxContentBytes, weigh: ({ bytes }) => bytes } })
const keys = recent<string, SigningKey>({ max: 1_000 })

const coldRenders = 20
const coldMs = 25
let renders = 0

/** Renders, tracks, composes and signs emails. */
export const renderEmails = answering(renderOne)

function renderOne(task: RenderTask, lend: (buffer: ArrayBuffer) => void): RenderAnswer {
  const content = task.content ?? contents.get(task.contentId)
  if (!content) return { kind: 'unknown' }
  if (task.content && task.keep) contents.set(task.contentId, content)
  const { contactData } = task.recipient
  const recipient = { ...task.recipient, contactData: typeof contactData === 'string' ? readData(contactData) : contactData }
  const world = { vault: task.copy ? vaultOfCopies(vault, recipient) : vault, publicUrl: task.publicUrl }
  const started = process.threadCpuUsage()
  try {
    const budget = new CpuBudget(task.budgetMs, onSection)
    let cpuMs = 0
    const onRendered = (): void => {
      cpuMs = costSince(started)
    }
    const rendered = renderMessage(world, { recipient, content, budget, onRendered })
    const composed = composeMessage({ email: recipient, content, rendered })
    const signed = task.key ? signMessage(composed, signingKey(task.key), recipient.createdAt) : composed
    const pieces = signed.map((piece) => ownPiece(piece, lend))
    return { kind: 'rendered', subject: rendered.subject, pieces, wireReady: isWireReady(signed), cpuMs }
  } catch (error) {
    if (error instanceof TemplateFailure) return { kind: 'failed', reason: error.message, cpuMs: costSince(started) }
    throw error
  }
}

function readData(json: string): Recipient['contactData'] {
  return JSON.parse(json)
}

// The first templates of a thread take longer, because its code is not compiled yet: they count only where they take very long.
function costSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(started)
  const cpuMs = (user + system) / 1_000
  return ++renders > coldRenders || cpuMs > coldMs ? cpuMs : 0
}

// Attachments are in shared memory. Other pieces become copies of their own, because a small buffer is part of one that other
// emails use.
function ownPiece(piece: Uint8Array, lend: (buffer: ArrayBuffer) => void): Uint8Array {
  if (piece.buffer instanceof SharedArrayBuffer) return piece
  const copy = new Uint8Array(piece)
  lend(copy.buffer)
  return copy
}

function signingKey({ domain, selector, pem, unsigned = [] }: NonNullable<RenderTask['key']>): SigningKey {
  return keys.getOrMake(`${domain} ${selector} ${pem}`, () => ({ domain, selector, key: createPrivateKey(pem), unsigned }))
}
