import type { Ctx } from '../../kit/context.ts'
import { campaignIdOf } from '../events/relations/campaign.ts'
import { toCursor } from '../events/tail/position.ts'
import { readEnd } from '../events/tail/read.ts'
import type { StreamedLine } from '../events/tail/subscriber.ts'
import { watchLog } from '../events/tail/tail.ts'
import { type LinkedActivity, linkedActivityOf } from './activity.ts'
import { namesWithOwnType, typeFilterOf } from './types.ts'

/** What a subscriber of the activity feed receives. */
export interface ActivityWatch {
  /** Continue after this cursor; without it the stream starts with what happens from now on. */
  after?: string | null | undefined
  types?: readonly string[] | null | undefined
  contactId?: string | null | undefined
  campaignId?: string | null | undefined
}

/**
 * Where the stream is now, as a cursor: what is read after it and what `watchActivity` sends after it overlap, and nothing is missing
 * between the two.
 */
export async function getActivityCursor({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>): Promise<string> {
  return toCursor(await readEnd({ db }, projectId))
}

/** An item of the live feed. Subscribing again with its cursor continues right behind it, without a gap or a duplicate. */
export type StreamedActivity = LinkedActivity & { cursor: string }

/**
 * Streams the activity of the project: everything after the cursor, in order and each item exactly once, also when the
 * previous connection was to another process. Fails with BAD_REQUEST for an invalid cursor; the stream ends with
 * CURSOR_EXPIRED when its cursor is ahead of the log, and with STREAM_INTERRUPTED when the subscriber reads too slowly.
 */
export async function watchActivity(
  ctx: Pick<Ctx, 'world' | 'projectId'> & Partial<Pick<Ctx, 'account'>>,
  { after, types, contactId, campaignId }: ActivityWatch,
): Promise<AsyncIterableIterator<StreamedActivity, undefined>> {
  const wanted = typeFilterOf(types)
  const accepts = (line: StreamedLine): boolean => {
    if (contactId != null && line.contactId !== contactId) return false
    if (campaignId != null && campaignIdOf(line) !== campaignId) return false
    return !wanted || wanted.names.includes(line.name) || (wanted.others && !namesWithOwnType.includes(line.name))
  }
  const lines = await watchLog(ctx, { after: after ?? undefined, accepts })
  // Not a generator: `return` must take effect at once, also while `next` waits for a line.
  const feed: AsyncIterableIterator<StreamedActivity, undefined> = {
    async next() {
      const { done, value } = await lines.next()
      return done ? { done, value: undefined } : { done: false, value: streamedOf(value) }
    },
    async return() {
      await lines.return?.()
      return { done: true, value: undefined }
    },
    async throw(reason) {
      await lines.throw?.(reason)
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => feed,
  }
  return feed
}

// Once per line: all that watch a project are passed the same object, by which what is executed for it is shared.
const streamed = new WeakMap<StreamedLine, StreamedActivity>()

function streamedOf(line: StreamedLine): StreamedActivity {
  const known = streamed.get(line)
  if (known) return known
  const made = { cursor: line.cursor, ...linkedActivityOf(line) }
  streamed.set(line, made)
  return made
}
