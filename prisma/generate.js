// Writes src/generated (Prisma client, Pothos types) from prisma/schema. Runs after every install; plain JavaScript,
// because an install without development packages runs it on whatever Node the machine has.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const cli = findCli()
if (!cli) {
  console.error('src/generated is not written: the package prisma is not installed. Copy the folder from a full install (see Dockerfile).')
  process.exit(0)
}

// The generators here need no schema engine, but the command line asks for one and would download it:
// any existing file answers the question.
const { status, stderr } = spawnSync(
  process.execPath,
  [cli, 'generate', '--config', fileURLToPath(new URL('./config.ts', import.meta.url)), '--no-hints'],
  {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' },
  },
)
if (status !== 0) console.error(stderr)
process.exit(status ?? 1)

function findCli() {
  try {
    return createRequire(import.meta.url).resolve('prisma/build/index.js')
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
