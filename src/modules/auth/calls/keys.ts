import { createCache } from '../../../kit/cache.ts'
import { recent } from '../../../kit/recent.ts'
import { createTurns } from '../../../kit/turns.ts'
import { hashSecret } from '../../../kit/vault.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { keysTopic } from '../../projects/keys.ts'
import { unknownKeyLimit } from './rate.ts'
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

/** Who calls with a key: the account that owns its project, or the project itself; none with a public key, which anyone can read. */
interface KeyCaller {
  owner: string | undefined
  projectId: string
}

// Who has called with keys that have been valid: they are looked up again whatever else their address sends. Null when a key was not
// any more when it was last looked up.
const calledBefore = perWorld(() => recent<string, { caller: KeyCaller | null }>({ max: 10_000 }))
// Keys that did not exist when they were looked up, by their hash: a program that goes on with an old key must not lock out the others of
// its address. A key that does not exist never will: they are random.
const unknown = perWorld(() => recent<string, true>({ max: 10_000, ttlMs: 60_000 }))
// So that many unknown keys at once cannot all be looked up before the first of them counts.
const turnsOf = perWorld(() => createTurns({ max: Number.POSITIVE_INFINITY, maxPerOwner: 8 }))

const bearer = /^Bearer +(\S+)$/i

/** The key in an Authorization header: undefined when there is none. */
export function keyOf(authorization: string | undefined): string | undefined {
  return bearer.exec(authorization ?? '')?.[1]
}

/**
 * The project and kind of an API key, or null when there is no such key. With the network of its client different unknown keys
 * count: beyond UNKNOWN_KEYS_PER_MINUTE fails with RATE_LIMIT_EXCEEDED, without a look-up, for keys not seen before.
 */
export async function findProjectKey(world: World, key: string, network?: string): Promise<KeyRow | null> {
  const cached = keyCache(world).get(key)
  if (cached) return cached
  if (network === undefined || calledBefore(world).get(key)?.caller) return lookUp(world, key)
  return turnsOf(world).run(network, async () => {
    const hash = hashSecret(key)
    if (unknown(world).get(hash)) return null
    const limit = unknownKeyLimit(world, network)
    limit.check()
    const row = await lookUp(world, key)
    // Once, of calls with the same key that were looked up together.
    if (!row && !unknown(world).get(hash)) limit.count()
    if (!row) unknown(world).set(hash, true)
    return row
  })
}

/** Who calls with the key in an Authorization header, as far as this process knows without looking it up. */
export function callerOfKey(world: World, authorization: string): KeyCaller | undefined {
  const key = keyOf(authorization)
  return (key !== undefined && calledBefore(world).get(key)?.caller) || undefined
}

async function lookUp(world: World, key: string): Promise<KeyRow | null> {
  const row = await keyCache(world).find(key)
  const before = calledBefore(world).get(key)
  if (!row && !before) return null
  const caller = row && { projectId: row.projectId, owner: row.kind === 'SECRET' ? (row.owner ?? row.projectId) : undefined }
  calledBefore(world).set(key, { caller })
  return row
}
