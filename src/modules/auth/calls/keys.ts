import { createCache } from '../../../kit/cache.ts'
import { fingerprint } from '../../../kit/vault.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { keysTopic } from '../../projects/keys.ts'
import { findKey, type KeyRow } from './sql.ts'

// Rotation and suspension end a key at once in every process: their notice empties the cache. The age is the bound for a
// notice that got lost unnoticed, so it is not read from a clock that can be turned.
const keyCache = perWorld((world) =>
  createCache({
    max: 10_000,
    ttlMs: 5_000,
    load: async (key: string): Promise<KeyRow | null> => (await world.db.run(findKey, [fingerprint(key)]))[0] ?? null,
    emptiedBy: {
      notices: world.notices,
      topics: [{ topic: keysTopic, touches: (projects, { answer }) => answer !== null && projects.includes(answer.projectId) }],
    },
  }),
)

/** What an API key opens, or null when there is no such key. */
export function findProjectKey(world: World, key: string): Promise<KeyRow | null> {
  return keyCache(world).find(key)
}
