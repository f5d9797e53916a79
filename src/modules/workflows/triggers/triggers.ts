import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { advanceReader, type LogRange, type LogReader, pauseReader, rangeParameters } from '../../events/reader/reader.ts'
import { avoidScans } from '../sql.ts'
import { dueLinesTopic } from '../wake.ts'
import {
  type ConcernedName,
  findBacklog,
  findBacklogEnd,
  findConcernedNames,
  findConcernedOf,
  lockBacklog,
  maxWaiting,
  moveBacklog,
  noteLines,
  noteLinesOf,
  readerName,
  removeBacklog,
} from './sql.ts'

/**
 * Notes the lines of the log that may start, end or wake executions, in the transaction that moves its position, so that each line does
 * so exactly once: what they do is done project by project, so that no project waits for the events of another.
 */
export const triggerReader: LogReader = {
  name: readerName,
  maxLines: 5_000,
  // What happened before any process knew workflows starts none.
  startsAt: 'end',
  async handle(tx, range, world) {
    const concerned = await world.db.lookups.run(findConcernedNames, rangeParameters(range))
    if (concerned.length === 0) return
    await tx.run(avoidScans, [])
    const noted = await tx.run(noteLines, [...rangeParameters(range), ...columnsOf(concerned)])
    tx.afterCommit(() => {
      for (const { projectId, full } of noted) {
        world.notices.publish(dueLinesTopic, projectId)
        if (full) world.log.warn({ project: projectId }, `workflows: a project has ${maxWaiting} events to handle; its next ones wait`)
      }
    })
  },
}

function columnsOf(concerned: ConcernedName[]): unknown[] {
  return [concerned.map(({ projectId }) => projectId), concerned.map(({ name }) => name), concerned.map(({ always }) => always)]
}

/** Notes the next lines of the log; safe in any number of processes. Returns whether there may be more. */
export async function followEvents(world: World): Promise<boolean> {
  return advanceReader(world, triggerReader)
}

const backlogPerBatch = 1_000

/**
 * Notes the next lines of a project of which there were too many, once few are left. Meanwhile the reader waits, so that the lines of
 * the project are noted by one or the other.
 */
export async function followBacklog(world: World, projectId: string): Promise<void> {
  const [backlog] = await world.db.run(findBacklog, [projectId])
  if (!backlog?.ready) return
  await world.db.transaction(async (tx) => {
    const passed = await pauseReader(tx, triggerReader)
    const [after] = await tx.run(lockBacklog, [projectId])
    if (!after || !passed) return
    await tx.run(avoidScans, [])
    const [end] = await tx.run(findBacklogEnd, [
      ...[projectId, after.epoch, after.xid, after.id, backlogPerBatch],
      ...[passed.epoch, passed.xid, passed.id],
    ])
    if (!end) return void (await tx.run(removeBacklog, [projectId]))
    await noteBacklog(tx, projectId, { after, upTo: end })
    await tx.run(moveBacklog, [projectId, end.epoch, end.xid, end.id])
  })
}

async function noteBacklog(tx: Transaction, projectId: string, ends: Pick<LogRange, 'after' | 'upTo'>): Promise<void> {
  const range = rangeParameters({ ...ends, count: 0, more: false })
  const concerned = await tx.run(findConcernedOf, [...range, projectId])
  if (concerned.length > 0) await tx.run(noteLinesOf, [...range, ...columnsOf(concerned), projectId])
}
