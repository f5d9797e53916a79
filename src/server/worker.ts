import type { Queue } from '../kit/jobs.ts'
import { loop } from '../kit/loop.ts'
import type { World } from '../kit/world.ts'
import * as analytics from '../modules/analytics/jobs.ts'
import * as auth from '../modules/auth/jobs.ts'
import * as billing from '../modules/billing/jobs.ts'
import * as campaigns from '../modules/campaigns/jobs.ts'
import * as contacts from '../modules/contacts/jobs.ts'
import * as domains from '../modules/domains/jobs.ts'
import * as emails from '../modules/emails/jobs.ts'
import * as events from '../modules/events/jobs.ts'
import { forgetReaders, type LogReader, registerReaders } from '../modules/events/reader/reader.ts'
import * as idempotency from '../modules/idempotency/jobs.ts'
import * as jobs from '../modules/jobs/jobs.ts'
import * as platform from '../modules/platform/jobs.ts'
import * as resets from '../modules/resets/jobs.ts'
import * as security from '../modules/security/jobs.ts'
import * as segments from '../modules/segments/jobs.ts'
import * as ses from '../modules/ses/jobs.ts'
import * as workflows from '../modules/workflows/jobs.ts'

const modules: { queues: Queue<unknown>[]; readers?: LogReader[]; startJobs(world: World): Promise<void> }[] = [
  analytics,
  auth,
  billing,
  campaigns,
  contacts,
  domains,
  emails,
  events,
  jobs,
  platform,
  resets,
  security,
  segments,
  ses,
  workflows,
  idempotency,
]

/** Every queue of the program; a world is opened with them. */
export const queues: Queue<unknown>[] = modules.flatMap((module) => module.queues)

/** Every reader of the log of the program. */
export const readers: readonly LogReader[] = modules.flatMap((module) => module.readers ?? [])

/** Lets the background work begin with what happens from now on, whenever its first worker starts; for processes of every role. */
export async function expectWorker(world: World): Promise<void> {
  await registerReaders(world, readers)
}

/** Starts the background work of this process: email delivery and the recurring jobs of every module. It ends when the world closes. */
export async function startWorker(world: World): Promise<void> {
  for (const module of modules) await module.startJobs(world)
  const forget = async (): Promise<boolean> => {
    await forgetReaders(world, readers)
    return false
  }
  void loop(world, { name: 'forgotten readers', everyMs: 3_600_000, work: forget })
}
