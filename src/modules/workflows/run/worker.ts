import { loop } from '../../../kit/loop.ts'
import { isTransient } from '../../../kit/postgres/db.ts'
import { createSignal } from '../../../kit/signal.ts'
import { createTally } from '../../../kit/tally.ts'
import { createTurns } from '../../../kit/turns.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { dueExecutionsTopic } from '../wake.ts'
import { advanceExecution, newClaim } from './advance.ts'
import { findTurns, type TakenExecution, takeDue, takeTurns } from './sql.ts'
import { stalledMs, wakeStalled } from './stalled.ts'

const maxAtOnce = 8
// Of one owner, and of the connections: whatever its steps take, another one finds a place.
const maxPerOwner = 6
const shareOfConnections = 0.6
const perBatch = 32
const perTurn = 4
const turnsPerBatch = 100
const everyMs = 1_000
// Claimed by this process, of one owner and in all: those that wait for their turn keep their leases.
const maxHeldPerOwner = perBatch
const maxHeld = 8 * perBatch

const runnerOf = perWorld((world) => ({
  turns: createTurns({
    max: maxAtOnce,
    maxPerOwner: Math.min(maxPerOwner, Math.ceil(world.config.DATABASE_POOL_SIZE * shareOfConnections)),
  }),
  /** How many executions this process has claimed, by their owners. */
  held: createTally(),
  running: 0,
  /** Notified when executions may be due, and when none waits for its turn any more. */
  changed: createSignal(world.closing),
  /** Notified when this process works on no execution. */
  idle: createSignal(),
  /** The project whose turn was last; used while more is due than fits into a batch. */
  after: '',
  full: false,
  next: false,
}))

/** Takes executions that are due from step to step, as notices say that there are some, and at least once a second. */
export function startRunner(world: World): void {
  const { changed } = runnerOf(world)
  const plan = { name: 'workflows', everyMs, topic: dueExecutionsTopic, signal: changed }
  const loops = [
    loop(world, { ...plan, work: () => advanceDue(world) }),
    loop(world, { name: 'stalled executions', everyMs: stalledMs, work: () => wakeStalled(world) }),
  ]
  world.atClose(async () => {
    await Promise.all(loops)
    await runnerIdle(world)
  })
}

/**
 * Claims the next batch of executions that are due, and begins to take each from step to step, a few at the same time: owners take
 * turns, and an execution with many steps goes to the end of its owner's. While some wait for their turn only executions of owners with
 * few of them are claimed, and it resolves when there are such or none waits. Returns whether there may be more.
 */
export async function advanceDue(world: World): Promise<boolean> {
  if (world.closing.aborted) return false
  const runner = runnerOf(world)
  if (runner.held.total === runner.running) return claimBatch(world)
  const { found, isEnd } = await claimTurns(world)
  if (!found && isEnd) await runner.changed.wait(everyMs)
  return true
}

/** Resolves as soon as this process works on no execution. */
export async function runnerIdle(world: World): Promise<void> {
  const runner = runnerOf(world)
  while (runner.held.total > 0) await runner.idle.wait()
}

// Those that have been due longest. While a batch is full, every other one takes a few of each project, so that none waits behind the
// backlog of another.
async function claimBatch(world: World): Promise<boolean> {
  const runner = runnerOf(world)
  runner.next = runner.full && !runner.next
  if (runner.next && (await claimTurns(world)).found) return true
  const { now, claim, until } = leaseOf(world)
  const taken = await world.db.lookups.run(takeDue, [now, perBatch, claim, until])
  runner.full = taken.length === perBatch
  begin(world, { claim, until, taken })
  return taken.length > 0
}

// A few of each project whose owner has room; `isEnd` after the last project.
async function claimTurns(world: World): Promise<{ found: boolean; isEnd: boolean }> {
  const runner = runnerOf(world)
  const { now, claim, until } = leaseOf(world)
  const turns = await world.db.lookups.run(findTurns, [now, runner.after, turnsPerBatch])
  const room = new Map<string, number>()
  let left = maxHeld - runner.held.total
  const projects: string[] = []
  let last = turns.length < turnsPerBatch ? '' : (turns.at(-1)?.projectId ?? '')
  for (const { projectId, owner, due } of turns) {
    const free = room.get(owner) ?? maxHeldPerOwner - runner.held.of(owner)
    if (!due || free < perTurn) continue
    if (left < perTurn) break
    room.set(owner, free - perTurn)
    left -= perTurn
    projects.push(projectId)
    if (left < perTurn) last = projectId
  }
  runner.after = last
  if (projects.length === 0) return { found: false, isEnd: last === '' }
  const taken = await world.db.lookups.run(takeTurns, [now, perTurn, claim, until, projects])
  begin(world, { claim, until, taken })
  return { found: taken.length > 0, isEnd: last === '' }
}

function leaseOf(world: World): { now: Date; claim: string; until: Date } {
  const now = world.clock.now()
  return { now, claim: newClaim(world), until: leaseFrom(world, now) }
}

function leaseFrom({ config }: World, now: Date): Date {
  return new Date(now.getTime() + config.CLAIM_SECONDS * 1_000)
}

function begin(world: World, { claim, until, taken }: { claim: string; until: Date; taken: TakenExecution[] }): void {
  for (const one of taken) void hold(world, one.owner, () => advance(world, { claim, until, taken: one }))
}

async function hold(world: World, owner: string, work: () => Promise<void>): Promise<void> {
  const runner = runnerOf(world)
  runner.held.add(owner, 1)
  try {
    await work()
  } catch (error) {
    // That the database is away is logged once, by what watches it.
    world.log[isTransient(error) ? 'debug' : 'error']({ err: error }, 'workflows: an execution will be looked at again after its lease')
  } finally {
    runner.held.add(owner, -1)
    if (runner.held.total === runner.running) runner.changed.notify()
    if (runner.held.total === 0) runner.idle.notify()
  }
}

async function advance(world: World, { claim, until, taken }: { claim: string; until: Date; taken: TakenExecution }): Promise<void> {
  const runner = runnerOf(world)
  let lease = until
  for (let at: TakenExecution | null = taken; at; ) {
    const from: TakenExecution = at
    at = await runner.turns.run(from.owner, async () => {
      const now = world.clock.now()
      // Somebody else may have it by now.
      if (now >= lease) return null
      runner.running++
      try {
        return await advanceExecution(world, claim, from)
      } finally {
        runner.running--
        // Each step has begun a new one.
        lease = leaseFrom(world, now)
      }
    })
  }
}
