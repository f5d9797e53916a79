import { callIn } from '../../kit/context.ts'
import type { Queue } from '../../kit/jobs.ts'
import { loop } from '../../kit/loop.ts'
import type { World } from '../../kit/world.ts'
import { sendPasswordReset } from './accounts/passwords.ts'
import { forgetEnded } from './ended.ts'
import { type ResetJob, resetQueue } from './shapes.ts'

/** The queues of this module: resets that were asked for. */
export const queues: Queue<unknown>[] = [resetQueue as Queue<unknown>]

/** Starts answering resets, and the housekeeping: what is over by the clock. */
export async function startJobs(world: World): Promise<void> {
  const ctx = callIn(world, { actor: { kind: 'system' } })
  await world.jobs.work<ResetJob>(resetQueue, (job) => sendPasswordReset(ctx, job))
  void loop(world, { name: 'ended sessions, tokens and windows', everyMs: 60_000, work: () => forgetEnded(world) })
}
