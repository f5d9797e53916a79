import { callIn } from '../../kit/context.ts'
import type { Queue } from '../../kit/jobs.ts'
import { loop } from '../../kit/loop.ts'
import type { World } from '../../kit/world.ts'
import { sendPasswordReset } from './accounts/passwords.ts'
import { forgetExpired } from './expired.ts'
import { type PasswordResetJob, passwordResetQueue } from './shapes.ts'

/** The queues of this module: requested password resets. */
export const queues: Queue<unknown>[] = [passwordResetQueue as Queue<unknown>]

/** Starts sending password resets, and every minute deletes what has expired. */
export async function startJobs(world: World): Promise<void> {
  const ctx = callIn(world, { actor: { kind: 'system' } })
  await world.jobs.work<PasswordResetJob>(passwordResetQueue, (job) => sendPasswordReset(ctx, job))
  void loop(world, { name: 'expired sessions, tokens and windows', everyMs: 60_000, work: () => forgetExpired(world) })
}
