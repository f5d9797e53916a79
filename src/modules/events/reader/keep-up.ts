import { setTimeout as sleep } from 'node:timers/promises'
import { type Ctx, ownersOf } from '../../../kit/context.ts'
import { createShare } from '../../../kit/share.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { countBehind } from './sql.ts'

const maxBehind = 5_000
const few = 100
const maxWaitMs = 1_000
const stepMs = 100
// Readers say once per hour that they are active; one that no version has any more holds nobody back.
const activeWithinMs = 2 * 3_600_000

/**
 * Lets work that writes very many lines, in batches, wait between these while readers of the log are more than 5,000 lines behind: what
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

const sharesOf = perWorld(() =>
  createShare({ max: Number.POSITIVE_INFINITY, maxPerOwner: 1, busy: 'Other calls of this account that write as much are under way.' }),
)

/**
 * Runs work of a caller that writes about so many lines at once: where these are more than 100, that of one account one after the other,
 * and each once readers have kept up, so that an account writes no more than they handle for everybody. Fails with SERVICE_UNAVAILABLE
 * when its turn has not come after 15 s, and as `rightsNow` does when the caller may not call any more by then.
 */
export async function afterReaders<Result>(
  ctx: Pick<Ctx, 'world' | 'account' | 'projectId' | 'left' | 'rightsNow'>,
  lines: number,
  work: () => Promise<Result>,
): Promise<Result> {
  if (lines <= few) return work()
  const inTurn = async () => {
    await letReadersKeepUp(ctx.world)
    await ctx.rightsNow?.()
    return work()
  }
  return sharesOf(ctx.world)(ownersOf(ctx), inTurn, { ended: ctx.left?.() })
}
