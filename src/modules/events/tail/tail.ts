import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { isDatabaseUnreachable } from '../../../kit/postgres/db.ts'
import { createSignal } from '../../../kit/signal.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { eventsTopic } from '../log.ts'
import { paceOf } from './pace.ts'
import { fromCursor, type Position } from './position.ts'
import { readEnd, readLog } from './read.ts'
import { replay } from './replay.ts'
import { type StreamedLine, Subscriber } from './subscriber.ts'

/** What a subscriber asks for. */
export interface Watch {
  /** Continue after this cursor; without it the stream begins now. */
  after?: string | undefined
  /** Only these lines. */
  accepts?: (line: StreamedLine) => boolean
}

// Notices are hints and may be lost: while there are subscribers, the table is read at least this often.
const idleMs = 1_000
// There are lines that an older open transaction may still precede: read again soon, then less and less often.
const pendingMs = { first: 5, max: 250 }
const retryMs = 500

/** Whose stream it is. */
type Watcher = Pick<Ctx, 'world' | 'projectId'> & Partial<Pick<Ctx, 'account'>>

/**
 * Streams every line of the project's log after the cursor, in order and exactly once: first from the table, then as lines
 * are committed. Throws BAD_REQUEST for a text that is not a cursor, and CURSOR_EXPIRED for a cursor ahead of the log, also
 * later, when the database is replaced by one that lacks its last lines. Fails with STREAM_INTERRUPTED when more than 1,000
 * lines, or 8 MB, are unread, and ends without an error when the world closes.
 */
export async function watchLog(
  { world, projectId, account = '' }: Watcher,
  { after, accepts = () => true }: Watch,
): Promise<AsyncIterableIterator<StreamedLine, undefined>> {
  const from = after === undefined ? undefined : fromCursor(after)
  const end = await readEnd(world, projectId, from)
  const tail = openTail(world)
  const position = from ?? end
  const subscriber = new Subscriber({ projectId, position, accepts, pace: paceOf(world), onEnd: () => tail.remove(subscriber) })
  tail.add(subscriber)
  catchUp(world, tail, subscriber, { account, end }).catch((error: unknown) => subscriber.finish(error))
  return subscriber
}

// Replays the table up to the end of the log, joins the tail, then replays the lines between the two.
async function catchUp(
  world: World,
  tail: Tail,
  subscriber: Subscriber,
  { account, end }: { account: string; end: Position },
): Promise<void> {
  const upTo = subscriber.position === end ? end : await replay(world, subscriber, account, subscriber.position)
  subscriber.holdLive()
  const behind = await tail.join(subscriber, upTo)
  if (behind) await replay(world, subscriber, account, upTo)
  await subscriber.drained()
  subscriber.releaseLive()
}

type Tail = ReturnType<typeof createTail>

/** Follows the end of the log, once per process for all its subscribers: one query per wake-up. */
const openTail = perWorld(createTail)

function createTail(world: World) {
  const open = new Set<Subscriber>()
  const watched = new Map<string, Set<Subscriber>>()
  const joining: { subscriber: Subscriber; from: Position; joined(behind: boolean): void }[] = []
  let at: Position | undefined
  let following = false
  const wake = createSignal(world.closing)

  world.notices.listen(eventsTopic, (projects) => {
    if (watched.size > 0 && (!projects || projects.some((project) => watched.has(project)))) wake.notify()
  })
  world.closing.addEventListener('abort', () => {
    for (const subscriber of [...open]) subscriber.finish()
  })

  // Only between two reads: a read under way does not include the lines of a project that joins now.
  function addJoining(): void {
    for (const { subscriber, from, joined } of joining.splice(0)) {
      at ??= from
      if (!subscriber.ended) watched.set(subscriber.projectId, (watched.get(subscriber.projectId) ?? new Set()).add(subscriber))
      joined(at !== from)
    }
  }

  // More is read when those who read as fast as lines are passed on have what was read.
  async function passed(): Promise<void> {
    while ([...watched.values()].some((group) => [...group].some(({ isPassing }) => isPassing))) await nextTurn()
  }

  async function readNext(pausedMs: number): Promise<number> {
    if (!at || watched.size === 0) return 0
    const reading = await readLog(world, at, [...watched.keys()])
    at = reading.upTo
    for (const offered of reading.lines) {
      for (const subscriber of watched.get(offered.projectId) ?? []) subscriber.offerLive(offered)
    }
    await passed()
    if (reading.more) return 0
    return reading.pending ? Math.min(Math.max(pendingMs.first, pausedMs * 2), pendingMs.max) : idleMs
  }

  function endAll(error: Failure): void {
    for (const subscriber of [...watched.values()].flatMap((group) => [...group])) subscriber.finish(error)
    at = undefined
  }

  async function follow(): Promise<void> {
    let pauseMs = 0
    while ((watched.size > 0 || joining.length > 0) && !world.closing.aborted) {
      addJoining()
      pauseMs = await readNext(pauseMs < idleMs ? pauseMs : 0).catch((error: unknown) => {
        if (error instanceof Failure) endAll(error)
        else
          world.log[isDatabaseUnreachable(error) ? 'debug' : 'error'](
            { err: error },
            'live stream: the log could not be read, trying again',
          )
        return retryMs
      })
      if (pauseMs > 0) await wake.wait(pauseMs)
    }
    following = false
    at = undefined
  }

  return {
    /** Registers a subscriber; it ends with the world. */
    add(subscriber: Subscriber): void {
      open.add(subscriber)
      world.metrics.subscribers.inc()
      if (world.closing.aborted) subscriber.finish()
    },
    /** Offers every line from now on. Resolves to whether the tail was past `from`, so that lines in between are missing. */
    async join(subscriber: Subscriber, from: Position): Promise<boolean> {
      return new Promise((joined) => {
        joining.push({ subscriber, from, joined })
        if (following) return wake.notify()
        following = true
        void follow()
      })
    },
    /** Removes a subscriber that has ended. */
    remove(subscriber: Subscriber): void {
      if (!open.delete(subscriber)) return
      world.metrics.subscribers.dec()
      const group = watched.get(subscriber.projectId)
      group?.delete(subscriber)
      if (group?.size === 0) watched.delete(subscriber.projectId)
      if (watched.size === 0) wake.notify()
    },
  }
}
