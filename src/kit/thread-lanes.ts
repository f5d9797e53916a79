import { Failure } from './errors.ts'
import { recent } from './recent.ts'
import { createShare } from './share.ts'
import { createThreads, TaskDropped, TaskKilled, type Threads, type ThreadsPlan } from './threads.ts'
import type { Owners } from './turns.ts'
import type { World } from './world.ts'

/** Threads for tasks of which some take long: a quick one never waits for them, whoever sent how many. */
export interface ThreadLanes<In, Out> {
  /**
   * Runs a task of owners, such as an account and a project, one at a time of each. `load` makes its input when it is its turn, and
   * once more when the task turns out to take long. Rejects with TaskKilled when it exceeds a limit; fails with SERVICE_UNAVAILABLE
   * when its turn has not come in time or before `ended`, and when the world closes before it has begun.
   */
  run(owners: Owners, load: () => Promise<In> | In, ended?: AbortSignal): Promise<Out>
}

/** What the threads run, and which tasks are quick. */
export interface LanesPlan<In> extends Omit<ThreadsPlan, 'foreground' | 'closing'> {
  /** CPU time that a quick task may take, in ms: one that takes more is begun again with those that take long. */
  quickMs: number
  /** Whether an input is one that takes long. */
  isLong(input: In): boolean
  /** What the caller is told who has waited too long. */
  busy: string
  /** How long a task waits for its turn, see `Share`. */
  maxWaitMs?: number | null
}

// To end a thread makes the next task wait for another one: whoever had one ended has no quick tasks for so long.
const slowForMs = 60_000

/** Opens one lane of threads for quick tasks and one for those that take long; threads start with their first task. */
export function createThreadLanes<In, Out>(world: World, plan: LanesPlan<In>): ThreadLanes<In, Out> {
  const { isLong, quickMs, busy, maxWaitMs, ...limits } = plan
  const slowUntil = recent<string, number>({ max: 10_000 })
  const quick = openLane(quickMs)
  const long = openLane(limits.taskMs)

  function openLane(taskMs: number) {
    const threads = createThreads<In, Out>({ ...limits, taskMs, foreground: false, closing: world.closing })
    world.atClose(() => threads.close())
    return { threads, inShare: createShare({ max: 2, maxPerOwner: 1, busy, maxWaitMs }) }
  }

  // Null for a task that takes long.
  async function tryQuick(owner: string, load: () => Promise<In> | In): Promise<{ out: Out } | null> {
    const input = await load()
    if (isLong(input)) return null
    try {
      return { out: await runAlone(quick.threads, input) }
    } catch (error) {
      if (!(error instanceof TaskKilled)) throw error
      slowUntil.set(owner, world.clock.now().getTime() + slowForMs)
      if (error.exceeded !== 'task') throw error
      return null
    }
  }

  return {
    async run(owners, load, ended) {
      const owner = typeof owners === 'string' ? owners : owners[0]
      const isQuick = (slowUntil.get(owner) ?? 0) <= world.clock.now().getTime()
      const answer = isQuick ? await quick.inShare(owners, () => tryQuick(owner, load), { ended }) : null
      return answer ? answer.out : long.inShare(owners, async () => runAlone(long.threads, await load()), { ended })
    },
  }
}

async function runAlone<In, Out>(threads: Threads<In, Out>, input: In): Promise<Out> {
  try {
    return await threads.run(() => input, { urgent: false, owner: '', isHeavy: () => true })
  } catch (error) {
    if (!(error instanceof TaskDropped)) throw error
    throw new Failure('SERVICE_UNAVAILABLE', 'The server is shutting down.', { headers: { 'Retry-After': '1' } })
  }
}
