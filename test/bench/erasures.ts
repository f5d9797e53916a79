// Measures reads while many contacts are being erased, and reads of a day long past. With --behind no reader has processed the
// log yet, so that no line is deleted together with its contact: pages then read up to their limit and stop.
import pg from 'pg'
import { lowestId } from '../../src/kit/ids.ts'
import { freePort } from '../help/ports.ts'
import { size } from './flags.ts'
import { contacts } from './payloads.ts'
import { type Seeded, startBenchPostgres } from './postgres.ts'
import { end, postwire } from './processes.ts'
import { type Figure, median, record, table } from './results.ts'

const events = size('events', 200_000)
const erasures = Math.min(size('erasures', Math.ceil(events / 100)), contacts / 2)
const rounds = size('rounds', 15)
const behind = process.argv.includes('--behind')
const timeoutMs = size('patience', 30) * 1_000
const dayMs = 86_400_000
const days = 10
const began = Date.now() - days * dayMs
const replayed = Math.ceil(events / 50)

const how = `A log of ${events.toLocaleString('en')} lines over ${days} days and 20,000 contacts, of which ${erasures.toLocaleString('en')}, to which all of the newest tenth of the lines belong, and to one of them nine in ten of the tenth before, are deleted through the API while no worker removes their lines. Median of ${rounds} requests; the yardstick is the same request before the deletions, for a past day the same request for the last day. Of the replayed lines only the last one is left after the deletions.`

interface Server {
  url: string
  headers: Record<string, string>
}

const insert = `insert into events (project_id, id, name, contact_id, data, created_at)
  select $1, l.id, 'event-' || l.n % 10, 'cnt_' || lpad(l.contact::text, 26, '0'), '{"plan":"pro"}', l.at
  from unnest($2::text[], $3::int[], $4::int[], $5::timestamptz[]) as l(id, n, contact, at)`

// All of the newest tenth belongs to the deleted contacts, nine of ten lines of the tenth before to one of them.
function contactOf(n: number): number {
  if (n >= events * 0.9) return n % erasures
  return n >= events * 0.8 && n % 10 > 0 ? 0 : (n * 7) % contacts
}

/** Fills the log in chronological order; returns a cursor from which the newest lines are replayed. */
async function fillLog({ url, projectId }: Seeded): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const step = 10_000
  let cursor = ''
  for (let from = 0; from < events; from += step) {
    const ns = Array.from({ length: Math.min(step, events - from) }, (_, at) => from + at)
    if (from <= events - replayed && from + step > events - replayed) {
      const { rows } = await client.query<{ xid: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as xid')
      cursor = Buffer.from(`1.${rows[0]?.xid}.`).toString('base64url')
    }
    const at = ns.map((n) => new Date(began + Math.floor((n * days * dayMs) / events)))
    const who = ns.map(contactOf)
    const ids = at.map((one, index) => lowestId('event', one).slice(0, -4) + String(index % step).padStart(4, '0'))
    await client.query(insert, [projectId, ids, ns, who, at])
  }
  if (!behind)
    await client.query(
      `insert into log_readers (reader, epoch, xid, id) select 'counts', epoch, xid, id from events order by epoch desc, xid desc, id desc limit 1`,
    )
  await client.query('vacuum analyze events')
  await client.end()
  return cursor
}

async function timed(work: (signal: AbortSignal) => Promise<unknown>): Promise<number> {
  const start = performance.now()
  try {
    await work(AbortSignal.timeout(timeoutMs))
    return performance.now() - start
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** The median time of some requests in ms; infinite when one failed or took too long. */
async function medianTime(work: (signal: AbortSignal) => Promise<unknown>): Promise<number> {
  const took: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const ms = await timed(work)
    if (ms === Number.POSITIVE_INFINITY) return ms
    if (round > 0) took.push(ms)
  }
  return median(took)
}

async function get({ url, headers }: Server, path: string, signal: AbortSignal): Promise<void> {
  const answer = await fetch(url + path, { headers, signal })
  const { data, hasMore } = (await answer.json()) as { data?: unknown[]; hasMore?: boolean }
  if (!answer.ok || !(data?.length || hasMore)) throw new Error(`GET ${path} answered ${answer.status}`)
}

async function ask({ url, headers }: Server, query: string, signal: AbortSignal): Promise<void> {
  const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }), signal })
  const { errors } = (await answer.json()) as { errors?: { message: string }[] }
  if (errors) throw new Error(errors[0]?.message)
}

