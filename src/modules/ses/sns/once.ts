import type { World } from '../../../kit/world.ts'
import { claimSnsMessage, finishSnsMessage, releaseSnsMessage, removeSnsMessages, renewSnsMessage } from '../sql.ts'

// Most take milliseconds, an email to very many addresses longer: whoever has not said for so long that it goes on has stopped. Amazon calls
// again every 20 s, three times.
const claimMs = 15_000
const renewMs = 5_000

/** A message by its id, and how it is handled; `receivedAt` is when it was received for the first time. */
interface Once {
  id: string
  handle(receivedAt: Date): Promise<void>
}

/**
 * Handles a message unless that was done before. `busy`: it is being handled by another call right now. When `handle` fails, the
 * message can be handled as soon as it comes again; when the process stops, after 15 s. It may then have done its work already: `handle`
 * records by names that follow from the message, so that what it records twice is one.
 */
export async function handleOnce(world: World, { id, handle }: Once): Promise<'handled' | 'busy'> {
  const { db, clock } = world
  const now = clock.now()
  const [claim] = await db.run(claimSnsMessage, [id, now, new Date(now.getTime() - claimMs)])
  if (!claim?.receivedAt) return claim?.handled ? 'handled' : 'busy'
  const renew = () =>
    db.run(renewSnsMessage, [id, clock.now()]).catch((err: unknown) => world.log.warn({ err }, 'ses: a claim could not be renewed'))
  const timer = setInterval(renew, renewMs).unref()
  try {
    await handle(claim.receivedAt)
  } catch (error) {
    await db.run(releaseSnsMessage, [id]).catch((err: unknown) => world.log.warn({ err }, 'ses: a message stays claimed for 15 s'))
    throw error
  } finally {
    clearInterval(timer)
  }
  await db.run(finishSnsMessage, [id, clock.now()])
  return 'handled'
}

// Messages are refused after an hour, and Amazon repeats none for longer than that.
const keptMs = 7 * 86_400_000
const removedPerBatch = 5_000

/** Removes the ids of messages that are older than a week. */
export async function removeOldMessages({ db, clock, closing }: Pick<World, 'db' | 'clock' | 'closing'>): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs)
  for (let removed = removedPerBatch; removed === removedPerBatch && !closing.aborted; )
    removed = (await db.run(removeSnsMessages, [before, removedPerBatch])).length
}
