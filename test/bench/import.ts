// Measures CSV imports of 5 MB: rows per second, what they add to the memory of the program, and how long live calls take
// beside them.
import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../help/ports.ts'
import { size } from './flags.ts'
import { startBenchPostgres } from './postgres.ts'
import { end, postwire } from './processes.ts'
import { median, record } from './results.ts'

const rounds = size('rounds', 3)
const maxBytes = 5 * 1024 * 1024
const calls = 200

const postgres = await startBenchPostgres()
const { url, appSecret, secretKey } = await postgres.seed('import')
const port = String(await freePort())
const server = await postwire({
  DATABASE_URL: url,
  APP_SECRET: appSecret,
  PORT: port,
  EMAIL_TRANSPORT: 'null',
  RATE_LIMIT_PER_MINUTE: '1000000',
})
const base = `http://127.0.0.1:${port}`
const headers = { authorization: `Bearer ${secretKey}` }

await trackSome()
const alone = await trackSome()
await run(csvOf('warm', 5_000))
await pause(5_000)
const restMb = residentMb()
const fresh: Figures[] = []
const again: Figures[] = []
for (let round = 0; round < rounds; round++) {
  const csv = csvOf(`round${round}`, Number.POSITIVE_INFINITY)
  fresh.push(await run(csv))
  again.push(await run(csv.replaceAll(',pro,', ',new,')))
  await postgres.checkpoint()
}
const beside: number[] = []
const importing = run(csvOf('beside', Number.POSITIVE_INFINITY))
let isDone = false
void importing.then(() => {
  isDone = true
})
while (!isDone) beside.push(...(await trackSome(50)))
await end(server)
await postgres.end()

const rate = (figures: Figures[]) => `${Math.round(median(figures.map(({ rowsPerSecond }) => rowsPerSecond)))}`
const peakMb = Math.max(...[...fresh, ...again].map(({ megabytes }) => megabytes)) - restMb
await record(
  'import',
  'CSV import',
  'Files of 5 MB (about 80,000 rows of 4 columns) into a project with 20,000 contacts, from the upload to the end of the job. Memory is the most that the program, without PostgreSQL, had during the imports above what it had before. The yardstick of the live calls is the same without an import.',
  [
    { what: 'new contacts, rows/s', ours: rate(fresh), yardstick: '', ratio: '', bar: '≥ 10,000' },
    { what: 'contacts that change, rows/s', ours: rate(again), yardstick: '', ratio: '', bar: '≥ 10,000' },
    { what: 'memory during imports', ours: `+${Math.max(0, peakMb)} MB`, yardstick: `${restMb} MB`, ratio: '', bar: '< 50 MB more' },
    {
      what: 'POST /v1/track beside an import, p50',
      ours: `${at(beside, 0.5)} ms`,
      yardstick: `${at(alone, 0.5)} ms`,
      ratio: ratioAt(0.5),
      bar: '',
    },
    {
      what: 'POST /v1/track beside an import, p99',
      ours: `${at(beside, 0.99)} ms`,
      yardstick: `${at(alone, 0.99)} ms`,
      ratio: ratioAt(0.99),
      bar: '',
    },
  ],
  postgres.version,
)

interface Figures {
  rowsPerSecond: number
  megabytes: number
}

function csvOf(prefix: string, maxRows: number): string {
  let csv = 'email,name,plan,orders\n'
  for (let n = 0; n < maxRows && csv.length < maxBytes - 100; n++) csv += `${prefix}-${n}@example.test,Name Number ${n},pro,${n % 50}\n`
  return csv
}

async function run(csv: string): Promise<Figures> {
  const form = new FormData()
  form.append('file', new Blob([csv]), 'contacts.csv')
  const began = performance.now()
  const queued = await fetch(`${base}/contacts/import`, { method: 'POST', headers, body: form })
  const { jobId } = (await queued.json()) as { jobId: string }
  let megabytes = 0
  for (;;) {
    const answer = await fetch(`${base}/contacts/import/${jobId}`, { headers })
    const job = (await answer.json()) as { state: string; failedReason: string | null; result: { totalRows: number } | null }
    megabytes = Math.max(megabytes, residentMb())
    if (job.state === 'completed' && job.result)
      return { rowsPerSecond: (job.result.totalRows / (performance.now() - began)) * 1_000, megabytes }
    if (job.failedReason !== null) throw new Error(job.failedReason)
    await pause(50)
  }
}

/** Tracks events one after another; returns the milliseconds of each. */
async function trackSome(count = calls): Promise<number[]> {
  const taken: number[] = []
  for (let n = 0; n < count; n++) {
    const began = performance.now()
    const body = JSON.stringify({ email: `user${n}@example.test`, event: 'seen' })
    const answer = await fetch(`${base}/v1/track`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body })
    await answer.text()
    taken.push(performance.now() - began)
  }
  return taken
}

function residentMb(): number {
  return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(server.pid)], { encoding: 'utf8' })) / 1024)
}

function at(times: number[], share: number): string {
  return (times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0).toFixed(1)
}

function ratioAt(share: number): string {
  return (Number(at(alone, share)) / Number(at(beside, share))).toFixed(2)
}
