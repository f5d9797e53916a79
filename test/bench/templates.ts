// Measures what others notice of a project whose templates take their whole computing time: p99 of /healthz, and p95 from
// acceptance to the recorded hand-over of another project's emails.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { callIn } from '../../src/kit/context.ts'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { createProject } from '../../src/modules/projects/projects.ts'
import { freePort } from '../help/ports.ts'
import { size } from './flags.ts'
import { senderDomain } from './payloads.ts'
import { benchWorld, startBenchPostgres } from './postgres.ts'
import { end, helper, postwire } from './processes.ts'
import { median, record } from './results.ts'

const rounds = size('rounds', 3)
const seconds = size('seconds', 8)
const emails = size('emails', 200)
const perSecond = 20
const pollMs = 10
const loops = '{% for a in (1..1000) %}{% for b in (1..1000) %}{{ a | times: b }}{% endfor %}{% endfor %}'

await using open = new AsyncDisposableStack()
const postgres = open.adopt(await startBenchPostgres(), (it) => it.end())
const seeded = await postgres.seed('templates')
const neighbour = await createNeighbour()
const sinkPort = await freePort()
open.adopt(await helper('sink.ts', [String(sinkPort)]), end)
const port = await freePort()
const url = `http://127.0.0.1:${port}`
open.adopt(
  await postwire({
    DATABASE_URL: seeded.url,
    APP_SECRET: seeded.appSecret,
    PORT: String(port),
    EMAIL_TRANSPORT: `smtp://127.0.0.1:${sinkPort}`,
    RATE_LIMIT_PER_MINUTE: '100000000',
  }),
  end,
)
const client = open.adopt(new pg.Client({ connectionString: seeded.url }), (it) => it.end())
await client.connect()

interface Noticed {
  healthzMs: number
  sentMs: number
}

const seen = { alone: [] as Noticed[], beside: [] as Noticed[] }
let sent = 0
await notice()
for (let round = 0; round < rounds; round++) {
  seen.alone.push(await notice())
  await send(
    neighbour,
    Array.from({ length: emails }, (_, n) => `slow${round}-${n}@example.test`),
    loops,
  )
  seen.beside.push(await notice())
  await untilEnded()
}

const medianOf = (all: Noticed[], what: keyof Noticed): number => median(all.map((one) => one[what]))
const row = (what: string, key: keyof Noticed, bar: string) => {
  const [alone, beside] = [medianOf(seen.alone, key), medianOf(seen.beside, key)]
  return { what, ours: `${beside.toFixed(1)} ms`, yardstick: `${alone.toFixed(1)} ms`, ratio: (alone / beside).toFixed(2), bar }
}
await record(
  'templates',
  'Beside templates that take their whole computing time',
  `${emails} emails of one project, each rendered until its 50 ms of computing time are used up, while another project sends ${perSecond} emails per second to a server in another process. The yardstick is the same without them.`,
  [
    row('GET /healthz, p99', 'healthzMs', '< 50 ms'),
    row('from acceptance until an email of the other project is recorded as sent, p95', 'sentMs', '≥ 0.5'),
  ],
  postgres.version,
)

async function createNeighbour(): Promise<string> {
  const world = await benchWorld(seeded.url, seeded.appSecret)
  const { id, secret } = await createProject(callIn(world), { name: 'Neighbour' })
  await createDomain(callIn(world, { projectId: id, actor: { kind: 'system' } }), { domain: senderDomain })
  await world.close()
  return secret
}

async function send(key: string, to: string[], body: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const draft = { to, from: `shop@${senderDomain}`, subject: 'Hello', body }
  const response = await fetch(`${url}/v1/send`, { method: 'POST', headers, body: JSON.stringify(draft) })
  if (response.status !== 200) throw new Error(`The server answered ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

/** Sends emails and asks for the health of the process for some seconds; returns the p99 and p95. */
async function notice(): Promise<Noticed> {
  const first = sent
  const until = performance.now() + seconds * 1_000
  const [healthz] = await Promise.all([askHealth(until), sendEvenly(until)])
  await untilEnded(seeded.projectId)
  const { rows } = await client.query<{ ms: number }>(
    `select extract(epoch from sent_at - created_at)::float8 * 1000 as ms from emails where project_id = $1 order by id offset $2`,
    [seeded.projectId, first],
  )
  return {
    healthzMs: at(healthz, 0.99),
    sentMs: at(
      rows.map(({ ms }) => ms),
      0.95,
    ),
  }
}

async function askHealth(until: number): Promise<number[]> {
  const asked: Promise<number>[] = []
  for (; performance.now() < until; await pause(pollMs)) {
    const began = performance.now()
    asked.push(fetch(`${url}/healthz`).then((answer) => answer.arrayBuffer().then(() => performance.now() - began)))
  }
  return Promise.all(asked)
}

async function sendEvenly(until: number): Promise<void> {
  const sends: Promise<void>[] = []
  for (; performance.now() < until; await pause(1_000 / perSecond))
    sends.push(send(seeded.secretKey, [`user${sent++}@example.test`], '<p>Hi {{ email }}</p>'))
  await Promise.all(sends)
}

async function untilEnded(projectId?: string): Promise<void> {
  const sql = 'select 1 from deliveries where $1::text is null or project_id = $1 limit 1'
  while ((await client.query(sql, [projectId ?? null])).rowCount !== 0) await pause(50)
}

function at(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
