import type { Topic } from './notices.ts'
import { isDatabaseAway } from './postgres/db.ts'
import { createSignal } from './signal.ts'
import type { World } from './world.ts'

/**
 * Repeats a piece of background work until the world closes: at least every `everyMs`, and at once after a notice of
 * `topic`. One run at a time; work that answers true has more to do and runs again at once. A failure is logged and
 * tried again at the next turn.
 *
 * @returns a promise that resolves when the loop has ended after `world.closing`
 */
export async function loop(
  world: World,
  plan: { name: string; everyMs: number; topic?: Topic; work: () => Promise<boolean> },
): Promise<void> {
  const changed = createSignal(world.closing)
  const stopListening = plan.topic ? world.notices.listen(plan.topic, () => changed.notify()) : () => {}
  while (!world.closing.aborted) {
    const more = await plan.work().catch((error: unknown) => {
      world.log[isDatabaseAway(error) ? 'debug' : 'error']({ err: error }, `${plan.name}: failed, tried again later`)
      return false
    })
    if (!more) await changed.wait(plan.everyMs)
  }
  stopListening()
}
