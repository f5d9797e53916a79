import { type Ctx, ownersOf } from './context.ts'
import { within } from './deadline.ts'
import { createShare } from './share.ts'
import { perWorld } from './world.ts'

// Without a limit over all: waiting takes no more than a little memory, and whoever waits for slow servers must hold up nobody else.
const sharesOf = perWorld(() =>
  createShare({
    max: Number.POSITIVE_INFINITY,
    maxPerOwner: 10,
    busy: 'Other calls of this project or person wait for other servers at the moment.',
  }),
)

// Whoever is answered late is not also told that its turn did not come.
const marginMs = 100

/** What a call is answered when what it waits for takes too long, the wait for its turn included. */
export interface InTime<Result> {
  ms: number
  late(): Result
}

/**
 * Runs work of a caller that waits for something outside, such as DNS: of one account at most 10 at a time. Fails with SERVICE_UNAVAILABLE
 * when the caller has left or the process has begun to end before its turn, or that has not come after 15 s (with `inTime` it is answered
 * late instead), and as `rightsNow` does when the caller may not call any more once it has ended: what others answered meanwhile is not
 * for them.
 */
export async function waitOutside<Result>(
  ctx: Pick<Ctx, 'world' | 'account' | 'projectId'> & Partial<Pick<Ctx, 'left' | 'rightsNow'>>,
  work: () => Promise<Result>,
  inTime?: InTime<Result>,
): Promise<Result> {
  const { closing } = ctx.world
  const ended = ctx.left ? AbortSignal.any([ctx.left(), closing]) : closing
  const run = sharesOf(ctx.world)(ownersOf(ctx), work, { ended, ...(inTime && { maxMs: inTime.ms + marginMs }) })
  const result = await (inTime ? within(inTime.ms, run, inTime.late) : run)
  await ctx.rightsNow?.()
  return result
}
