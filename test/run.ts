// `npm test`: runs every check, also after one has failed, and prints a summary.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

interface Outcome {
  name: string
  passed: number
  failed: number
  seconds: number
}

const scratch = await mkdtemp(join(tmpdir(), 'postwire-check-'))
const report = join(scratch, 'vitest.json')
const root = join(import.meta.dirname, '..')

const checks: [name: string, command: string, ...options: string[]][] = [
  ['format and lint', 'biome', 'check', '.'],
  ['types', 'tsc'],
  ['types, dashboard', 'tsc', '-p', 'src/dashboard'],
  ['unused code', 'knip', '--no-config-hints'],
  ['imports', 'depcruise', 'src', 'prisma', 'test', '--config', 'test/imports.config.mjs'],
  ['generated files', 'node', 'codegen.ts', '--check'],
]

/** Runs a command to its end; what it prints is shown as it comes, or at the end as one piece. */
async function run(command: string, options: string[], shown: 'live' | 'afterwards'): Promise<{ code: number; printed: string }> {
  const child = spawn(command, options, {
    stdio: ['ignore', shown === 'live' ? 'inherit' : 'pipe', shown === 'live' ? 'inherit' : 'pipe'],
    cwd: root,
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
  })
  const ended = new Promise<number>((resolve, reject) => child.once('error', reject).once('close', (code) => resolve(code ?? 1)))
  const printed = await Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')))
  return { code: await ended, printed: printed.join('') }
}

async function check(name: string, command: string, options: string[], shown: 'live' | 'afterwards' = 'afterwards'): Promise<Outcome> {
  const started = Date.now()
  const { code, printed } = await run(command, options, shown)
  console.log(`\n── ${name}\n${printed}`)
  return { name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, seconds: (Date.now() - started) / 1000 }
}

async function runChecks(): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [name, command, ...options] of checks) outcomes.push(await check(name, command, options))
  return outcomes
}

async function runTests(): Promise<Outcome> {
  const options = ['run', '--config', 'test/vitest.config.ts', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const outcome = await check('tests', 'vitest', options, 'live')
  const result = await readFile(report, 'utf8').catch(() => '{}')
  const { numPassedTests = 0, numFailedTests = 0 } = JSON.parse(result) as { numPassedTests?: number; numFailedTests?: number }
  // A file that cannot be loaded fails the run and has no tests to count.
  return { ...outcome, passed: numPassedTests, failed: Math.max(numFailedTests, outcome.failed) }
}

// Tests wait a fifth of their time, for mail servers, browsers and processes they kill: the other checks run meanwhile.
const [others, tests] = await Promise.all([runChecks(), runTests()])
const outcomes = [...others, tests]
await rm(scratch, { recursive: true })

console.log('')
for (const { name, passed, failed, seconds } of outcomes) {
  console.log(
    `${failed === 0 ? '✓' : '✗'} ${name.padEnd(16)} ${String(passed).padStart(4)} passed ${String(failed).padStart(3)} failed ${seconds.toFixed(0).padStart(5)} s`,
  )
}
const sum = (count: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + count(outcome), 0)
console.log(`${sum((it) => it.passed)} passed, ${sum((it) => it.failed)} failed`)
process.exit(sum((it) => it.failed) === 0 ? 0 : 1)
