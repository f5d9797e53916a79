import type { World } from '../../kit/world.ts'
import { forgetOldAttempts } from './accounts/attempts.ts'
import { forgetTokens } from './accounts/links.ts'
import { forgetWindows } from './calls/rate.ts'
import { dropSessions } from './sessions/sql.ts'

/** Forgets sessions, tokens, attempts and minutes that are over; answers false, as nothing more is left to do. */
export async function forgetEnded(world: World): Promise<false> {
  await forgetWindows(world)
  await forgetOldAttempts(world)
  await forgetTokens(world)
  await world.db.run(dropSessions, [world.clock.now()])
  return false
}
