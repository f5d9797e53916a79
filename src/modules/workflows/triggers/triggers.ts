import { newId } from '../../../kit/ids.ts'
import type { Statement, Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { advanceReader, type LogRange, type LogReader, rangeParameters } from '../../events/reader/reader.ts'
import { endAll } from '../executions/cancel.ts'
import { announce, type Start, startAll } from '../executions/start.ts'
import { maxWorkflows } from '../shapes.ts'
import { countAtMost, findConcernedNames, findExits, findTriggered, planFreely, wakeWaiting } from './sql.ts'

/** How many executions one transaction of the reader starts, ends and wakes at most, unless a single line does more. */
export const maxPerBatch = 2_000

/**
 * Lets the lines of the log start executions, end them, and end their waits: in the transaction that moves its position, so that each
 * line does so exactly once.
 */
export const triggerReader: LogReader = {
  name: 'workflows',
  maxLines: 1_000,
  // What happened before there were workflows starts none.
  startsAt: 'end',
  async fits(range, world) {
    // A line starts, ends and wakes one execution of each workflow at most.
    if (range.count * 3 * maxWorkflows <= maxPerBatch) return true
    const [most] = await world.db.lookups.run(countAtMost, rangeParameters(range))
    return (most?.count ?? 0) <= maxPerBatch
  },
  async handle(tx, range, world) {
    const concerned = await world.db.lookups.run(findConcernedNames, rangeParameters(range))
    if (concerned.length === 0) return
    const about = (does: 'starts' | 'ends' | 'wakes'): Named => ({
      range,
      names: concerned.filter((one) => one[does]).map(({ name }) => name),
    })
    // Before the starts, so that a contact whose execution ends may enter again; after them, for what ends at once.
    await endByEvents(tx, world, about('ends'))
    await wakeByEvents(tx, world, about('wakes'))
    const started = await startByEvents(tx, world, about('starts'))
    if (started > 0) await endByEvents(tx, world, about('ends'))
  },
}

/** Lines of a range that have one of some names. */
interface Named {
  range: LogRange
  names: string[]
}

async function endByEvents(tx: Transaction, world: World, { range, names }: Named): Promise<void> {
  if (names.length === 0) return
  const exits = await lookUp(tx, findExits, [...rangeParameters(range), names])
  const ends = exits.map(({ projectId, id, name }) => ({ projectId, id, reason: `The event "${name}" happened.` }))
  await endAll(tx, world, ends, 'EXITED')
}

async function wakeByEvents(tx: Transaction, world: World, { range, names }: Named): Promise<void> {
  if (names.length === 0) return
  const woken = await lookUp(tx, wakeWaiting, [...rangeParameters(range), names, world.clock.now()])
  const projects = woken.map(({ projectId }) => projectId)
  tx.afterCommit(() => announce(world, projects))
}

async function startByEvents(tx: Transaction, world: World, { range, names }: Named): Promise<number> {
  if (names.length === 0) return 0
  const now = world.clock.now()
  const found = await lookUp(tx, findTriggered, [...rangeParameters(range), names])
  const starts: Start[] = found.map((one) => ({ ...one, id: newId('execution', now), context: null }))
  return startAll(tx, world, starts)
}

async function lookUp<Row>(tx: Transaction, finding: Statement<Row>, values: unknown[]): Promise<Row[]> {
  await tx.run(planFreely, ['off'])
  const rows = await tx.run(finding, values)
  await tx.run(planFreely, ['on'])
  return rows
}

/** Handles the next lines of the log; safe in any number of processes. Returns whether there may be more. */
export async function followEvents(world: World): Promise<boolean> {
  return advanceReader(world, triggerReader)
}
