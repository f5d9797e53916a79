import { newId } from '../../../kit/ids.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { endAll } from '../executions/cancel.ts'
import { announce, type Start, startAll, startPoints } from '../executions/start.ts'
import { avoidScans } from '../sql.ts'
import { findExits, findMoving, findTriggered, lockLines, removeLines, selectLines, type WaitingLine, wakeWaiting } from './sql.ts'

/** How many lines a turn handles at most, how many executions it starts, ends and wakes, and how many bytes their data has. */
export const turnLimits = { lines: 200, executions: 200, bytes: 4 * 1024 * 1024 }
// Of a contact.
const maxRounds = 25

/** What a turn did: how many lines it handled, and whether more could be handled now. */
export interface TurnDone {
  handled: number
  /** `later`: there are lines, which wait until executions rest, or which another process handles. */
  left: 'none' | 'more' | 'later'
}

/**
 * Lets the next lines of a project start, end and wake executions, in the transaction that removes them; at most `maxLines`. Lines of
 * one contact are handled one after the other: in rounds, in each of which a contact has at most one.
 */
export async function takeTurn(world: World, projectId: string, maxLines: number = turnLimits.lines): Promise<TurnDone> {
  return world.db.transaction(async (tx) => {
    const [lock] = await tx.run(lockLines, [projectId])
    if (!lock?.locked) return { handled: 0, left: 'later' }
    await tx.run(avoidScans, [])
    const found = await tx.run(selectLines, [projectId, maxLines])
    const fitting = fittingOf(found)
    const handled = await handleInRounds(tx, { world, projectId }, fitting)
    if (handled.length > 0) await tx.run(removeLines, [projectId, handled.map(({ place }) => place)])
    const isAll = handled.length === found.length && found.length < maxLines
    return { handled: handled.length, left: isAll ? 'none' : handled.length > 0 ? 'more' : 'later' }
  })
}

// As many as one transaction does, at least one.
function fittingOf(lines: WaitingLine[]): WaitingLine[] {
  let executions = 0
  let bytes = 0
  const end = lines.findIndex((line) => {
    executions += line.weight
    bytes += line.bytes
    return executions > turnLimits.executions || bytes > turnLimits.bytes
  })
  return end === -1 ? lines : lines.slice(0, Math.max(1, end))
}

interface Place {
  world: World
  projectId: string
}

async function handleInRounds(tx: Transaction, at: Place, lines: WaitingLine[]): Promise<WaitingLine[]> {
  const handled: WaitingLine[] = []
  let left = lines
  for (let round = 0; round < maxRounds && left.length > 0; round++) {
    const firsts = [...new Map(left.toReversed().map((line) => [line.contactId, line])).values()]
    const waiting = await contactsToWaitFor(tx, at, { firsts, left })
    const ready = firsts.filter(({ contactId }) => !waiting.has(contactId))
    await handleRound(tx, at, idsOf(ready))
    handled.push(...ready)
    const done = new Set(ready)
    left = left.filter((line) => !done.has(line) && !waiting.has(line.contactId))
  }
  return handled
}

// An execution that an exit event ends behind the line goes on no more: that happens at once.
async function contactsToWaitFor(
  tx: Transaction,
  { projectId }: Place,
  { firsts, left }: { firsts: WaitingLine[]; left: WaitingLine[] },
): Promise<Set<string>> {
  const moving = await tx.run(findMoving, [projectId, idsOf(firsts)])
  if (moving.length === 0) return new Set()
  const contacts = new Set(moving.map(({ contactId }) => contactId))
  const exits = await tx.run(findExits, [projectId, idsOf(left.filter(({ contactId }) => contacts.has(contactId)))])
  const ending = new Set(exits.map(({ id }) => id))
  return new Set(moving.flatMap(({ contactId, executionId }) => (ending.has(executionId) ? [] : [contactId])))
}

const idsOf = (lines: WaitingLine[]) => lines.map(({ id }) => id)

// Ends before starts, so that a contact whose execution an event ends may enter again by the same one.
async function handleRound(tx: Transaction, { world, projectId }: Place, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const exits = await tx.run(findExits, [projectId, ids])
  const ends = exits.map(({ id, name }) => ({ projectId, id, reason: `The event "${name}" happened.` }))
  await endAll(tx, world, ends, 'EXITED')
  const now = world.clock.now()
  const [woken] = await tx.run(wakeWaiting, [projectId, ids, now])
  if (woken && woken.count > 0) tx.afterCommit(() => announce(world, [projectId]))
  const found = await tx.run(findTriggered, [projectId, ids])
  const points = await startPoints(tx, projectId, [...new Set(found.map(({ workflowId }) => workflowId))])
  const starts = found.map((one): Start => ({ ...one, ...points(one.workflowId), projectId, id: newId('execution', now), context: null }))
  await startAll(tx, world, starts)
}
