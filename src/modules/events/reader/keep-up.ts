import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from '../../../kit/world.ts'
import { countBehind } from './sql.ts'

const maxBehind = 20_000
const maxWaitMs = 1_000
const stepMs = 100
// Readers say once per hour that they are active; one that no version has any more holds nobody back.
const activeWithinMs = 2 * 3_600_000

/**
 * Lets work that writes very many lines, in batches, wait between these while readers of the log are more than 20,000 lines behind: what
 * they do for everybody, such as starting workflows, would come later and later. Waits at most a second, so that such work goes on, more
 * slowly, also while a reader cannot. Holds no connection while it waits.
 */
export async function letReadersKeepUp({ db, clock, closing }: Pick<World, 'db' | 'clock' | 'closing'>): Promise<void> {
  for (let waited = 0; waited < maxWaitMs && !closing.aborted; waited += stepMs) {
    const activeSince = new Date(clock.now().getTime() - activeWithinMs)
    const [behind] = await db.lookups.run(countBehind, [activeSince, maxBehind])
    if ((behind?.lines ?? 0) < maxBehind) return
    await sleep(stepMs)
  }
}
