import type { Ctx } from '../../kit/context.ts'
import type { StreamedLine } from '../events/tail/subscriber.ts'
import { watchLog } from '../events/tail/tail.ts'
import { type LinkedActivity, linkedActivityOf } from './activity.ts'
import { askedTypes, namedEvents } from './types.ts'

/** What a subscriber of the feed wants to see. */
export interface ActivityWatch {
  /** Go on after this cursor; without it the stream begins now. */
  after?: string | null | undefined
  types?: readonly string[] | null | undefined
  contactId?: string | null | undefined
}

/** A line of the feed as it is streamed: subscribe again with its cursor and nothing is lost or seen twice. */
export type StreamedActivity = LinkedActivity & { cursor: string }

/**
 * The feed as it grows: everything after the cursor, in order and each exactly once, also when the last connection was
 * to another process. Throws BAD_REQUEST for a bad cursor; ends with STREAM_INTERRUPTED for a reader that is too slow.
 */
export async function watchActivity(
  ctx: Pick<Ctx, 'world' | 'projectId'>,
  { after, types, contactId }: ActivityWatch,
): Promise<AsyncIterableIterator<StreamedActivity, undefined>> {
  const asked = askedTypes(types)
  const accepts = (line: StreamedLine): boolean => {
    if (contactId != null && line.contactId !== contactId) return false
    return !asked || asked.names.includes(line.name) || (asked.others && !namedEvents.includes(line.name))
  }
  const lines = await watchLog(ctx, { after: after ?? undefined, accepts })
  // Not a generator: it must be closed at once, also while it waits for a line.
  const feed: AsyncIterableIterator<StreamedActivity, undefined> = {
    async next() {
      const { done, value } = await lines.next()
      return done ? { done, value: undefined } : { done: false, value: { cursor: value.cursor, ...linkedActivityOf(value) } }
    },
    async return() {
      await lines.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => feed,
  }
  return feed
}
