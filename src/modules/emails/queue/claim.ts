import { setTimeout as sleep } from 'node:timers/promises'
import { batch } from '../../../kit/batch.ts'
import { newId } from '../../../kit/ids.ts'
import { isDatabaseUnreachable, isPostgresError, isTransient } from '../../../kit/postgres/db.ts'
import { maxTransactionMs } from '../../../kit/postgres/pools.ts'
import { recent } from '../../../kit/recent.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { type Lane, lanes } from '../shapes.ts'
import { leaseOf } from './lease/lease.ts'
import { type ClaimedRow, claimTurns, findHeld, openBuckets, readDecisions, returnTokens, undoClaims } from './sql.ts'

/** An email this process has claimed. `lost` becomes true when another worker may have claimed it: then it is left alone. */
export interface ClaimedEmail extends ClaimedRow {
  lane: Lane
  claim: string
  lost: boolean
  /** When what decides whether it is sent was read, in ms of the monotonic clock. */
  readAt: number
  /** Whether nobody has confirmed its claim yet, to send it: what decides on it may be read ahead. */
  waits: boolean
}

/** A project whose turn it is: its emails after an id are claimed, at most `want`. */
export interface Turn {
  projectId: string
  after: string
  want: number
}

/** What a project was given in its turn. `granted` is how many emails its sending rate allows, at most `want`. */
export interface Claimed {
  projectId: string
  granted: number
  emails: ClaimedEmail[]
}

/** Claims emails of some projects in one lane, oldest first; one result per project. */
export async function claimEmails(world: World, lane: Lane, turns: Turn[]): Promise<Claimed[]> {
  const { db, clock, config } = world
  const lease = leaseOf(world)
  await renewClaims(world)
  const claim = newId('claim', clock.now())
  const sorted = turns.toSorted((one, other) => (one.projectId < other.projectId ? -1 : 1))
  if ([...unansweredOf(world)].some(({ undone }) => !undone)) await undoUnanswered(world)
  const projects = sorted.map(({ projectId }) => projectId)
  if (config.SEND_RATE_PER_PROJECT > 0) await requireBuckets(world, projects)
  const [laneNumber, endMs] = [lanes.indexOf(lane), lease.endMs()]
  const values = [
    projects,
    sorted.map(({ after }) => after),
    sorted.map(({ want }) => want),
    laneNumber,
    lease.worker,
    claim,
    config.SEND_RATE_PER_PROJECT,
    clock.aheadMs,
    lease.mayTakeOver(),
    endMs,
  ]
  // From before it was read: what changed while Postgres was at work may not be in it.
  const readAt = performance.now()
  const rows = await db.lookups.run(claimTurns, values).catch((error: unknown) => {
    const isAnswered = isPostgresError(error) && !isDatabaseUnreachable(error)
    if (!isAnswered)
      unansweredOf(world).add({ projects, lane: laneNumber, claim, overMs: endMs + maxTransactionMs + marginMs, undone: false })
    throw error
  })
  const empty = (projectId: string): [string, Claimed] => [projectId, { projectId, granted: 0, emails: [] }]
  const claimed = new Map(projects.map(empty))
  for (const row of rows) {
    const of = claimed.get(row.projectId)
    if (of) of.granted = row.granted
    if (row.id !== null) of?.emails.push(hold(world, { ...row, lane, claim, lost: false, waits: true, readAt }))
  }
  return [...claimed.values()]
}

// Once per project and process.
async function requireBuckets(world: World, projects: string[]): Promise<void> {
  const { db, clock, config } = world
  const opened = openedBuckets(world)
  const missing = projects.filter((projectId) => opened.get(projectId) === undefined)
  if (missing.length === 0) return
  await db.lookups.run(openBuckets, [missing, config.SEND_RATE_PER_PROJECT, clock.aheadMs])
  for (const projectId of missing) opened.set(projectId, true)
}

const openedBuckets = perWorld(() => recent<string, true>({ max: 10_000 }))

function hold(world: World, email: ClaimedEmail): ClaimedEmail {
  held(world).add(email)
  return email
}

/** Renews the lease of this process, unless it was renewed recently; if it had ended, finds out which claims other workers have taken. */
export function renewClaims(world: World): Promise<void> {
  const { running } = renewals(world)
  if (running) return running
  const renewal = renew(world).finally(() => {
    renewals(world).running = undefined
  })
  renewals(world).running = renewal
  return renewal
}

const renewals = perWorld((): { running: Promise<void> | undefined } => ({ running: undefined }))

function renew(world: World): Promise<void> {
  return leaseOf(world).renew(() => dropLostClaims(world))
}

/**
 * Whether an email may be sent: this process holds its claim. If its lease has ended, as it does when Postgres is unavailable,
 * this waits until it is renewed, or the world closes.
 */
export async function confirmClaim(world: World, email: ClaimedEmail): Promise<boolean> {
  email.waits = false
  while (!email.lost && !leaseOf(world).holds() && !world.closing.aborted) {
    try {
      await renewClaims(world)
    } catch (error) {
      if (!isTransient(error)) throw error
      await sleep(unavailableWaitMs)
    }
  }
  return holdsClaim(world, email)
}

/** Whether this process holds the claim of an email, as far as it knows without asking. */
export function holdsClaim(world: World, email: ClaimedEmail): boolean {
  return !email.lost && leaseOf(world).holds()
}

