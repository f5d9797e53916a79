import { fingerprint } from '../../../kit/vault.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { findKey, type KeyRow } from './sql.ts'

interface Kept {
  row: KeyRow
  until: number
}

const keptMs = 5_000
const mostKept = 10_000

// Rotation and suspension end a key at once in every process: their notice empties the cache. While notices do not
// arrive nothing is cached at all.
const cache = perWorld((world) => {
  const kept = new Map<string, Kept>()
  let generation = 0
  world.notices.listen('keys', (projects) => {
    generation++
    for (const [key, { row }] of kept) if (!projects || projects.includes(row.projectId)) kept.delete(key)
  })
  return { kept, generation: () => generation }
})

/** What an API key opens, or null when there is no such key. */
export async function findProjectKey(world: World, key: string): Promise<KeyRow | null> {
  const { kept, generation } = cache(world)
  const there = kept.get(key)
  if (there && there.until > Date.now() && world.notices.connected()) return there.row
  const asked = generation()
  const [row] = await world.db.run(findKey, [fingerprint(key)])
  if (!row) return null
  // A look-up that a rotation overtook must not be kept.
  if (asked === generation() && world.notices.connected()) {
    if (kept.size >= mostKept) kept.clear()
    kept.set(key, { row, until: Date.now() + keptMs })
  }
  return row
}
