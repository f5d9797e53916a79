import { Failure } from '../../kit/errors.ts'
import { createPortion, type Portion } from '../../kit/portion.ts'
import { isContention } from '../../kit/postgres/contention.ts'
import { isDatabaseUnavailable, isTransient, type Transaction } from '../../kit/postgres/db.ts'
import type { World } from '../../kit/world.ts'
import { letReadersKeepUp } from '../events/reader/keep-up.ts'
import { jobsTopic } from './job.ts'
import { type ClaimedJob, JobKind, jobQueues } from './shapes.ts'
import { endJob, holdJob, pauseJob, recordChunk, releaseJob } from './sql.ts'
import { beginTurn, requireTicket, type Turn } from './turns.ts'

const chunksPerTurn = 20
// Others wait for the place of a turn in a process: chunks of wide rows take long.
const maxTurnMs = 3_000
const maxTries = 10
// Contacts have up to 128 KB of data each; how much those of a chunk have is not known of every kind of job before they are written.
const portions = { first: 1 / 8, min: 1 / 64 }
const maxPieceBytes = 2 * 1024 * 1024

type Result = ClaimedJob['result']

/** A job that one run holds: what it writes is dropped once another one has it. */
type HeldJob = ClaimedJob & Pick<Turn, 'holder'>

/** A chunk that is ready to be committed. */
export interface Chunk {
  /** Where to continue after it. */
  place: object
  /** Percent of the work that is done after it. */
  progress: number
  /** Whether nothing is left after it. */
  last: boolean
  /** How many bytes of rows it writes again, where that may be much. */
  bytes?: number
  /** Writes it, in the transaction that records it, and returns the result so far; `before` is that before it. Again after a deadlock. */
  write(tx: Transaction, before: Result): Promise<object>
  /** The same work in two chunks, for when it takes long or others write the same rows; null when it cannot be divided. */
  halves?(): [Chunk, Chunk] | null
}

/** How a kind of job is done: the chunks from the place of a claimed job on, until they end or the turn does. */
export type ChunksOf = (world: World, job: ClaimedJob) => AsyncIterable<Chunk>

/** Another run has taken the job over, or it was cancelled or removed: nothing of the chunk is committed. */
class JobLost extends Error {}

/** The project has been suspended: nothing of the chunk is committed. */
class JobPaused extends Error {}

/**
 * Continues the next job of a kind for some chunks, then queues the rest; the owners of projects take turns. A chunk is committed together with
 * the place to continue from, and only by the run that holds the job, so that every chunk counts once, whatever crashes and
 * however many workers run. A Failure ends the job as `failed` with its sentence; anything else, and SERVICE_UNAVAILABLE, is tried
 * again, ten times without progress at most. While its project is suspended a job keeps its state and its place, and no chunk is committed;
 * resumeJobs finds it when that is over.
 */
export async function runJob(world: World, kind: JobKind, chunksOf: ChunksOf): Promise<void> {
  const turn = await beginTurn(world, kind)
  if (!turn) return
  const isRecorded = await runClaimed(world, turn, chunksOf).finally(turn.end)
  // For the jobs of this owner, of any kind, that other workers of this process left to this one.
  if (isRecorded) for (const each of JobKind.options) await requireTicket(world, each, 0)
}

// Returns whether the outcome could be recorded.
async function runClaimed(world: World, { job: claimed, holder }: Turn, chunksOf: ChunksOf): Promise<boolean> {
  const job = { ...claimed, holder }
  try {
    if (job.tries > maxTries)
      throw new Failure('INTERNAL_SERVER_ERROR', 'It was tried ten times without progress. What was done before stays.')
    if (await runTurn(world, job, chunksOf)) await end(world, job, { state: 'completed' })
    else await giveBack(world, job)
  } catch (error) {
    if (error instanceof JobLost) return true
    if (error instanceof JobPaused) return pause(world, job)
    if (!(error instanceof Failure) || error.code === 'SERVICE_UNAVAILABLE') return retryLater(world, job, error)
    await end(world, job, { state: 'failed', reason: error.message })
  }
  return true
}

