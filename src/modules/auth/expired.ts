import type { World } from '../../kit/world.ts'
import { forgetOldAttempts } from './accounts/attempts.ts'
import { forgetTokens } from './accounts/tokens.ts'
import { forgetWindows } from './calls/rate.ts'
import { dropSessions } from './sessions/sql.ts'

/** Deletes sessions, tokens, attempts and rate limit windows that have expired. Returns false: one run leaves nothing to do. */
export async function forgetExpired(world: World): Promise<false> {
  await forgetWindows(world)
  await forgetOldAttempts(world)
  await forgetTokens(world)
  await world.db.run(dropSessions, [world.clock.now()])
  return false
}
