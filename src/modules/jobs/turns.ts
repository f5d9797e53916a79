import { newId } from '../../kit/ids.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { type ClaimedJob, JobKind, jobQueues } from './shapes.ts'
import { addTicket, claimNext, lockTickets } from './sql.ts'

/** A job that this process continues, until `end` is called. */
export interface Turn {
  job: ClaimedJob
  /** The run that holds the job. */
  holder: string
  end(): void
}

const turnsOf = perWorld(() => ({ runs: new Set<string>(), lastClaim: Promise.resolve<unknown>(undefined) }))

/**
 * Claims the next job of a kind, or null when none is due: of the owner, and of the project, that has waited longest since its last turn,
 * the oldest one. A process works on one job at a time of each owner, however many projects that one has.
 */
export async function beginTurn(world: World, kind: JobKind): Promise<Turn | null> {
  const turns = turnsOf(world)
  const claim = async (): Promise<Turn | null> => {
    const holder = newId('claim', world.clock.now())
    const values = [kind, holder, world.clock.aheadMs, world.config.CLAIM_SECONDS, [...turns.runs]]
    const [job] = await world.db.lookups.run(claimNext, values)
    if (!job) return null
    turns.runs.add(holder)
    return { job, holder, end: () => turns.runs.delete(holder) }
  }
  // One after the other, or two workers could claim two jobs of one owner.
  const claimed = turns.lastClaim.then(claim, claim)
  turns.lastClaim = claimed
  return claimed
}

/** Queues a ticket if a job of a kind has been due for some seconds and no ticket waits. */
export async function requireTicket({ db, clock, jobs }: World, kind: JobKind, dueSeconds: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(lockTickets, [])
    const added = await tx.run(addTicket[kind], [clock.aheadMs, dueSeconds])
    if (added.length > 0) tx.afterCommit(() => jobs.wake(jobQueues[kind]))
  })
}

/**
 * Queues tickets for jobs whose worker has crashed, for those whose ticket was lost, and for those of projects that are no longer
 * suspended: due for CLAIM_SECONDS while no ticket waits. Tickets name no job, so one per kind is enough: each turn that ends leaves another one while jobs are due.
 */
export async function resumeJobs(world: World): Promise<void> {
  for (const kind of JobKind.options) await requireTicket(world, kind, world.config.CLAIM_SECONDS)
}
