import { performance } from 'node:perf_hooks'
import { isPromise } from 'node:util/types'
import { hasOthersThan, nameOf, restAfter } from '../../kit/callers.ts'
import { type Ctx, ownersOf } from '../../kit/context.ts'
import { recent } from '../../kit/recent.ts'
import { createTally } from '../../kit/tally.ts'
import { createTurns, TurnMissed } from '../../kit/turns.ts'
import { perWorld } from '../../kit/world.ts'

/** How long what a subscription selects of an item waits for its turn, and how many of one owner wait at most. */
export const patience = { maxMs: 30_000, maxWaiting: 5_000 }

// After so much work an owner rests: three times as long while others call, and longer the more owners do so, so that all together
// leave most of the thread to others. Without others it lasts until those who may have called are noticed.
const workMs = 5
const noticeMs = 1
// While what is selected waits for Postgres this thread works for others too: about what a point takes of it at most.
const maxMsOf = (cost: number): number => 0.2 + cost * 0.05

const turnsOf = perWorld((world) => {
  const worked = recent<string, number>({ max: 10_000 })
  const restOf = (owner: string, { turns }: { turns: number }): number => {
    const ms = worked.get(owner) ?? 0
    if (ms < workMs) return 0
    worked.set(owner, 0)
    return hasOthersThan(world, owner, ms) ? restAfter(ms * turns) : noticeMs
  }
  return {
    turns: createTurns({ max: Number.POSITIVE_INFINITY, maxPerOwner: 1, restOf }),
    waiting: createTally(),
    add: (owner: string, ms: number) => worked.set(owner, (worked.get(owner) ?? 0) + ms),
  }
})

/**
 * Executes what subscriptions select of an item, at a given cost, when it is the turn of its owner: one at a time of each project and
 * account, with rests between them. Fails with TurnMissed when 5,000 wait already, when the turn comes later than after 30 s, or when
 * nobody wants the result any more.
 */
export async function executeInItemTurn<Result>(
  ctx: Pick<Ctx, 'world' | 'account' | 'projectId'>,
  { cost, isWanted }: { cost: number; isWanted: () => boolean },
  execute: () => Result | Promise<Result>,
): Promise<Result> {
  const { turns, waiting, add } = turnsOf(ctx.world)
  const owners = ownersOf(ctx)
  const owner = nameOf(owners)
  if (waiting.of(owner) >= patience.maxWaiting) throw new TurnMissed()
  waiting.add(owner, 1)
  const asked = performance.now()
  return turns.run(owners, async () => {
    waiting.add(owner, -1)
    if (!isWanted() || performance.now() - asked > patience.maxMs) throw new TurnMissed()
    return measured(execute, cost, (ms) => add(owner, ms))
  })
}

async function measured<Result>(execute: () => Result | Promise<Result>, cost: number, add: (ms: number) => void): Promise<Result> {
  const began = performance.now()
  const before = performance.eventLoopUtilization()
  const result = execute()
  if (!isPromise(result)) {
    add(performance.now() - began)
    return result
  }
  try {
    return await result
  } finally {
    add(Math.min(performance.eventLoopUtilization(before).active, maxMsOf(cost)))
  }
}
