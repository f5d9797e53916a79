import { newId } from '../../../kit/ids.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { type Lane, lanes } from '../shapes.ts'
import { leaseOf } from './lease.ts'
import { type ClaimedRow, claimTurns, findHeld, undoClaim } from './sql.ts'

/** An email this process has claimed. `lost` becomes true when another worker may have claimed it: then it is left alone. */
export interface ClaimedEmail extends ClaimedRow {
  lane: Lane
  claim: string
  lost: boolean
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
  if (!(await lease.renew())) await dropLostClaims(world)
  const claim = newId('claim', clock.now())
  const sorted = turns.toSorted((one, other) => (one.projectId < other.projectId ? -1 : 1))
  await undoUnanswered(world)
  const projects = sorted.map(({ projectId }) => projectId)
  const unanswered = { projects, lane: lanes.indexOf(lane), claim }
  const values = [
    projects,
    sorted.map(({ after }) => after),
    sorted.map(({ want }) => want),
    unanswered.lane,
    lease.worker,
    claim,
    config.SEND_RATE_PER_PROJECT,
    clock.aheadMs,
    lease.mayTakeOver(),
  ]
  const rows = await db.lookups.run(claimTurns, values).catch((error: unknown) => {
    unansweredOf(world).add(unanswered)
    throw error
  })
  const claimed = new Map<string, Claimed>(
    sorted.map(({ projectId }): [string, Claimed] => [projectId, { projectId, granted: 0, emails: [] }]),
  )
  for (const row of rows) {
    const of = claimed.get(row.projectId)
    if (!of) continue
    of.granted = row.granted
    if (row.id === null) continue
    const email = { ...row, lane, claim, lost: false }
    of.emails.push(email)
    held(world).add(email)
  }
  return [...claimed.values()]
}

/** Whether an email may still be sent: this process holds its claim. */
export function isClaimed(world: World, email: ClaimedEmail): boolean {
  return !email.lost && leaseOf(world).holds()
}

/** Stops holding a claim: the email is settled, or another worker has claimed it. */
export function releaseClaim(world: World, email: ClaimedEmail): void {
  held(world).delete(email)
}

/** How many claims this process holds. */
export function countClaimed(world: World): number {
  return held(world).size
}

/** After the lease had ended: finds out which emails other workers have claimed meanwhile. */
export async function dropLostClaims(world: World): Promise<void> {
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

interface Unanswered {
  projects: string[]
  lane: number
  claim: string
}

// Claims whose answer was lost with its connection: they may have been committed, and as long as this process lives nobody else
// takes over what it holds.
const unansweredOf = perWorld(() => new Set<Unanswered>())

async function undoUnanswered(world: World): Promise<void> {
  for (const one of unansweredOf(world)) {
    await world.db.lookups.run(undoClaim, [one.projects, one.lane, one.claim])
    unansweredOf(world).delete(one)
  }
}
