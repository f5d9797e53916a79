import { createCache } from '../../../kit/cache.ts'
import { hashSecret } from '../../../kit/vault.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { keysTopic } from '../../projects/keys.ts'
import { findKey, type KeyRow } from './sql.ts'

// Rotation and suspension take effect at once in every process, because their notice empties the cache. The maximum age
// covers notices that are lost without being detected, so it is measured by the machine's clock, not by the world's.
const keyCache = perWorld((world) =>
  createCache({
    max: 10_000,
    ttlMs: 5_000,
    load: async (key: string): Promise<KeyRow | null> => (await world.db.run(findKey, [hashSecret(key)]))[0] ?? null,
    emptiedBy: {
      notices: world.notices,
      topics: [{ topic: keysTopic, touches: (projects, { answer }) => answer !== null && projects.includes(answer.projectId) }],
    },
  }),
)

/** The project and kind of an API key, or null when there is no such key. */
export function findProjectKey(world: World, key: string): Promise<KeyRow | null> {
  return keyCache(world).find(key)
}
