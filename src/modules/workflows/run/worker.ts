import { loop } from '../../../kit/loop.ts'
import { createSlots } from '../../../kit/slots.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { dueExecutionsTopic } from '../wake.ts'
import { advanceExecution, newClaim } from './advance.ts'
import { findTurns, type TakenExecution, takeDue, takeTurns, wakeAhead } from './sql.ts'

const maxAtOnce = 8
const perBatch = 32
const perTurn = 4
const turnsPerBatch = 100
const everyMs = 1_000

const slotsOf = perWorld((world) =>
  createSlots(maxAtOnce, (error) => world.log.error({ err: error }, 'workflows: an execution will be looked at again after its lease')),
)

// Where the turns of projects have got to; used while more is due than fits into a batch.
const turnsOf = perWorld(() => ({ after: '', full: false, next: false }))

/** Takes executions that are due from step to step, as notices say that there are some, and at least once a second. */
export function startRunner(world: World): void {
  const loops = [
    loop(world, { name: 'workflows', everyMs, topic: dueExecutionsTopic, work: () => advanceDue(world) }),
    loop(world, { name: 'stalled executions', everyMs: stalledMs, work: () => wakeStalled(world) }),
  ]
  world.atClose(async () => {
    await Promise.all(loops)
    await slotsOf(world).idle()
  })
}

/**
 * Claims the next batch of executions that are due, and starts to take each from step to step, a few at the same time. Returns whether
 * there may be more.
 */
export async function advanceDue(world: World): Promise<boolean> {
  const claim = newClaim(world)
  const taken = await take(world, claim)
  for (const one of taken) await slotsOf(world).start(() => advanceExecution(world, claim, one))
  return taken.length > 0
}

const stalledMs = 30_000
// Longer than any lease.
const maxWaitMs = 10 * 60_000
const maxWoken = 1_000
// Less than that is no reason to look.
const setBackMs = 60_000

// The time when this process looked last, by its clock and by one that nobody sets.
const lookedOf = perWorld((): { at: number; monotonic: number } => ({ at: Number.POSITIVE_INFINITY, monotonic: 0 }))

/**
 * Continues executions that no lease can hold for so long: the clock of a machine was ahead, and they would stand still until its time
 * has come. That reads everything that waits, so it is done when this process begins, and when its clock was set back. Returns whether
 * there may be more.
 */
export async function wakeStalled(world: World): Promise<boolean> {
  const looked = lookedOf(world)
  const now = world.clock.now()
  const monotonic = performance.now()
  const wasSetBack = now.getTime() - looked.at < monotonic - looked.monotonic - setBackMs
  const woken = wasSetBack ? await world.db.run(wakeAhead, [now, new Date(now.getTime() + maxWaitMs), maxWoken]) : []
  if (woken.length === maxWoken) return true
  Object.assign(looked, { at: now.getTime(), monotonic })
  return false
}

/** Resolves as soon as this process works on no execution. */
export async function runnerIdle(world: World): Promise<void> {
  await slotsOf(world).idle()
}

// Those that have been due longest. While a batch is full, every other one takes a few of each project, so that none waits behind the
// backlog of another.
async function take(world: World, claim: string): Promise<TakenExecution[]> {
  if (world.closing.aborted) return []
  const turns = turnsOf(world)
  const now = world.clock.now()
  const until = new Date(now.getTime() + world.config.CLAIM_SECONDS * 1_000)
  turns.next = turns.full && !turns.next
  if (turns.next) {
    const projects = await nextProjects(world, now)
    if (projects.length > 0) return world.db.lookups.run(takeTurns, [now, perTurn, claim, until, projects])
  }
  const taken = await world.db.lookups.run(takeDue, [now, perBatch, claim, until])
  turns.full = taken.length === perBatch
  return taken
}

async function nextProjects(world: World, now: Date): Promise<string[]> {
  const turns = turnsOf(world)
  const found = await world.db.lookups.run(findTurns, [now, turns.after, turnsPerBatch])
  turns.after = found.length < turnsPerBatch ? '' : (found.at(-1)?.projectId ?? '')
  return found.filter(({ due }) => due).map(({ projectId }) => projectId)
}
