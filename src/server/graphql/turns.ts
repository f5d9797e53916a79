import { callerOf, hasOthersThan, restAfter } from '../../kit/callers.ts'
import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { createShare } from '../../kit/share.ts'
import { perWorld } from '../../kit/world.ts'
import type { TurnCost } from './limits.ts'

/** An operation of a higher cost takes a turn. */
export const maxCostAtOnce = 250

const maxAlone = 2
const slowFromMs = 2_000

// One who asks for large operations without end would have the thread most of the time: after each they rest, the longer the more of
// them do so, so that all together leave most of it to others. What Postgres works for them is no part of it.
const sharesOf = perWorld((world) =>
  createShare({
    max: 4,
    // While one of them waits for Postgres, the thread has nothing to do for anybody.
    maxPerOwner: (owner) => (hasOthersThan(world, owner, 0) ? 1 : maxAlone),
    // One whose operations Postgres takes long for leaves half of the places to others.
    slow: { fromMs: slowFromMs, max: 2 },
    busy: 'Other large operations of this project or person are being run at the moment.',
    restOf: (owner, { busyMs, turns }) => (hasOthersThan(world, owner, busyMs) ? restAfter(busyMs * turns) : 0),
  }),
)

/**
 * For how much an operation of a given cost takes a turn. A turn is held for work of Postgres and of this thread only, so none is
 * taken for fields that wait for anything else: fails with BAD_REQUEST for an operation that has such fields and costs much besides.
 */
export function requireTurn(cost: number, weigh: () => TurnCost): number {
  if (cost <= maxCostAtOnce) return cost
  const { cost: rest, waiting } = weigh()
  if (waiting.length === 0 || rest <= maxCostAtOnce) return rest
  throw new Failure(
    'BAD_REQUEST',
    `The operation costs ${rest} points beside ${waiting.join(', ')}, which may have to wait: at most ${maxCostAtOnce} are allowed beside such fields.`,
    { suggestion: `Ask for ${waiting.join(', ')} in an operation of its own.` },
  )
}

/**
 * Runs an operation of a given cost. One that costs much makes thousands of objects, each in one go: several of one caller that
 * arrive together run one after the other while others call, so that theirs are answered between them: each after a rest of three times
 * as long as the thread was busy with the one before. Who calls alone has two at a time, and no rests. It runs with the rights that the
 * caller has when its turn has come. Fails with SERVICE_UNAVAILABLE when the turn has not come after 15 s or the caller has left, and as
 * `ctx.rightsNow` does.
 */
export async function runInTurn<Call extends Caller, Result>(
  ctx: Call,
  cost: number,
  run: (ctx: Call) => Result | Promise<Result>,
): Promise<Result> {
  if (cost <= maxCostAtOnce) return run(ctx)
  return sharesOf(ctx.world)(callerOf(ctx), async () => run(ctx.rightsNow ? { ...ctx, ...(await ctx.rightsNow()) } : ctx), {
    ended: ctx.left?.(),
  })
}

type Caller = Pick<Ctx, 'world' | 'account' | 'projectId' | 'actor' | 'client' | 'left' | 'rightsNow'>
