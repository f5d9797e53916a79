import { callIn } from '../../kit/context.ts'
import type { Queue } from '../../kit/jobs.ts'
import { loop } from '../../kit/loop.ts'
import type { World } from '../../kit/world.ts'
import { forgetOldAttempts } from '../users/attempts.ts'
import { sendPasswordReset } from './accounts/passwords.ts'
import { forgetTokens } from './accounts/tokens.ts'
import { forgetWindows } from './calls/rate.ts'
import { forgetSessions } from './sessions/sessions.ts'
import { type PasswordResetJob, passwordResetQueue } from './shapes.ts'

/** The queues of this module: requested password resets. */
export const queues: Queue<unknown>[] = [passwordResetQueue as Queue<unknown>]

const expiring = [forgetWindows, forgetOldAttempts, forgetTokens, forgetSessions]

/** Starts sending password resets, and every minute deletes what has expired. */
export async function startJobs(world: World): Promise<void> {
  const ctx = callIn(world, { actor: { kind: 'system' } })
  await world.jobs.work<PasswordResetJob>(passwordResetQueue, (job) => sendPasswordReset(ctx, job))
  for (const forget of expiring)
    void loop(world, { name: `auth: ${forget.name}`, everyMs: 60_000, work: () => forget(world).then(() => false) })
}
