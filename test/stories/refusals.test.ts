import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startProgram } from '../help/program.ts'
import { root } from '../help/sources.ts'
import { postgresUrl } from '../help/world.ts'

// Starts that cannot succeed: one clear sentence on standard error, exit code 1, no stack.
const dataDir = await mkdtemp(join(tmpdir(), 'postwire-refused-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))

async function refused(env: Record<string, string>, node = process.execPath): Promise<string> {
  const program = startProgram(node, ['src/start/launch.js'], { cwd: root, env: { DATA_DIR: dataDir, PORT: '0', ...env } })
  expect(await program.ended, program.stdout() + program.stderr()).toBe(1)
  expect(program.stdout()).toBe('')
  expect(program.stderr()).not.toMatch(/^\s+at /m)
  return program.stderr().trim()
}

test('a busy port', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  expect(await refused({ PORT: String(port) })).toMatch(new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use: .*$`))
  server.close()
})

test('an unreachable database', async () => {
  expect(await refused({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x' })).toMatch(
    /^The database at DATABASE_URL cannot be reached: .*ECONNREFUSED.*$/,
  )
})

test('a wrong password for the database', async () => {
  const url = Object.assign(new URL(postgresUrl()), { password: 'wrong' }).href
  expect(await refused({ DATABASE_URL: url })).toMatch(/^The database at DATABASE_URL returned an error: password authentication failed.*$/)
})

test('production without a secret and a mail server reports both', async () => {
  const text = await refused({ NODE_ENV: 'production' })
  expect(text.split('\n')).toEqual([
    'Postwire cannot start with these settings:',
    expect.stringMatching(/^APP_SECRET: is required in production/),
    expect.stringMatching(/^EMAIL_TRANSPORT: is required in production/),
  ])
})

const older = olderNode()
test.skipIf(!older)('a Node version that is too old', async () => {
  expect(await refused({}, older)).toMatch(/^Postwire needs Node 24 or newer, and this is \d+\.\d+\.\d+\. .*$/)
})

// The Node of this machine, if it is older than the one npm scripts use.
function olderNode(): string | undefined {
  const paths = (process.env.PATH ?? '').split(':').filter((folder) => folder !== '' && !folder.includes('node_modules'))
  return paths.map((folder) => join(folder, 'node')).find((path) => versionOf(path) < 24)
}

function versionOf(path: string): number {
  try {
    return Number(/^v(\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))?.[1])
  } catch (error) {
    if (['ENOENT', 'EACCES'].includes(String((error as NodeJS.ErrnoException).code))) return Number.NaN
    throw error
  }
}
