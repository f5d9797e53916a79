// A process that only delivers emails and looks after campaigns and workflows, for tests that kill it. It reads its settings from the environment, as `npm start` does.
import { flushCompileCache } from 'node:module'
import { readConfig } from '../../src/kit/config.ts'
import { openWorld } from '../../src/kit/world.ts'
import { startJobs as startCampaigns } from '../../src/modules/campaigns/jobs.ts'
import { queues, startJobs } from '../../src/modules/emails/jobs.ts'
import { startJobs as startWorkflows, queues as workflowQueues } from '../../src/modules/workflows/jobs.ts'

const config = readConfig()
const world = await openWorld({
  config,
  secret: config.APP_SECRET ?? '',
  databaseUrl: config.DATABASE_URL ?? '',
  queues: [...queues, ...workflowQueues],
  publicUrl: 'http://localhost',
})
await startJobs(world)
await startCampaigns(world)
await startWorkflows(world)
// One that is killed would write no compiled code for those after it.
flushCompileCache()
process.send?.('ready')
