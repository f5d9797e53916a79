import type { Topic } from './notices.ts'
import { isDatabaseUnreachable } from './postgres/db.ts'
import { createSignal, type Signal } from './signal.ts'
import type { World } from './world.ts'

/**
 * Repeats background work until the world closes: at least every `everyMs`, and after a notice of `topic`: immediately, or `restMs`
 * after the last run, so that many notices are one run; a `signal` of this process alone does the same. Runs never overlap. Work that returns true has more to do and runs again
 * immediately. A failure is logged, and the work runs again at the next turn. A world that closes waits for the run under way, which
 * still has its connections.
 *
 * @returns a promise that resolves when the loop has ended after `world.closing`
 */
export function loop(world: World, plan: LoopPlan): Promise<void> {
  const ended = repeat(world, plan)
  world.atClose(() => ended)
  return ended
}

interface LoopPlan {
  name: string
  everyMs: number
  topic?: Topic
  restMs?: number
  signal?: Signal
  work: () => Promise<boolean>
}

async function repeat(world: World, plan: LoopPlan): Promise<void> {
  const changed = plan.signal ?? createSignal(world.closing)
  const rest = createSignal(world.closing)
  const stopListening = plan.topic ? world.notices.listen(plan.topic, () => changed.notify()) : () => {}
  while (!world.closing.aborted) {
    const more = await plan.work().catch((error: unknown) => {
      world.log[isDatabaseUnreachable(error) ? 'debug' : 'error']({ err: error }, `${plan.name}: failed, will be retried`)
      return false
    })
    if (more) continue
    if (plan.restMs) await rest.wait(plan.restMs)
    await changed.wait(plan.everyMs)
  }
  stopListening()
}
