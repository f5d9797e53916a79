// Writes src/generated (Prisma client, Pothos types) from prisma/schema. Runs after every install.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const cli = createRequire(import.meta.url).resolve('prisma/build/index.js')

// The generators here need no schema engine, but the command line asks for one and would download it:
// any existing file answers the question.
const { status } = spawnSync(
  process.execPath,
  [cli, 'generate', '--config', fileURLToPath(new URL('./config.ts', import.meta.url)), '--no-hints'],
  {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' },
  },
)
process.exit(status ?? 1)