const unavailableWaitMs = 500

/**
 * Reads again what decides whether an email is sent, unless it was read a moment ago: it may have waited for a
 * connection meanwhile. An email that is not claimed by this process any more, or was deleted, becomes `lost`.
 */
export async function refreshDecisions(world: World, email: ClaimedEmail): Promise<void> {
  if (isFresh(email)) return
  const decisions = await decisionsOf(world)(email)
  if (decisions) Object.assign(email, decisions)
  else email.lost = true
}

/** Whether what decides whether an email is sent was read within the last 200 ms, or as many as are given. */
export function isFresh({ readAt }: ClaimedEmail, maxAgeMs = freshMs): boolean {
  return performance.now() - readAt < maxAgeMs
}

/** How long an email may leave on what was read of it, in ms: after so long, whatever was decided before holds for all. */
export const freshMs = 200
const maxRead = 200
const maxReadAhead = 64

const decisionsOf = perWorld((world) =>
  batch(async (asked: ClaimedEmail[]) => {
    const emails = [...asked, ...nextAfter(world, asked)]
    const column = (key: 'projectId' | 'id' | 'claim'): string[] => emails.map((email) => email[key])
    const readAt = performance.now()
    const rows = await world.db.lookups.run(readDecisions, [column('projectId'), column('id'), column('claim')])
    const found = new Map(rows.map((row) => [row.id, { ...row, readAt }]))
    for (const email of emails.slice(asked.length)) {
      const decisions = found.get(email.id)
      if (decisions) Object.assign(email, decisions)
    }
    return asked.map(({ id }) => found.get(id))
  }, maxRead),
)

// Those that have no connection yet, oldest first: their turn comes next, so that one statement serves many of them.
function nextAfter(world: World, asked: ClaimedEmail[]): ClaimedEmail[] {
  const next: ClaimedEmail[] = []
  if (asked.length >= maxReadAhead) return next
  for (const email of held(world)) {
    if (next.length === maxReadAhead) return next
    if (email.waits && !email.lost && !isFresh(email)) next.push(email)
  }
  return next
}

/** Stops holding a claim: the email is settled, or another worker has claimed it. */
export function releaseClaim(world: World, email: ClaimedEmail): void {
  held(world).delete(email)
}

/** Gives back to the sending rate of its project what an email took that did not leave. */
export async function returnToken(world: World, { projectId }: ClaimedEmail): Promise<void> {
  if (world.config.SEND_RATE_PER_PROJECT === 0) return
  try {
    await tokensOf(world)(projectId)
  } catch (error) {
    if (!isTransient(error)) throw error
    world.log.debug({ err: error, projectId }, 'emails: a token of the sending rate was not given back')
  }
}

const tokensOf = perWorld(({ db, config }) =>
  batch(async (projects: string[]) => {
    const counts = [...Map.groupBy(projects, (projectId) => projectId)].map(([projectId, all]) => ({ projectId, count: all.length }))
    const values = [counts.map(({ projectId }) => projectId), counts.map(({ count }) => count), config.SEND_RATE_PER_PROJECT]
    await db.lookups.run(returnTokens, values)
    return projects.map(() => undefined)
  }, maxRead),
)

/** How many claims this process holds. */
export function countClaimed(world: World): number {
  return held(world).size
}

async function dropLostClaims(world: World): Promise<void> {
  const emails = [...held(world)]
  if (emails.length === 0) return
  const rows = await world.db.lookups.run(findHeld, [
    emails.map(({ projectId }) => projectId),
    emails.map(({ id }) => id),
    emails.map(({ claim }) => claim),
  ])
  const still = new Set(rows.map(({ id }) => id))
  for (const email of emails) if (!still.has(email.id)) email.lost = true
}

const held = perWorld(() => new Set<ClaimedEmail>())

/** A claim whose answer was lost with its connection: it may have been committed, or may still be. */
interface Unanswered {
  projects: string[]
  lane: number
  claim: string
  /** The time of Postgres's clock, in ms since 1970, from which it cannot be committed any more. */
  overMs: number
  /** Whether it was undone once. */
  undone: boolean
}

const unansweredOf = perWorld(() => new Set<Unanswered>())
// For a commit that takes its time.
const marginMs = 5_000

/**
 * Gives back what claims have taken whose answers were lost: as long as this process lives, nobody else takes over what it has
 * claimed. Postgres may be at work on such a claim, or not have read it yet: so it is undone again and again, until its lease
 * has ended, after which it takes nothing, and the longest transaction that could have begun before.
 */
export async function undoUnanswered(world: World): Promise<void> {
  const lost = [...unansweredOf(world)]
  if (lost.length === 0) return
  const pairs = new Map(lost.flatMap(({ projects, lane }) => projects.map((projectId) => [`${projectId} ${lane}`, { projectId, lane }])))
  const [row] = await world.db.lookups.run(undoClaims, [
    [...pairs.values()].map(({ projectId }) => projectId),
    [...pairs.values()].map(({ lane }) => lane),
    lost.map(({ claim }) => claim),
    world.clock.aheadMs,
  ])
  for (const one of lost) {
    one.undone = true
    if (row && row.nowMs > one.overMs) unansweredOf(world).delete(one)
  }
}
