// A delivering process and nothing else, to be killed by a test: settings from its environment, as `npm start` reads them.
import { readConfig } from '../../src/kit/config.ts'
import { openWorld } from '../../src/kit/world.ts'
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
process.send?.('ready')
