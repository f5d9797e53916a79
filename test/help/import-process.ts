// A process that only works on jobs, for tests that kill it. It reads its settings from the environment, as `npm start` does.
import { flushCompileCache } from 'node:module'
import { readConfig } from '../../src/kit/config.ts'
import { openWorld } from '../../src/kit/world.ts'
import { startJobs as startContacts } from '../../src/modules/contacts/jobs.ts'
import { queues, startJobs } from '../../src/modules/jobs/jobs.ts'

const config = readConfig()
const world = await openWorld({
  config,
  secret: config.APP_SECRET ?? '',
  databaseUrl: config.DATABASE_URL ?? '',
  queues,
  publicUrl: 'http://localhost',
})
await startJobs(world)
await startContacts(world)
// One that is killed would write no compiled code for those after it.
flushCompileCache()
process.send?.('ready')
