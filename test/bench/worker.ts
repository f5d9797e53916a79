// A worker that does not sign, in a separate process for the benchmarks: otherwise the same as with ROLE=worker.
import { readConfig } from '../../src/kit/config.ts'
import { createSmtpTransport } from '../../src/kit/mailer.ts'
import { openWorld } from '../../src/kit/world.ts'
import { queues, startWorker } from '../../src/server/worker.ts'
import { allowYoungGrowth } from '../../src/start/start.ts'

const config = readConfig({ ...process.env, LOG_LEVEL: 'error' })
const { EMAIL_TRANSPORT: kind, SMTP_CONNECTIONS: connections } = config
const world = await openWorld({
  config,
  secret: process.env.APP_SECRET ?? '',
  databaseUrl: process.env.DATABASE_URL ?? '',
  publicUrl: 'http://127.0.0.1',
  queues,
  ...(kind !== 'null' && { mailServer: { ...createSmtpTransport(kind, connections), signs: false } }),
})
await startWorker(world)
allowYoungGrowth()
process.send?.('ready')
process.once('SIGTERM', () => void world.close().then(() => process.exit()))
