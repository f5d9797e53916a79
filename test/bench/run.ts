// npm run bench [-- row …] [--seconds=6] [--rounds=3] [--mails=3000] [--events=200000]: every row alone, in a process of its own.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const rows = ['track', 'send', 'delivery', 'memory', 'erasures']
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const flags = process.argv.slice(2).filter((word) => word.startsWith('--'))
const unknown = asked.filter((row) => !rows.includes(row))
if (unknown.length > 0) throw new Error(`There is no row ${unknown.join(', ')}; there are ${rows.join(', ')}`)

for (const row of asked.length > 0 ? asked : rows) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`./${row}.ts`, import.meta.url)), ...flags], { stdio: 'inherit' })
  const code = await new Promise((done) => child.once('exit', done))
  if (code !== 0) process.exit(1)
}
