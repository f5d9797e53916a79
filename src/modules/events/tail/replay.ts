import { isDatabaseUnavailable } from '../../../kit/postgres/db.ts'
import { createTurns } from '../../../kit/turns.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import type { Position } from './position.ts'
import { type Reading, readLog } from './read.ts'
import type { Subscriber } from './subscriber.ts'

const retryMs = 500
// A page that is longer is read in its turn by the subscriber as well, which has some time for it.
const largeBytes = 262_144
const patienceMs = 15_000

// However many subscribers continue after a cursor: this many have a page of long lines in memory.
const turnsOf = perWorld(() => createTurns({ max: 4, maxPerOwner: 1 }))

/**
 * Offers the lines of the table after a position, page by page, and returns the position up to which it was read. Pages are read
 * in turns, one at a time of a project and an account. A subscriber that takes longer than 15 s for a page of long lines is interrupted.
 */
export async function replay(world: World, subscriber: Subscriber, account: string, from: Position): Promise<Position> {
  const { projectId } = subscriber
  let after = from
  while (!subscriber.ended) {
    const at = after
    const { upTo, more } = await turnsOf(world).run(account ? [account, projectId] : projectId, () => offerPage(world, subscriber, at))
    after = upTo
    if (!more) break
    await subscriber.drained()
  }
  return after
}

async function offerPage(world: World, subscriber: Subscriber, after: Position): Promise<Pick<Reading, 'upTo' | 'more'>> {
  if (subscriber.ended) return { upTo: after, more: false }
  const { lines, upTo, more } = await retryWhileUnavailable(world, () => readLog(world, after, subscriber.projectId))
  for (const offered of lines) subscriber.offer(offered)
  if (subscriber.unreadLength > largeBytes) {
    const patience = setTimeout(() => subscriber.interrupt(), patienceMs).unref()
    await subscriber.drained().finally(() => clearTimeout(patience))
  }
  return { upTo, more }
}

async function retryWhileUnavailable<T>(world: World, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || world.closing.aborted) throw error
      await new Promise<void>((resolve) => setTimeout(resolve, retryMs).unref())
    }
  }
}
