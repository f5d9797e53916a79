import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../kit/context.ts'
import { createSignal } from '../../kit/signal.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { resetsTopic } from './erase.ts'
import type { ProjectResetJob } from './shapes.ts'
import { isRunning } from './sql.ts'

// A notice may be lost with its connection.
const lookAgainMs = 2_000

/** What all calls of this process that wait for one reset have in common. */
interface Watch {
  callers: number
  /** Whether it has ended; false when nobody waits any more, or the world closes. */
  ended: Promise<boolean>
  /** Called when a caller stops waiting. */
  leave(): void
}

const watchesOf = perWorld(() => new Map<string, Watch>())

/**
 * Whether a reset ends within so many milliseconds; false as well when the caller has left before. However many calls wait for it, a
 * process looks it up once at first, when a notice says that it has ended, and every 2 s in case that notice was lost.
 */
export async function endsWithin({ world, left }: Pick<Ctx, 'world' | 'left'>, job: ProjectResetJob, ms: number): Promise<boolean> {
  const watch = watchesOf(world).get(job.id) ?? watchReset(world, job)
  const answered = new AbortController()
  const gone = left ? AbortSignal.any([left(), answered.signal]) : answered.signal
  watch.callers++
  try {
    return await Promise.race([watch.ended, sleep(Math.max(ms, 0), false, { signal: gone }).catch(() => false)])
  } finally {
    answered.abort()
    watch.leave()
  }
}

function watchReset(world: World, { projectId, id }: ProjectResetJob): Watch {
  const watches = watchesOf(world)
  const changed = createSignal(world.closing)
  const hasEnded = async (): Promise<boolean> => {
    // Listen before looking, so that a reset that ends in between is not missed.
    const stopListening = world.notices.listen(resetsTopic, (ids) => {
      if (!ids || ids.includes(id)) changed.notify()
    })
    try {
      // Not with the connections of one caller: it is for all who wait, and one statement at a time.
      while ((await world.db.run(isRunning, [projectId, id])).length > 0)
        if ((await changed.wait(lookAgainMs)) === 'closing' || watch.callers === 0) return false
      return true
    } finally {
      stopListening()
      watches.delete(id)
    }
  }
  const watch: Watch = {
    callers: 0,
    ended: Promise.resolve(false),
    leave() {
      if (--watch.callers === 0) changed.notify()
    },
  }
  watches.set(id, watch)
  watch.ended = hasEnded()
  return watch
}
