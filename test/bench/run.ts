// npm run bench [-- name …] [--seconds=6] [--rounds=3] [--mails=3000] [--events=200000]: runs each benchmark in its own process.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const benchmarks = [
  'track',
  'send',
  'reads',
  'fairness',
  'delivery',
  'campaign',
  'claim',
  'hot',
  'templates',
  'attachments',
  'memory',
  'erasures',
  'filters',
  'import',
  'segments',
  'workflows',
  'idle',
  'live',
  'analytics',
]
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const flags = process.argv.slice(2).filter((word) => word.startsWith('--'))
const unknown = asked.filter((name) => !benchmarks.includes(name))
if (unknown.length > 0) throw new Error(`There is no benchmark ${unknown.join(', ')}; there are ${benchmarks.join(', ')}`)

for (const name of asked.length > 0 ? asked : benchmarks) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), ...flags], { stdio: 'inherit' })
  const code = await new Promise((done) => child.once('exit', done))
  if (code !== 0) process.exit(1)
}
