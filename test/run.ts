// `npm test`: runs every check, also after one has failed, and prints a summary.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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

function run(command: string, options: string[]): Promise<number> {
  const child = spawn(command, options, {
    stdio: 'inherit',
    cwd: root,
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
  })
  return new Promise((resolve, reject) => child.once('error', reject).once('close', (code) => resolve(code ?? 1)))
}

async function check(name: string, command: string, options: string[]): Promise<Outcome> {
  const started = Date.now()
  console.log(`\n── ${name}`)
  const code = await run(command, options)
  return { name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, seconds: (Date.now() - started) / 1000 }
}

async function runTests(): Promise<Outcome> {
  const options = ['run', '--config', 'test/vitest.config.ts', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const outcome = await check('tests', 'vitest', options)
  const text = await readFile(report, 'utf8').catch(() => '{}')
  const { numPassedTests = 0, numFailedTests = 0 } = JSON.parse(text) as { numPassedTests?: number; numFailedTests?: number }
  // A file that cannot be loaded fails the run and has no tests to count.
  return { ...outcome, passed: numPassedTests, failed: Math.max(numFailedTests, outcome.failed) }
}

const outcomes: Outcome[] = []
for (const [name, command, ...options] of checks) outcomes.push(await check(name, command, options))
outcomes.push(await runTests())
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
