import type { Transaction } from '../../kit/postgres/db.ts'
import { segmentsOf } from '../filters/language.ts'
import type { Condition } from '../filters/shapes.ts'
import { holdExisting } from './sql.ts'

/**
 * Holds some segments, and those that their conditions lead to, in the transaction that begins to ask for them: until it ends nobody
 * deletes them. Returns which of them, and of these, do not exist.
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
