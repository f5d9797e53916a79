import type { Executor, Transaction } from '../../../kit/postgres/db.ts'
import { segmentsOf } from '../language.ts'
import type { Condition } from '../shapes.ts'
import { countExisting, holdExisting, lockAsking, selectReferences } from './sql.ts'

/**
 * Until the transaction ends, no other one changes a condition of a segment of the project, deletes a segment, or begins to need one:
 * otherwise each of two could do what the other one makes impossible. Before anything else is locked, because those who wait for it
 * hold nothing then that others wait for.
 */
export async function lockReferences(tx: Transaction, projectId: string): Promise<void> {
  await tx.run(lockAsking, [projectId])
}

/**
 * Holds some segments, and those that their conditions lead to, in the transaction that begins to ask for them, under `lockReferences`:
 * until it ends nobody deletes them. Returns which of them, and of these, do not exist.
 */
export async function holdSegments(tx: Transaction, projectId: string, ids: readonly string[]): Promise<Set<string>> {
  const asked = new Set<string>()
  const missing = new Set<string>()
  for (let level = [...new Set(ids)]; level.length > 0; ) {
    const held = await tx.run(holdExisting, [projectId, level])
    const existing = new Set(held.map(({ id }) => id))
    for (const id of level) {
      asked.add(id)
      if (!existing.has(id)) missing.add(id)
    }
    // A condition of a segment was checked when it was stored.
    const conditions = held.flatMap(({ condition }) => (condition === null ? [] : (JSON.parse(condition) as Condition)))
    level = [...new Set(conditions.flatMap(segmentsOf))].filter((id) => !asked.has(id))
  }
  return missing
}

/**
 * Holds some segments in the transaction of work that goes on by the conditions which they had when it began; returns whether all of them
 * exist. Before contacts are locked, as whoever adds members does.
 */
export async function holdEach(tx: Transaction, projectId: string, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true
  return (await tx.run(holdExisting, [projectId, ids])).length === new Set(ids).size
}

/** Whether some segments exist. */
export async function doAllExist(on: Executor, projectId: string, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true
  return (await on.run(countExisting, [projectId, ids]))[0]?.count === new Set(ids).size
}

/** Those of some segments that were deleted, and those whose conditions lead to one that was. */
export interface Broken {
  deleted: ReadonlySet<string>
  leading: ReadonlySet<string>
}

/** Which of some segments were deleted, or lead to one that was, directly or through others. */
export async function findBroken(on: Executor, projectId: string, ids: readonly string[]): Promise<Broken> {
  const references = new Map<string, string[]>()
  const deleted = new Set<string>()
  for (let level = [...new Set(ids)]; level.length > 0; ) {
    for (const { id, segmentIds } of await on.run(selectReferences, [projectId, level])) references.set(id, segmentIds)
    for (const id of level) if (!references.has(id)) deleted.add(id)
    const next = new Set(level.flatMap((id) => references.get(id) ?? []))
    level = [...next].filter((id) => !references.has(id) && !deleted.has(id))
  }
  const leading = new Set<string>()
  for (let before = -1; leading.size > before; ) {
    before = leading.size
    for (const [id, segmentIds] of references) if (segmentIds.some((one) => deleted.has(one) || leading.has(one))) leading.add(id)
  }
  return { deleted, leading }
}
