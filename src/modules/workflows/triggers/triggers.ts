import { newId } from '../../../kit/ids.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { advanceReader, type LogRange, type LogReader, rangeParameters } from '../../events/reader/reader.ts'
import { endAll } from '../executions/cancel.ts'
import { announce, type Start, startAll } from '../executions/start.ts'
import { findExits, findTriggered, wakeWaiting } from './sql.ts'

/**
 * Lets the lines of the log start executions, end them, and end their waits: in the transaction that moves its position, so that each
 * line does so exactly once.
 */
export const triggerReader: LogReader = {
  name: 'workflows',
  maxLines: 1_000,
  // What happened before there were workflows starts none.
  startsAt: 'end',
  async handle(tx, range, world) {
    // Before the starts, so that a contact whose execution ends may enter again; after them, for what ends at once.
    await endByEvents(tx, world, range)
    const starts = await startsIn(tx, world, range)
    if ((await startAll(tx, world, starts)) > 0) await endByEvents(tx, world, range)
    const woken = await tx.run(wakeWaiting, [...rangeParameters(range), world.clock.now()])
    tx.afterCommit(() =>
      announce(
        world,
        woken.map(({ projectId }) => projectId),
      ),
    )
  },
}

async function endByEvents(tx: Transaction, world: World, range: LogRange): Promise<void> {
  const exits = await tx.run(findExits, rangeParameters(range))
  const ends = exits.map(({ projectId, id, name }) => ({ projectId, id, reason: `The event "${name}" happened.` }))
  await endAll(tx, world, ends, 'EXITED')
}

async function startsIn(tx: Transaction, { clock }: World, range: LogRange): Promise<Start[]> {
  const now = clock.now()
  const found = await tx.run(findTriggered, rangeParameters(range))
  return found.map((one) => ({ ...one, id: newId('execution', now), context: null }))
}

/** Handles the next lines of the log; safe in any number of processes. Returns whether there may be more. */
export async function followEvents(world: World): Promise<boolean> {
  return advanceReader(world, triggerReader)
}
