// npm run migrate                            applies missing migrations
// npm run migrate -- draft NAME              writes the next migration from the datamodel
// npm run migrate -- draft NAME --replace    rewrites the newest one, before it is released
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../src/kit/config.ts'
import { startPostgres } from '../src/kit/postgres/embedded.ts'
import { draftMigration } from './draft.ts'
import { migrate } from './migrate.ts'

const [command, title = ''] = process.argv.slice(2)

async function applyAll(): Promise<string> {
  const config = readConfig()
  const given = config.DIRECT_DATABASE_URL ?? config.DATABASE_URL
  const embedded = given ? undefined : await startPostgres({ dataDir: config.DATA_DIR })
  const applied = await migrate(given ?? (embedded?.url as string))
  await embedded?.stop()
  return applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Nothing to apply.'
}

async function draft(): Promise<string> {
  if (!/^[a-z][a-z0-9_]*$/.test(title)) return 'Name the migration in lower case: npm run migrate -- draft add_segments'
  const dataDir = await mkdtemp(join(tmpdir(), 'postwire-draft-'))
  const embedded = await startPostgres({ dataDir })
  const name = await draftMigration(embedded.url, title, process.argv.includes('--replace'))
  await embedded.stop()
  const elsewhere = await readFile(join(dataDir, 'postgres.path'), 'utf8').catch(() => dataDir)
  for (const folder of [elsewhere, dataDir]) await rm(folder, { recursive: true, force: true })
  return name ? `Wrote prisma/migrations/${name}: read it before you commit it.` : 'The datamodel has not changed.'
}

console.log(await (command === 'draft' ? draft() : applyAll()))