// Returns whether the job is done.
async function runTurn(world: World, job: HeldJob, chunksOf: ChunksOf): Promise<boolean> {
  const begunAt = performance.now()
  const portion = createPortion(portions)
  let chunks = 0
  let result = job.result
  for await (const chunk of chunksOf(world, job)) {
    chunks++
    const pieces: Piece[] = [{ chunk, share: 1 }]
    const maxShare = maxPieceBytes / (chunk.bytes ?? 1)
    for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
      const halves = piece.share > Math.min(portion.share(), maxShare) ? halvesOf(piece) : null
      const written = halves ? null : await commit(world, job, { ...piece, result, portion })
      if (written === null) {
        pieces.unshift(...(halves ?? halvesOf(piece) ?? []))
        continue
      }
      result = written
      if (piece.chunk.last) return true
      const isChunkDone = pieces.length === 0
      if ((isChunkDone && chunks >= chunksPerTurn) || performance.now() - begunAt > maxTurnMs || world.closing.aborted) return false
      await letReadersKeepUp(world)
    }
  }
  // The file of a job that was cancelled meanwhile is gone.
  throw new JobLost()
}

/** A chunk or a part of one, and what part. */
interface Piece {
  chunk: Chunk
  share: number
}

function halvesOf({ chunk, share }: Piece): [Piece, Piece] | null {
  const halves = chunk.halves?.() ?? null
  return (
    halves && [
      { chunk: halves[0], share: share / 2 },
      { chunk: halves[1], share: share / 2 },
    ]
  )
}

interface Step extends Piece {
  /** The result before it. */
  result: Result
  portion: Portion
}

// Returns null for a chunk whose rows others keep writing, if it can be divided: the fewer rows it has, the shorter the time in which that
// can happen.
async function commit(world: World, job: HeldJob, step: Step): Promise<object | null> {
  const isDivisible = halvesOf(step) !== null
  try {
    return await commitOnce(world, job, { ...step, ...(isDivisible && { tries: triesBeforeHalving }) })
  } catch (error) {
    if (isDivisible && isContention(error)) return null
    throw error
  }
}

const triesBeforeHalving = 2

async function commitOnce(
  { db, clock, notices }: World,
  { projectId, id, holder }: HeldJob,
  { chunk, result, portion, tries }: Step & { tries?: number },
): Promise<object> {
  const after = await db.transaction(async (tx) => {
    // The job first: whoever cancels it, or takes it over, waits for the chunk and then finds it recorded.
    const held = await tx.run(holdJob, [projectId, id, holder])
    if (held.length === 0) throw new JobLost()
    const begunAt = performance.now()
    const written = await chunk.write(tx, result)
    portion.took(performance.now() - begunAt)
    const values = [projectId, id, JSON.stringify(chunk.place), JSON.stringify(written), chunk.progress, clock.aheadMs]
    if ((await tx.run(recordChunk, values)).length === 0) throw new JobPaused()
    return written
  }, tries)
  notices.publish(jobsTopic, id)
  return after
}

async function giveBack(
  { db, clock, jobs }: World,
  { projectId, id, kind, holder }: HeldJob,
  { pauseSeconds } = { pauseSeconds: 0 },
): Promise<void> {
  await db.transaction(async (tx) => {
    const released = await tx.run(releaseJob, [projectId, id, holder, clock.aheadMs, pauseSeconds])
    if (released.length > 0 && pauseSeconds === 0) await jobs.enqueue(jobQueues[kind], {}, tx)
  })
}

async function pause({ db }: World, { projectId, id, holder }: HeldJob): Promise<boolean> {
  await db.run(pauseJob, [projectId, id, holder])
  return true
}

type End = { state: 'completed' } | { state: 'failed'; reason: string }

async function end({ db, clock, notices }: World, { projectId, id, holder }: HeldJob, how: End): Promise<void> {
  const reason = how.state === 'failed' ? how.reason : null
  await db.run(endJob, [projectId, id, holder, how.state, reason, clock.now()])
  notices.publish(jobsTopic, id)
}

const maxPauseSeconds = 60

async function retryLater(world: World, job: HeldJob, error: unknown): Promise<boolean> {
  const { id, kind, tries } = job
  world.log[isTransient(error) ? 'debug' : 'error']({ err: error, jobId: id, kind, tries }, 'jobs: a chunk failed, will be retried')
  // While Postgres is unavailable nothing can be recorded: resumeJobs finds the job later.
  if (isDatabaseUnavailable(error)) return false
  const pauseSeconds = Math.min(maxPauseSeconds, 2 ** tries)
  await giveBack(world, job, { pauseSeconds })
  await world.jobs.enqueueIn(pauseSeconds, jobQueues[kind], {})
  return true
}
