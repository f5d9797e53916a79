import { isDatabaseUnavailable } from '../../../kit/postgres/db.ts'
import { createTurns } from '../../../kit/turns.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import type { Position } from './position.ts'
import { type Reading, readLog } from './read.ts'
import { type PageOwners, pagesOf } from './room.ts'
import type { Subscriber } from './subscriber.ts'

const retryMs = 500

// However many subscribers continue after a cursor, few pages are read at a time. A turn lasts until the page is read, not until
// it is taken: somebody's slow readers must not keep others from reading.
const turnsOf = perWorld(() => createTurns({ max: 4, maxPerOwner: 1 }))

/**
 * Offers the lines of the table after a position, page by page, and returns the position up to which it was read. Pages are read
 * in turns, one at a time of a project and an account, while there is room for what is read and not taken, see `Pages`.
 */
export async function replay(world: World, subscriber: Subscriber, account: string, from: Position): Promise<Position> {
  const { projectId } = subscriber
  const owners: PageOwners = account ? [account, projectId] : [projectId]
  let after = from
  while (!subscriber.ended) {
    const at = after
    const read = () => turnsOf(world).run(owners, () => offerPage(world, subscriber, { owners, after: at }))
    const { upTo, more } = await pagesOf(world).withRoom(owners, subscriber, read)
    after = upTo
    if (!more) break
    await subscriber.drained()
  }
  return after
}

async function offerPage(
  world: World,
  subscriber: Subscriber,
  { owners, after }: { owners: PageOwners; after: Position },
): Promise<Pick<Reading, 'upTo' | 'more'>> {
  if (subscriber.ended) return { upTo: after, more: false }
  const { lines, upTo, more } = await retryWhileUnavailable(world, () => readLog(world, after, subscriber.projectId))
  const before = subscriber.unreadLength
  for (const offered of lines) subscriber.offer(offered)
  pagesOf(world).hold(owners, subscriber, Math.max(0, subscriber.unreadLength - before))
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
