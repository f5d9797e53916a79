import { type Ctx, ownersOf } from '../../kit/context.ts'
import { createShare } from '../../kit/share.ts'
import { perWorld } from '../../kit/world.ts'

/** An operation of a higher cost takes a turn. */
export const maxCostAtOnce = 250

const sharesOf = perWorld(() =>
  createShare({ max: 4, maxPerOwner: 1, busy: 'Other large operations of this project or person are being run at the moment.' }),
)

/**
 * Runs an operation of a given cost. One that costs much makes thousands of objects, each in one go: several of one caller that
 * arrive together run one after the other, so that the calls of others are answered between them. Fails with SERVICE_UNAVAILABLE
 * when the turn has not come after 15 s or the caller has left.
 */
export async function runInTurn<Result>(
  ctx: Pick<Ctx, 'world' | 'account' | 'projectId'> & Partial<Pick<Ctx, 'left'>>,
  cost: number,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  if (cost <= maxCostAtOnce) return run()
  return sharesOf(ctx.world)(ownersOf(ctx), async () => run(), ctx.left?.())
}