/** Subscribes from a cursor of the log and reads until the last line arrives. */
async function replay({ url, headers }: Server, after: string, signal: AbortSignal): Promise<void> {
  const query = `subscription { activity(after: "${after}") { metadata } }`
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { ...headers, accept: 'text/event-stream' },
    body: JSON.stringify({ query }),
    signal,
  })
  let text = ''
  for await (const chunk of answer.body ?? []) {
    text = text.slice(-20) + Buffer.from(chunk).toString()
    if (text.includes('the-last-line')) return
  }
  throw new Error('The stream ended before the last line arrived')
}

async function deleteContacts(server: Server): Promise<number> {
  const start = performance.now()
  let next = 0
  const one = async (): Promise<void> => {
    while (next < erasures) {
      const id = `cnt_${String(next++).padStart(26, '0')}`
      const { status } = await fetch(`${server.url}/contacts/${id}`, {
        method: 'DELETE',
        headers: { authorization: server.headers.authorization ?? '' },
      })
      if (status !== 204) throw new Error(`DELETE answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, one))
  return (performance.now() - start) / erasures
}

const day = (from: number) =>
  `from=${new Date(began + from * dayMs).toISOString()}&to=${new Date(began + (from + 1) * dayMs).toISOString()}`
const nested = '{ contacts(first: 20) { nodes { email events(first: 6) { nodes { name createdAt } } } } }'

function reads(server: Server, cursor: string): [what: string, work: (signal: AbortSignal) => Promise<unknown>][] {
  return [
    ['GET /events', (signal) => get(server, '/events', signal)],
    ['GET /activity', (signal) => get(server, '/activity', signal)],
    ['GET /contacts', (signal) => get(server, '/contacts', signal)],
    ['GraphQL events', (signal) => ask(server, '{ events(first: 20) { nodes { name contact { email } } } }', signal)],
    ['GraphQL contacts with events', (signal) => ask(server, nested, signal)],
    [`replay of ${replayed.toLocaleString('en')} lines`, (signal) => replay(server, cursor, signal)],
  ]
}

const shown = (ms: number): string =>
  ms === Number.POSITIVE_INFINITY ? `failed or > ${timeoutMs / 1_000} s` : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`
const figure = (what: string, ours: number, yardstick: number): Figure => ({
  what,
  ours: shown(ours),
  yardstick: shown(yardstick),
  ratio: (yardstick / ours).toFixed(2),
  bar: '≥ 0.5',
})

await using open = new AsyncDisposableStack()
const postgres = open.adopt(await startBenchPostgres(), (it) => it.end())
const seeded = await postgres.seed('ours')
const cursor = await fillLog(seeded)
const port = await freePort()
const { url, appSecret, secretKey } = seeded
const settings = { DATABASE_URL: url, APP_SECRET: appSecret, PORT: String(port), ROLE: 'web', EMAIL_TRANSPORT: 'null' }
open.adopt(await postwire({ ...settings, RATE_LIMIT_PER_MINUTE: '100000000' }), end)
const server = {
  url: `http://127.0.0.1:${port}`,
  headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
}
const last = JSON.stringify({ email: `user${contacts - 1}@example.test`, event: 'the-last-line' })
await fetch(`${server.url}/v1/track`, { method: 'POST', headers: server.headers, body: last })

const figures: Figure[] = []
for (const path of ['/events?', '/activity?']) {
  const range = (from: number) => (path === '/events?' ? day(from) : day(from).replace('from', 'startDate').replace('to=', 'endDate='))
  const lastDay = await medianTime((signal) => get(server, path + range(days - 1), signal))
  figures.push(figure(`GET ${path.slice(0, -1)}, a past day`, await medianTime((signal) => get(server, path + range(1), signal)), lastDay))
}
await postgres.checkpoint()
const before: number[] = []
for (const [, work] of reads(server, cursor)) before.push(await medianTime(work))
const perDeletion = await deleteContacts(server)
await postgres.checkpoint()
const after: Figure[] = []
for (const [at, [what, work]] of reads(server, cursor).entries()) after.push(figure(what, await medianTime(work), before[at] ?? Number.NaN))
process.stdout.write(`one deletion took ${perDeletion.toFixed(1)} ms, 8 at a time\n`)
const all = [...after, ...figures]
if (behind) process.stdout.write(`${table(all)}\n`)
else await record('erasures', 'Reads beside pending erasures', how, all, postgres.version)
