// Measures the program as `npm start` runs it, with the embedded PostgreSQL and demo data: seconds until the first answer, and
// memory 15 s later, at rest and with all threads that render emails.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../help/ports.ts'
import { size } from './flags.ts'
import { end, startEnv } from './processes.ts'
import { median, record } from './results.ts'

const rounds = size('rounds', 3)
const emails = size('emails', 200)
const restMs = 15_000
const timeoutMs = 60_000
const root = fileURLToPath(new URL('../..', import.meta.url))

const first: Started[] = []
const later: Started[] = []
const used: Started[] = []
for (let round = 0; round < rounds; round++) {
  const dataDir = await mkdtemp(join(tmpdir(), 'postwire-memory-'))
  first.push(await start(dataDir, atRest))
  later.push(await start(dataDir, atRest))
  used.push(await start(dataDir, sendEmails))
  // As root the cluster may be in another folder (src/kit/postgres/folders.ts).
  const elsewhere = await readFile(join(dataDir, 'postgres.path'), 'utf8').catch(() => dataDir)
  for (const folder of [elsewhere, dataDir]) await rm(folder, { recursive: true, force: true })
}
const idle = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
await pause(1_000)
const yardstick = `${residentMb(idle)} MB`
await end(idle)

await record(
  'memory',
  'Start and memory',
  'npm start with the embedded PostgreSQL and demo data: the time until /readyz answers, and the resident memory of the program (without PostgreSQL) 15 s later. At rest one thread that renders emails runs; the others start with the first emails, and run for a minute after the last ones. The yardstick is an idle Node process.',
  [
    { what: 'first start, until it answers', ours: secondsOf(first), yardstick: '', ratio: '', bar: '< 5 s' },
    { what: 'later starts, until they answer', ours: secondsOf(later), yardstick: '', ratio: '', bar: '< 2 s' },
    { what: 'memory after the first start', ours: megabytesOf(first), yardstick, ratio: '', bar: '< 200 MB' },
    { what: 'memory after later starts', ours: megabytesOf(later), yardstick, ratio: '', bar: '< 200 MB' },
    { what: `memory after ${emails} emails, with all rendering threads`, ours: megabytesOf(used), yardstick, ratio: '', bar: '< 200 MB' },
  ],
  '18.4',
)

interface Started {
  seconds: number
  megabytes: number
}

type Work = (url: string, dataDir: string) => Promise<void>

async function atRest(): Promise<void> {}

/** Sends emails at once, so that all threads that render are started. */
async function sendEmails(url: string, dataDir: string): Promise<void> {
  const { secret } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as { secret: string }
  const to = Array.from({ length: emails }, (_, n) => `user${n}@example.test`)
  const response = await fetch(`${url}/v1/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to, from: 'hello@demo.test', subject: 'Hello', body: '<p>Hi {{ email }}</p>' }),
  })
  if (response.status !== 200) throw new Error(`The server answered ${response.status}: ${await response.text()}`)
}

async function start(dataDir: string, work: Work): Promise<Started> {
  const port = String(await freePort())
  const began = performance.now()
  const child = spawn(process.execPath, ['src/start/launch.js'], {
    cwd: root,
    env: { ...startEnv, DATA_DIR: dataDir, PORT: port, DEMO_HISTORY: 'false', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null || performance.now() - began > timeoutMs) throw new Error('Postwire did not start')
    await pause(10)
  }
  const seconds = (performance.now() - began) / 1_000
  await work(`http://127.0.0.1:${port}`, dataDir)
  await pause(restMs)
  const megabytes = residentMb(child)
  await end(child)
  return { seconds, megabytes }
}

function residentMb({ pid }: ChildProcess): number {
  return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024)
}

function secondsOf(starts: Started[]): string {
  return `${median(starts.map(({ seconds }) => seconds)).toFixed(1)} s`
}

function megabytesOf(starts: Started[]): string {
  return `${median(starts.map(({ megabytes }) => megabytes))} MB`
}
