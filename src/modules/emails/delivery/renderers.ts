import { setTimeout as sleep } from 'node:timers/promises'
import { recent } from '../../../kit/recent.ts'
import { createThreads, type Exceeded, TaskDropped, TaskKilled, type ThreadInfo } from '../../../kit/threads.ts'
import { createTurns } from '../../../kit/turns.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { linksUrlOf } from '../../domains/links.ts'
import type { Content } from '../message/content.ts'
import { maxTaskMs, renderLimits, whyKilled } from '../message/limits.ts'
import type { RenderAnswer, RenderData, RenderTask } from '../message/thread.ts'
import type { ClaimedEmail } from '../queue/claim.ts'
import { type Lane, lanes } from '../shapes.ts'

/** A rendered, composed and signed email; why there is none, as a sentence for the sender; or nothing, because the world closes. */
export type Rendered =
  | { kind: 'rendered'; subject: string; pieces: readonly Uint8Array[]; wireReady: boolean }
  | { kind: 'failed'; reason: string }
  | { kind: 'dropped' }

/** What tells how long an email takes to render. */
type Costly = Pick<ClaimedEmail, 'projectId' | 'contentId' | 'lane' | 'bodyBytes'>

/** An email with the data of its contact. */
export type LoadedEmail = Costly & Pick<ClaimedEmail, 'account' | 'hasOwnLinks'> & RenderTask['recipient']

/** Renders, composes and signs an email in another thread, so that no template holds up this one. */
export async function renderEmail(world: World, email: LoadedEmail, content: Content, key: RenderTask['key']): Promise<Rendered> {
  const { threads } = renderersOf(world)
  const urgent = email.lane === 'transactional'
  const plan = { urgent, owner: email.account, isHeavy: () => isHeavy(world, email) }
  const run = (withContent: boolean) => threads.run((thread) => taskOf(world, { email, content, key, thread, withContent }), plan)
  const reason = whyGivenUp(world, email)
  if (reason !== null) return { kind: 'failed', reason }
  try {
    const first = await run(false)
    const answer = first.kind === 'unknown' ? await run(true) : first
    if (answer.kind === 'unknown') throw new Error('A rendering thread dropped a content that it was just sent')
    recordCost(world, email, answer.cpuMs)
    if (answer.kind === 'rendered') {
      renderersOf(world).sizes.set(email.contentId, ownBytes(answer.pieces))
      if (renderersOf(world).kills.get(email.contentId)) renderersOf(world).kills.set(email.contentId, { count: 0, reason: '' })
    }
    return answer
  } catch (error) {
    if (error instanceof TaskDropped) return { kind: 'dropped' }
    if (!(error instanceof TaskKilled)) throw error
    return { kind: 'failed', reason: recordKill(world, email, error.exceeded) }
  }
}

function recordKill(world: World, email: Costly, exceeded: Exceeded): string {
  const { kills } = renderersOf(world)
  const budgetMs = world.config.RENDER_BUDGET_MS
  const reason = whyKilled(exceeded, budgetMs)
  recordCost(world, email, exceeded === 'section' ? budgetMs : maxTaskMs)
  kills.set(email.contentId, { count: (kills.get(email.contentId)?.count ?? 0) + 1, reason })
  return reason
}

/**
 * Why emails of a content are not rendered any more: what ended so many threads in a row would end more of them, and others would
 * wait for each. What an email takes may depend on its recipient, so that one that was rendered shows that others may be.
 */
export function whyGivenUp(world: World, { contentId }: Costly): string | null {
  const killed = renderersOf(world).kills.get(contentId)
  return killed && killed.count >= maxKills ? killed.reason : null
}

/** Leave to render an email. */
export interface RenderTurn {
  /** Whether it still holds: what is learnt about a template meanwhile may make it wait with those that take long. */
  holds(): boolean
  /** Lets others begin; call it when the email has been rendered. Calling it again changes nothing. */
  leave(): void
}

/**
 * Waits until an email may be rendered without holding up others: at once, unless templates like it take long, of which few are
 * rendered at a time. Of a content that was not rendered yet, a few emails go first.
 */
export async function awaitRenderer(world: World, email: Costly): Promise<RenderTurn> {
  const { heavyLimits, restLimit, firstLimit } = renderersOf(world)
  const isSlow = isHeavy(world, email)
  const isNew = !isSlow && renderersOf(world).costs.get(email.contentId) === undefined
  // The rest of a project takes no place from the others.
  const endRest = isSlow ? await restLimit.enter(`${email.projectId} ${email.lane}`) : () => {}
  const leave = isSlow ? await heavyLimits[email.lane].enter(email.projectId) : isNew ? await firstLimit.enter(email.contentId) : () => {}
  return { leave: () => leaveAndRest(world, email, { leave, endRest }), holds: () => isSlow || !isHeavy(world, email) }
}

