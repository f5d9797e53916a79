import { rm } from 'node:fs/promises'
import { afterAll, test } from 'vitest'
import { migrate } from '../../prisma/migrate.ts'
import { startPostgres } from '../../src/kit/postgres/embedded.ts'
import { freshDataDir } from '../help/processes.ts'
import { killWhileOnboarding } from '../help/workflow-story.ts'
import { testWorld } from '../help/world.ts'

const contacts = Number(process.env.CONTACTS ?? 500)
const kills = Number(process.env.KILLS ?? 60)
const dataDir = await freshDataDir()
const postgres = await startPostgres({ dataDir })
afterAll(async () => {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
})
await migrate(postgres.url)
const world = await testWorld({ databaseUrl: postgres.url, running: true })

test(`${kills} kills while two workers take ${contacts} contacts through a workflow: each walks its path exactly once`, () =>
  killWhileOnboarding(world, { contacts, kills, waitSeconds: 30 }))
