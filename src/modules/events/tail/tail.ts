import type { Ctx } from '../../../kit/context.ts'
import { badCursor } from '../../../kit/paging.ts'
import { isDatabaseUnavailable } from '../../../kit/postgres/db.ts'
import { createSignal } from '../../../kit/signal.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { eventsTopic } from '../log.ts'
import { fromCursor, type Position } from './position.ts'
import { type Reading, readLog } from './read.ts'
import { type StreamedLine, Subscriber } from './subscriber.ts'

/** What a subscriber wants to see. */
export interface Watch {
  /** Go on after this cursor; without it the stream begins now. */
  after?: string | undefined
  /** Only these lines. */
  accepts?: (line: StreamedLine) => boolean
}

// Notices are hints and may be lost, so the table is looked at this often while somebody watches.
const idleMs = 1_000
// Lines are there but an older transaction is still open: look again soon, ever less often.
const pendingMs = { first: 5, most: 250 }
const awayMs = 500

/**
 * Every line of the project's log after the cursor, in order and each exactly once: first from the table, then as they
 * are committed. Throws BAD_REQUEST for a cursor that is none of this database; ends with STREAM_INTERRUPTED when more
 * than 1,000 lines wait unread, and quietly when the world closes.
 */
export async function watchLog(
  { world, projectId }: Pick<Ctx, 'world' | 'projectId'>,
  { after, accepts = () => true }: Watch,
): Promise<AsyncIterableIterator<StreamedLine, undefined>> {
  const first = await readLog(world, after === undefined ? undefined : fromCursor(after), projectId)
  if (first.ahead) throw badCursor()
  const tail = openTail(world)
  const subscriber = new Subscriber(projectId, first.after, accepts, () => tail.leave(subscriber))
  tail.enter(subscriber)
  catchUp(world, tail, subscriber, first).catch((error: unknown) => subscriber.finish(error))
  return subscriber
}

// From the table up to the tail's place, then joined to the tail, then what lies between the two.
async function catchUp(world: World, tail: Tail, subscriber: Subscriber, first: Reading): Promise<void> {
  const upTo = await replay(world, subscriber, first)
  subscriber.hold()
  const behind = await tail.join(subscriber, upTo)
  if (behind) await replay(world, subscriber, await patiently(world, () => readLog(world, upTo, subscriber.projectId)))
  await subscriber.drained()
  subscriber.release()
}

async function replay(world: World, subscriber: Subscriber, first: Reading): Promise<Position> {
  let reading = first
  for (;;) {
    for (const { line, position } of reading.lines) subscriber.offer(line, position)
    if (!reading.more || subscriber.ended) return reading.upTo
    await subscriber.drained()
    const { upTo } = reading
    reading = await patiently(world, () => readLog(world, upTo, subscriber.projectId))
  }
}

async function patiently<T>(world: World, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || world.closing.aborted) throw error
      await new Promise<void>((resolve) => setTimeout(resolve, awayMs).unref())
    }
  }
}

type Tail = ReturnType<typeof createTail>

/** The end of the log, followed once a process for all its subscribers: one query a wake-up, whoever watches. */
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

  // Only between two looks at the table: a look under way does not ask for the new project's lines.
  function admit(): void {
    for (const { subscriber, from, joined } of joining.splice(0)) {
      at ??= from
      if (!subscriber.ended) watched.set(subscriber.projectId, (watched.get(subscriber.projectId) ?? new Set()).add(subscriber))
      joined(at !== from)
    }
  }

  async function look(pausedMs: number): Promise<number> {
    if (!at || watched.size === 0) return 0
    const reading = await readLog(world, at, [...watched.keys()])
    at = reading.upTo
    for (const { line, position, projectId } of reading.lines) {
      for (const subscriber of watched.get(projectId) ?? []) subscriber.offerLive(line, position)
    }
    if (reading.more) return 0
    return reading.pending ? Math.min(Math.max(pendingMs.first, pausedMs * 2), pendingMs.most) : idleMs
  }

  async function follow(): Promise<void> {
    let pauseMs = 0
    while ((watched.size > 0 || joining.length > 0) && !world.closing.aborted) {
      admit()
      pauseMs = await look(pauseMs < idleMs ? pauseMs : 0).catch((error: unknown) => {
        world.log[isDatabaseUnavailable(error) ? 'debug' : 'error']({ err: error }, 'live stream: the log could not be read, trying again')
        return awayMs
      })
      if (pauseMs > 0) await wake.wait(pauseMs)
    }
    following = false
    at = undefined
  }

  return {
    /** Counts a subscriber in: it is ended with the world. */
    enter(subscriber: Subscriber): void {
      open.add(subscriber)
      world.metrics.subscribers.inc()
      if (world.closing.aborted) subscriber.finish()
    },
    /** Offers a subscriber every line from now on. Answers whether lines after `from` were handed out before that. */
    async join(subscriber: Subscriber, from: Position): Promise<boolean> {
      return new Promise((joined) => {
        joining.push({ subscriber, from, joined })
        if (following) return wake.notify()
        following = true
        void follow()
      })
    },
    /** Forgets a subscriber that has ended. */
    leave(subscriber: Subscriber): void {
      if (!open.delete(subscriber)) return
      world.metrics.subscribers.dec()
      const group = watched.get(subscriber.projectId)
      group?.delete(subscriber)
      if (group?.size === 0) watched.delete(subscriber.projectId)
      if (watched.size === 0) wake.notify()
    },
  }
}