// Projects whose emails take very long take turns by time: the next email of one waits several times as long as the last one took.
// Those of a content that was given up take no time.
function leaveAndRest(world: World, email: Costly, { leave, endRest }: { leave: () => void; endRest: () => void }): void {
  leave()
  const cpuMs = renderersOf(world).costs.get(email.contentId) ?? 0
  const restMs = cpuMs < restFromMs || whyGivenUp(world, email) !== null ? 0 : cpuMs * restFactor
  if (restMs === 0) endRest()
  else void sleep(restMs, undefined, { signal: world.closing, ref: false }).then(endRest, endRest)
}

/** The octets of the last message of a content, without what all of its messages share; 0 when none was rendered yet. */
export function lastMessageBytes(world: World, contentId: string): number {
  return renderersOf(world).sizes.get(contentId) ?? 0
}

function ownBytes(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + (piece.buffer instanceof SharedArrayBuffer ? 0 : piece.length), 0)
}

// What one email of a project costs says something about the next of its lane, also where every call has a content of its own.
function isHeavy(world: World, { contentId, projectId, lane, bodyBytes }: Costly): boolean {
  const { costs } = renderersOf(world)
  const known = costs.get(contentId)
  if (known === undefined && bodyBytes > heavyBytes) return true
  return (known ?? costs.get(`${projectId} ${lane}`) ?? 0) > heavyMs
}

function recordCost(world: World, { contentId, projectId, lane }: Costly, cpuMs: number): void {
  const { costs } = renderersOf(world)
  const ofProject = `${projectId} ${lane}`
  costs.set(contentId, cpuMs)
  costs.set(ofProject, ((costs.get(ofProject) ?? cpuMs) * 3 + cpuMs) / 4)
}

/** Opens the threads that render, so that the first email does not wait for them. */
export function openRenderers(world: World): void {
  renderersOf(world)
}

/** Ends the threads of this world; call it when no email is being delivered. */
export async function closeRenderers(world: World): Promise<void> {
  await renderersOf(world).threads.close()
}

// A template that takes longer than this runs in the background, and an email beside it hardly waits.
const heavyMs = 5
// Converting so much HTML to text takes about a tenth of a second.
const heavyBytes = 150_000
const maxKills = 10
const restFromMs = 200
const restFactor = 4

const renderersOf = perWorld((world) => ({
  threads: createThreads<RenderTask, RenderAnswer>({
    file: new URL('../message/thread.ts', import.meta.url),
    name: 'renderEmails',
    data: { secret: world.secret } satisfies RenderData,
    ...renderLimits(world.config.RENDER_BUDGET_MS),
    closing: world.closing,
  }),
  // How long emails of a content, and of a lane of a project, took to render.
  costs: recent<string, number>({ max: 10_000 }),
  sizes: recent<string, number>({ max: 10_000 }),
  // Of which contents threads had to be ended, how often in a row and why.
  kills: recent<string, { count: number; reason: string }>({ max: 10_000 }),
  // One for each lane, so that an email a person waits for does not wait for the others of its project.
  heavyLimits: Object.fromEntries(lanes.map((lane) => [lane, createLimit({ max: maxHeavy, maxPerOwner: 1 })])) as Record<Lane, Limit>,
  restLimit: createLimit({ max: Number.POSITIVE_INFINITY, maxPerOwner: 1 }),
  firstLimit: createLimit({ max: Number.POSITIVE_INFINITY, maxPerOwner: maxFirst }),
}))

const maxHeavy = 2
const maxFirst = 4

// Owners that wait take turns, however many emails each has. `enter` returns what lets the next one in.
interface Limit {
  enter(owner: string): Promise<() => void>
}

function createLimit(plan: { max: number; maxPerOwner: number }): Limit {
  const turns = createTurns(plan)
  return {
    enter: (owner) =>
      new Promise((entered) => {
        void turns.run(owner, () => new Promise<void>((leave) => entered(leave)))
      }),
  }
}

interface TaskInput {
  email: LoadedEmail
  content: Content
  key: RenderTask['key']
  thread: ThreadInfo
  withContent: boolean
}

// A thread keeps a content from its second email on, so that one for many recipients is not sent again and again. Those for one
// recipient are not kept: what lives longer than its email is copied by V8 several times, and collected last.
function taskOf(world: World, { email, content, key, thread, withContent }: TaskInput): RenderTask {
  const { contentId, ...recipient } = email
  const sent = thread.state.get(contentId)
  const isKept = sent === 'kept' && !withContent
  const keep = withContent || sent !== undefined
  thread.state.set(contentId, keep ? 'kept' : 'once')
  if (thread.state.size > maxRemembered) thread.state.delete(thread.state.keys().next().value ?? '')
  return {
    recipient,
    contentId,
    content: isKept ? undefined : content,
    keep,
    key,
    publicUrl: linksUrlOf(world, { address: content.fromAddress, hasOwnLinks: email.hasOwnLinks }),
    budgetMs: world.config.RENDER_BUDGET_MS,
  }
}

const maxRemembered = 2_000
