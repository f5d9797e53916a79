import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ctx } from './context.ts'
import type { Topic } from './notices.ts'
import { isDatabaseUnreachable } from './postgres/db.ts'
import { createSignal } from './signal.ts'
import { perWorld, type World } from './world.ts'

// Notices are hints and may be lost: while rows are watched, they are read at least this often.
const idleMs = 1_000
// A row that changes all the time has many notices: its watchers see at most so many states a second.
const pauseMs = 100
// Each state takes that time for every one of its watchers: a project with very many of them sees fewer states, so that others
// are answered meanwhile.
const perWatcherMs = 2
const maxAtOnce = 20

/** Which row is watched. */
export interface Watched {
  projectId: string
  id: string
}

/** How rows of one kind are watched. */
export interface WatchPlan<Row> {
  /** What the log calls them. */
  name: string
  /** Notices of rows that may have changed. */
  topic: Topic
  /** Whether a notice with these keys may be about a row. */
  touches(keys: readonly string[], row: Watched): boolean
  /** Reads rows in one statement; one that does not exist any more is left out. */
  read(world: World, projects: string[], ids: string[]): Promise<(Row & Watched)[]>
  /** A state that is the same as the one before is not passed on. */
  stateOf(row: Row): string
  /** The stream ends after a final state. */
  isFinal(row: Row): boolean
}

/** Streams a row: its state as `first` reads it, then every other. */
export type WatchRow<Row> = (
  ctx: Pick<Ctx, 'world' | 'projectId'>,
  id: string,
  first: () => Promise<Row>,
) => Promise<AsyncIterableIterator<Row, undefined>>

/**
 * Makes a function that streams rows of one kind: first as a row is, then whenever it has changed, until it has ended; its last state is
 * always the final one. States that a slow reader has not read yet are replaced by newer ones. All rows that are watched in a process are
 * read in one statement. A stream ends early when its row is removed, and when the world closes.
 */
export function watcherOf<Row>(plan: WatchPlan<Row>): WatchRow<Row> {
  const followerOf = perWorld((world) => createFollower(world, plan))
  return async ({ world, projectId }, id, first) => {
    // Before the first read, so that no change after it is missed.
    const watch = new Watch<Row>({ projectId, id }, plan, () => followerOf(world).remove(watch))
    followerOf(world).add(watch)
    try {
      watch.begin(await first())
    } catch (error) {
      await watch.return()
      throw error
    }
    return watch
  }
}

type Result<Row> = IteratorResult<Row, undefined>

/** One subscriber of a row, with the newest state it has not read. `return()` ends it at once, even while `next()` waits. */
class Watch<Row> implements AsyncIterableIterator<Row, undefined> {
  readonly row: Watched
  private readonly plan: Pick<WatchPlan<Row>, 'stateOf' | 'isFinal'>
  private readonly onEnd: () => void
  private unread: Row | undefined
  private seen: string | undefined
  private ended = false
  private waiting: ((result: Result<Row>) => void)[] = []

  constructor(row: Watched, plan: Pick<WatchPlan<Row>, 'stateOf' | 'isFinal'>, onEnd: () => void) {
    this.row = row
    this.plan = plan
    this.onEnd = onEnd
  }

  /** Passes on the first state, unless a newer one was read meanwhile. */
  begin(row: Row): void {
    if (this.seen === undefined) this.offer(row)
  }

  /** Passes on a state, unless it is the same as before; the stream ends after a final one. */
  offer(row: Row): void {
    const state = this.plan.stateOf(row)
    if (this.ended || state === this.seen) return
    this.seen = state
    const [next] = this.waiting.splice(0, 1)
    if (next) next({ done: false, value: row })
    else this.unread = row
    if (this.plan.isFinal(row)) this.finish()
  }

  /** Ends the stream after the state that is unread, if there is one. */
  finish(): void {
    if (this.ended) return
    this.ended = true
    this.onEnd()
    for (const waiting of this.waiting.splice(0)) waiting({ done: true, value: undefined })
  }

  async next(): Promise<Result<Row>> {
    const value = this.unread
    this.unread = undefined
    if (value) return { done: false, value }
    if (this.ended) return { done: true, value: undefined }
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  async return(): Promise<Result<Row>> {
    this.unread = undefined
    this.finish()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

function createFollower<Row>(world: World, plan: WatchPlan<Row>) {
  const open = new Set<Watch<Row>>()
  const wake = createSignal(world.closing)
  const nextOf = new Map<string, number>()
  let following = false

  world.notices.listen(plan.topic, (keys) => {
    if ([...open].some(({ row }) => !keys || plan.touches(keys, row))) wake.notify()
  })
  world.closing.addEventListener('abort', () => {
    for (const watch of [...open]) watch.finish()
  })

  // Those whose project may be passed another state now.
  function dueAt(now: number): Watch<Row>[] {
    const watched: Watch<Row>[] = []
    for (const [projectId, ofProject] of Map.groupBy(open, ({ row }) => row.projectId)) {
      if ((nextOf.get(projectId) ?? 0) > now) continue
      nextOf.set(projectId, now + ofProject.length * perWatcherMs)
      watched.push(...ofProject)
    }
    return watched
  }

  async function read(): Promise<void> {
    const watched = dueAt(performance.now())
    if (watched.length === 0) return
    const rows = await plan.read(
      world,
      watched.map(({ row }) => row.projectId),
      watched.map(({ row }) => row.id),
    )
    const found = new Map(rows.map((row) => [`${row.projectId} ${row.id}`, row]))
    for (const [at, watch] of watched.entries()) {
      // Others are answered between.
      if (at % maxAtOnce === maxAtOnce - 1) await nextTurn()
      const row = found.get(`${watch.row.projectId} ${watch.row.id}`)
      if (row) watch.offer(row)
      else watch.finish()
    }
  }

  async function follow(): Promise<void> {
    while (open.size > 0 && !world.closing.aborted) {
      await wake.wait(idleMs)
      await read().catch((error: unknown) => {
        const level = isDatabaseUnreachable(error) ? 'debug' : 'error'
        world.log[level]({ err: error }, `${plan.name}: those that are watched could not be read, trying again`)
      })
      await new Promise<void>((resolve) => setTimeout(resolve, pauseMs).unref())
    }
    nextOf.clear()
    following = false
  }

  return {
    add(watch: Watch<Row>): void {
      open.add(watch)
      world.metrics.subscribers.inc()
      if (world.closing.aborted) watch.finish()
      else if (!following) {
        following = true
        void follow()
      }
    },
    remove(watch: Watch<Row>): void {
      if (!open.delete(watch)) return
      world.metrics.subscribers.dec()
      if (open.size === 0) wake.notify()
    },
  }
}
