import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { type Ctx, ownersOf } from './context.ts'
import { siteOf } from './networks.ts'
import type { Owners } from './turns.ts'
import { perWorld, type World } from './world.ts'

type CallOf = Pick<Ctx, 'projectId' | 'account' | 'actor' | 'client'>

/** Whose a call is: the account and the project; with a public key, or without a project, that of a visitor. */
export function callerOf(ctx: CallOf): Owners {
  return isKnown(ctx) ? ownersOf(ctx) : visitorOf(ctx.client.address)
}

/** Whether a call is of an account or a project, by its secret key or a session: not of a visitor, who has a public key or nothing. */
export function isKnown({ projectId, account, actor }: Omit<CallOf, 'client'>): boolean {
  const isPublic = actor.kind === 'key' && actor.key === 'PUBLIC'
  return !isPublic && (projectId !== '' || account !== '')
}

/**
 * The name of a visitor by their address, whichever public keys they use: one person may have those of many projects, and of IPv6 all
 * 65,536 networks of a site (/48).
 */
export function visitorOf(address: string | undefined): string {
  return ` ${siteOf(address)}`
}

/** The one of some owners who takes turns with others. */
export function nameOf(owners: Owners): string {
  return typeof owners === 'string' ? owners : owners[0]
}

/** Who has called this process lately, by the names of callers (`nameOf(callerOf(ctx))`): whatever arrives is noted by admission. */
export const callersOf = perWorld(createRecentCallers)

/** Whether others than this caller have called within the last second. */
function hasOtherCallers(ctx: CallOf & Pick<Ctx, 'world'>): boolean {
  return callersOf(ctx.world).hasOtherThan(nameOf(callerOf(ctx)))
}

// A caller who always has more work ready, such as large bodies, would otherwise have the thread, and the machine, most of the time. A
// turn may also have waited, for the sender or the database, which is why there is an end to the rest.
const restPerMs = 3
const maxRestMs = 3_000

/** How long to rest after a turn of this length, while others call: three times as long, and at most three seconds. */
export function restAfter(turnMs: number): number {
  return Math.min(Math.max(turnMs, 0) * restPerMs, maxRestMs)
}

/** Whether others than the owner of a turn have called lately; while it took its time, in ms, they could not be noticed. */
export function hasOthersThan(world: World, owner: string, turnMs: number): boolean {
  return callersOf(world).hasOtherThan(owner, recentMs + turnMs)
}

/** Lets others be answered after a run of work of so many milliseconds: while others call, as long as `restAfter` says. */
export async function restAfterRun(ctx: CallOf & Pick<Ctx, 'world'>, runMs: number): Promise<void> {
  await (hasOtherCallers(ctx) ? sleep(restAfter(runMs)) : setImmediate())
}

/** Within how many milliseconds calls are recent. */
export const recentMs = 1_000

/**
 * Who has called: the last owner, and the last one other than that. Who calls while the thread is busy with a turn is noticed after it,
 * so its length is added to the time in which they count.
 */
export function createRecentCallers(): { add(owner: string): void; hasOtherThan(owner: string, withinMs?: number): boolean } {
  let last = { owner: '', at: Number.NEGATIVE_INFINITY }
  let other = last
  return {
    add(owner) {
      if (owner !== last.owner) other = last
      last = { owner, at: performance.now() }
    },
    hasOtherThan: (owner, withinMs = recentMs) => performance.now() - (last.owner === owner ? other : last).at < withinMs,
  }
}
