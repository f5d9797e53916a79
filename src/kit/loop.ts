import { isDatabaseAway } from './postgres/db.ts'
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
  plan: { name: string; everyMs: number; topic?: string; work: () => Promise<boolean> },
): Promise<void> {
  let ring: (() => void) | undefined
  let rung = false
  const wake = (): void => {
    rung = true
    ring?.()
  }
  const forget = plan.topic ? world.notices.listen(plan.topic, wake) : () => {}
  world.closing.addEventListener('abort', wake, { once: true })
  while (!world.closing.aborted) {
    rung = false
    const more = await plan.work().catch((error: unknown) => {
      world.log[isDatabaseAway(error) ? 'debug' : 'error']({ err: error }, `${plan.name}: failed, tried again later`)
      return false
    })
    if (more || rung) continue
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, plan.everyMs)
      ring = () => {
        clearTimeout(timer)
        resolve()
      }
      if (rung) ring()
    })
    ring = undefined
  }
  forget()
}
