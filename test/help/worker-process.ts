// A process that only delivers emails and looks after campaigns, for tests that kill it. It reads its settings from the environment, as `npm start` does.
import { readConfig } from '../../src/kit/config.ts'
import { openWorld } from '../../src/kit/world.ts'
import { startJobs as startCampaigns } from '../../src/modules/campaigns/jobs.ts'
import { queues, startJobs } from '../../src/modules/emails/jobs.ts'

const config = readConfig()
const world = await openWorld({
  config,
  secret: config.APP_SECRET ?? '',
  databaseUrl: config.DATABASE_URL ?? '',
  queues,
  publicUrl: 'http://localhost',
})
await startJobs(world)
await startCampaigns(world)
process.send?.('ready')
