// npm run project -- list                                the projects that are suspended, and why
// npm run project -- suspend prj_… "Why, in a sentence"  stops all changes and sending of a project
// npm run project -- lift prj_…                          lifts the suspension
import { existsSync } from 'node:fs'
import { migrate } from '../prisma/migrate.ts'
import { readConfig } from './kit/config.ts'
import { type Ctx, callIn } from './kit/context.ts'
import { Failure } from './kit/errors.ts'
import { findPostgres, startPostgres } from './kit/postgres/embedded.ts'
import { read } from './kit/problems.ts'
import { openWorld } from './kit/world.ts'
import { untilNothingLeaves } from './modules/projects/queue/leaving.ts'
import { SuspensionDraft } from './modules/security/shapes.ts'
import { liftSuspension, listSuspended, suspendProject } from './modules/security/suspensions.ts'
import { queues } from './server/worker.ts'
import { explainStartError, findSecret } from './start/start.ts'

const usage = `npm run project -- list                                the projects that are suspended, and why
npm run project -- suspend prj_… "Why, in a sentence"  stops all changes and sending of a project
npm run project -- lift prj_…                          lifts the suspension`

/** The commands of an operator; each returns the text to print. */
const commands: Record<string, (ctx: Ctx, words: string[]) => Promise<string>> = {
  async list({ world }) {
    const found = await listSuspended(world)
    const lines = found.map((one) =>
      [one.projectId, one.suspendedAt.toISOString(), one.reason, JSON.stringify(one.name), one.detail].join('  '),
    )
    return lines.join('\n') || 'No project is suspended.'
  },
  async suspend(ctx, words) {
    const changed = await suspendProject(ctx, read(SuspensionDraft, { reason: 'MANUAL', detail: words.join(' ') }))
    await untilNothingLeaves(ctx)
    return changed
      ? `${ctx.projectId} is suspended: it can be read but not changed, and sends nothing.`
      : `${ctx.projectId} was already suspended.`
  },
  async lift(ctx) {
    return (await liftSuspension(ctx)) ? `${ctx.projectId} is no longer suspended.` : `${ctx.projectId} was not suspended.`
  },
}

async function run(): Promise<string> {
  const [name = '', projectId = '', ...words] = process.argv.slice(2)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) return usage
  if (existsSync('.env')) process.loadEnvFile('.env')
  await using open = new AsyncDisposableStack()
  const config = readConfig()
  const given = config.DATABASE_URL ?? (await findPostgres(config.DATA_DIR))
  const databaseUrl = given ?? open.adopt(await startPostgres({ dataDir: config.DATA_DIR }), (it) => it.stop()).url
  const directUrl = config.DIRECT_DATABASE_URL ?? databaseUrl
  await migrate(directUrl)
  const plan = { config: { ...config, LOG_LEVEL: 'warn' as const }, secret: await findSecret(config), databaseUrl, directUrl, queues }
  const world = open.adopt(await openWorld({ ...plan, publicUrl: config.PUBLIC_URL ?? 'http://localhost' }), (it) => it.close())
  return await command(callIn(world, { projectId, actor: { kind: 'system' } }), words)
}

run().then(
  (text) => {
    console.log(text)
    process.exit(0)
  },
  (error: unknown) => {
    console.error(error instanceof Failure ? sentenceOf(error) : explainStartError(error))
    process.exit(1)
  },
)

function sentenceOf({ code, message, errors = [] }: Failure): string {
  if (code === 'RESOURCE_NOT_FOUND') return 'There is no project with this id.'
  return errors.map((one) => `${one.field} ${one.message}`).join('\n') || message
}
