import type { Ctx } from '../../kit/context.ts'
import { isDatabaseUnavailable } from '../../kit/postgres/db.ts'
import { createSignal } from '../../kit/signal.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { getJob, jobsTopic } from './job.ts'
import type { JobRow } from './shapes.ts'
import { selectWatched } from './sql.ts'

// Notices are hints and may be lost: while jobs are watched, they are read at least this often.
const idleMs = 1_000
// A job of many chunks has many notices: its watchers see at most so many states a second.
const pauseMs = 100

type Result = IteratorResult<JobRow, undefined>

/**
 * Streams a job: first as it is, then whenever it has changed, until it has ended; its last state is always the final one.
 * States that a slow reader has not read yet are replaced by newer ones. Fails with RESOURCE_NOT_FOUND; ends early when the
 * job is removed with its project, and when the world closes.
 */
export async function watchJob(
  ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>,
  { id }: { id: string },
): Promise<AsyncIterableIterator<JobRow, undefined>> {
  // Before the first read, so that no change after it is missed.
  const watch = new Watch(ctx.projectId, id, () => followerOf(ctx.world).remove(watch))
  followerOf(ctx.world).add(watch)
  try {
    watch.begin(await getJob(ctx, { id }))
  } catch (error) {
    await watch.return()
    throw error
  }
  return watch
}

/** One subscriber of a job, with the newest state it has not read. `return()` ends it at once, even while `next()` waits. */
class Watch implements AsyncIterableIterator<JobRow, undefined> {
  readonly projectId: string
  readonly id: string
  private readonly onEnd: () => void
  private unread: JobRow | undefined
  private seen = ''
  private ended = false
  private waiting: ((result: Result) => void)[] = []

  constructor(projectId: string, id: string, onEnd: () => void) {
    this.projectId = projectId
    this.id = id
    this.onEnd = onEnd
  }

  /** Passes on the first state, unless a newer one was read meanwhile. */
  begin(job: JobRow): void {
    if (this.seen === '') this.offer(job)
  }

  /** Passes on a state, unless it is the same as before; the stream ends after a final one. */
  offer(job: JobRow): void {
    const state = `${job.state} ${job.progress}`
    if (this.ended || state === this.seen) return
    this.seen = state
    const [next] = this.waiting.splice(0, 1)
    if (next) next({ done: false, value: job })
    else this.unread = job
    if (job.finishedAt) this.finish()
  }

  /** Ends the stream after the state that is unread, if there is one. */
  finish(): void {
    if (this.ended) return
    this.ended = true
    this.onEnd()
    for (const waiting of this.waiting.splice(0)) waiting({ done: true, value: undefined })
  }

  async next(): Promise<Result> {
    const value = this.unread
    this.unread = undefined
    if (value) return { done: false, value }
    if (this.ended) return { done: true, value: undefined }
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  async return(): Promise<Result> {
    this.unread = undefined
    this.finish()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

/** Reads the jobs that are watched in a process, all in one statement, when one of them has changed. */
const followerOf = perWorld(createFollower)

function createFollower(world: World) {
  const open = new Set<Watch>()
  const wake = createSignal(world.closing)
  let following = false

  world.notices.listen(jobsTopic, (ids) => {
    if ([...open].some(({ id }) => !ids || ids.includes(id))) wake.notify()
  })
  world.closing.addEventListener('abort', () => {
    for (const watch of [...open]) watch.finish()
  })

  async function read(): Promise<void> {
    const watched = [...open]
    const values = [watched.map(({ projectId }) => projectId), watched.map(({ id }) => id)]
    const jobs = new Map((await world.db.run(selectWatched, values)).map((job) => [`${job.projectId} ${job.id}`, job]))
    for (const watch of watched) {
      const job = jobs.get(`${watch.projectId} ${watch.id}`)
      if (job) watch.offer(job)
      else watch.finish()
    }
  }

  async function follow(): Promise<void> {
    while (open.size > 0 && !world.closing.aborted) {
      await wake.wait(idleMs)
      await read().catch((error: unknown) => {
        world.log[isDatabaseUnavailable(error) ? 'debug' : 'error']({ err: error }, 'jobs: watched jobs could not be read, trying again')
      })
      await new Promise<void>((resolve) => setTimeout(resolve, pauseMs).unref())
    }
    following = false
  }

  return {
    add(watch: Watch): void {
      open.add(watch)
      world.metrics.subscribers.inc()
      if (world.closing.aborted) watch.finish()
      else if (!following) {
        following = true
        void follow()
      }
    },
    remove(watch: Watch): void {
      if (!open.delete(watch)) return
      world.metrics.subscribers.dec()
      if (open.size === 0) wake.notify()
    },
  }
}
