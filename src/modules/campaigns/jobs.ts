import type { Queue } from '../../kit/jobs.ts'
import { loop } from '../../kit/loop.ts'
import type { World } from '../../kit/world.ts'
import { campaignReader, countCampaignLines } from './counts/count.ts'
import { linkReader } from './counts/links.ts'
import { advanceCampaigns, stepSignal, stepsIdle, wakeStalled } from './run/run.ts'
import { campaignsTopic } from './run/wake.ts'

/** The queues this module processes: none, because the emails of campaigns have the queue of all emails. */
export const queues: Queue<never>[] = []

/** The readers of the log of this module. */
export const readers = [campaignReader, linkReader]

const stepMs = 500
// Not after each line of the log: many lines are counted for the price of one.
const countMs = 1_000
const stalledMs = 30_000

/** Does the steps of campaigns that are due, and counts what became of their emails. */
export async function startJobs(world: World): Promise<void> {
  const loops = [
    loop(world, {
      name: 'campaigns',
      everyMs: stepMs,
      topic: campaignsTopic,
      signal: stepSignal(world),
      work: () => advanceCampaigns(world),
    }),
    loop(world, { name: 'stalled campaigns', everyMs: stalledMs, work: () => wakeStalled(world) }),
    loop(world, { name: 'campaign counts', everyMs: countMs, work: () => countCampaignLines(world) }),
  ]
  world.atClose(async () => {
    await Promise.all(loops)
    await stepsIdle(world)
  })
}
