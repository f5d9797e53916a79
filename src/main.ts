import { migrate } from '../prisma/migrate.ts'
import { readConfig } from './kit/config.ts'
import { startPostgres } from './kit/postgres/embedded.ts'
import { readCertificate } from './kit/smtp/certificate.ts'
import { openWorld, type World } from './kit/world.ts'
import { followEpoch } from './modules/events/epoch/epoch.ts'
import { startServer } from './server/app.ts'
import { explorerProject } from './server/graphql/graphiql.ts'
import { expectWorker, queues, startWorker } from './server/worker.ts'
import { greet } from './start/banner.ts'
import { completeDemo, type DemoFile, findDemo, isUnderWay } from './start/demo/demo.ts'
import { allowYoungGrowth, explainStartError, findSecret, listenForStop, reportBugs, requireFreePort, StoppedError } from './start/start.ts'

/** Starts the program: config → Postgres → schema → world → entry points → wait for a signal → close in reverse order. */
async function run(): Promise<void> {
  const stop = listenForStop()
  const config = readConfig()
  if (config.runsWeb) await requireFreePort(config)
  // Read by the worker, which begins last; what is wrong with it is told before anything is opened.
  if (config.runsWorker) await readCertificate(config)

  await using open = new AsyncDisposableStack()
  const embedded = config.DATABASE_URL
    ? undefined
    : open.adopt(await startPostgres({ dataDir: config.DATA_DIR, report: console.error }), (it) => it.stop())
  const databaseUrl = config.DATABASE_URL ?? (embedded?.url as string)
  const directUrl = config.DIRECT_DATABASE_URL ?? databaseUrl
  await stop.during(() => migrate(directUrl))

  const publicUrl = config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://localhost:${config.PORT}`
  const plan = { config, secret: await findSecret(config), databaseUrl, directUrl, queues, publicUrl }
  const world = open.adopt(await openWorld(plan), (it) => it.close())
  stop.check()
  reportBugs(world.log)
  await followEpoch(world)
  await expectWorker(world)
  let demo: DemoFile | null = null
  const prepare = async (url: string): Promise<void> => {
    demo = await findDemo(world, url)
    if (demo) explorerProject(world).id = demo.projectId
  }
  const server = config.runsWeb ? open.adopt(await startServer(world, prepare), (it) => it.close()) : undefined
  open.defer(() => world.announceClosing())
  stop.check()
  const working = work(world, demo)
  if (!isUnderWay(demo)) await working

  greet(world, server?.url, demo)
  allowYoungGrowth()
  world.log.info({ role: config.ROLE, url: server?.url }, 'started')
  world.log.info({ signal: await Promise.race([stop.signal, working.then(() => stop.signal)]) }, 'stopping')
}

// Workers wait for the past of new demo data: they would do its work with the time of now.
async function work(world: World, demo: DemoFile | null): Promise<void> {
  const completing = completeDemo(world, demo)
  world.atClose(() => completing)
  await completing
  if (world.config.runsWorker && !world.closing.aborted) await startWorker(world)
}

run().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(explainStartError(error))
    process.exit(error instanceof StoppedError ? 0 : 1)
  },
)
