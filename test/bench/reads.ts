// Measures what is read most: a contact, a page of contacts however deep in the list, their fields, and contacts with their events in
// one GraphQL query. At full size: --contacts=1000000 --events=10000000, which takes some minutes to generate.
import pg from 'pg'
import { freePort } from '../help/ports.ts'
import { fillContacts } from './audience.ts'
import { size } from './flags.ts'
import type { Ask } from './load.ts'
import { startBenchPostgres } from './postgres.ts'
import { end, helper, load, postwire } from './processes.ts'
import { type Figure, median, record } from './results.ts'

const contacts = size('contacts', 100_000)
const events = size('events', 1_000_000)
const rounds = size('rounds', 3)
const seconds = size('seconds', 6)
const connections = 20
const pageSize = 100

const idOf = (n: number): string => `cnt_${String(n).padStart(26, '0')}`
const fillEvents = `insert into events (project_id, id, name, contact_id, data, created_at)
  select $1, 'evt_' || lpad(n::text, 26, '0'), 'viewed ' || n % 20, 'cnt_' || lpad((1 + n % $2::int)::text, 26, '0'), '{"plan":"pro"}', now()
  from generate_series($3::int, $4::int) n`

await using open = new AsyncDisposableStack()
const postgres = open.adopt(await startBenchPostgres(), (it) => it.end())
const seeded = await postgres.seed('reads')
await fill()
const [ourPort, barePort] = [await freePort(), await freePort()]
const settings = { DATABASE_URL: seeded.url, APP_SECRET: seeded.appSecret, PORT: String(ourPort), ROLE: 'web', EMAIL_TRANSPORT: 'null' }
open.adopt(await postwire({ ...settings, RATE_LIMIT_PER_MINUTE: '100000000' }), end)
open.adopt(await helper('reads-yardstick.ts', [seeded.url, String(barePort), seeded.projectId]), end)
const ours = { url: `http://127.0.0.1:${ourPort}`, authorization: `Bearer ${seeded.secretKey}` }
const bare = { url: `http://127.0.0.1:${barePort}`, authorization: 'none' }

async function fill(): Promise<void> {
  const client = new pg.Client({ connectionString: seeded.url, options: '-c synchronous_commit=off -c maintenance_work_mem=512MB' })
  await client.connect()
  const { projectId } = seeded
  await client.query('delete from contacts where project_id = $1', [projectId])
  // Indexes are made at the end, which takes a fraction of the time.
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where tablename = 'events' and indexname not like '%pkey' or indexname = 'contacts_search'`,
  )
  for (const { indexname } of rows) await client.query(`drop index ${indexname}`)
  await client.query(fillContacts, [projectId, new Date(), contacts])
  await client.query('update contact_counts set count = $2 where project_id = $1', [projectId, contacts])
  for (let at = 1; at <= events; at += 500_000) await client.query(fillEvents, [projectId, contacts, at, Math.min(events, at + 499_999)])
  for (const { indexdef } of rows) await client.query(indexdef)
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await client.end()
}

const document = (total: string) =>
  `{ contacts(first: 20) { ${total} nodes { id email subscribed data createdAt updatedAt events(first: 5) { nodes { id name data createdAt } } } } }`
const query = (total = ''): Ask => ({ method: 'POST', path: '/graphql', body: JSON.stringify({ query: document(total) }) })
// Over the whole list, in an order that is none of the table's.
const single: Ask[] = Array.from({ length: 1_000 }, (_, n) => ({ method: 'GET', path: `/contacts/${idOf(1 + ((n * 7_919) % contacts))}` }))

async function perSecond(target: typeof ours, kind: readonly Ask[]): Promise<number> {
  return (await load({ ...target, kind, connections, seconds, from: 1 })).requestsPerSecond
}

interface Compared {
  ours: number
  other: number
}

// In turns, so that a slow period of the machine affects both.
async function compared(first: () => Promise<number>, second: () => Promise<number>): Promise<Compared> {
  const seen = { ours: [] as number[], other: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const [one, other] = [await first(), await second()]
    if (round === 0) continue
    seen.ours.push(one)
    seen.other.push(other)
  }
  return { ours: median(seen.ours), other: median(seen.other) }
}

const againstBare = (asks: readonly Ask[]) =>
  compared(
    () => perSecond(ours, asks),
    () => perSecond(bare, asks),
  )

/** What both servers answer must be the same contacts with the same events. */
async function sameAnswers(): Promise<void> {
  const ask = async ({ url, authorization }: typeof ours) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: query().body ?? '' })
    const { data } = (await answer.json()) as { data: { contacts: { nodes: { id: string; events: { nodes?: object[] } | object[] }[] } } }
    const eventsOf = (one: { nodes?: object[] } | object[]) => (Array.isArray(one) ? one : (one.nodes ?? []))
    return data.contacts.nodes.map((one) => [one.id, ...eventsOf(one.events).map((event) => (event as { id: string }).id)].join(' '))
  }
  const [mine, theirs] = [await ask(ours), await ask(bare)]
  if (mine.join() !== theirs.join() || mine.length !== 20) throw new Error(`${mine[0]} is not ${theirs[0]}`)
}

async function timed(path: string): Promise<{ took: number; cursor: string | null }> {
  const begin = performance.now()
  const answer = await fetch(`${ours.url}${path}`, { headers: { authorization: ours.authorization } })
  const { cursor } = (await answer.json()) as { cursor: string | null }
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return { took: performance.now() - begin, cursor }
}

/** Milliseconds of each page of the list, from the first to the last. */
async function everyPage(order: string): Promise<number[]> {
  const took: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await timed(`/contacts?limit=${pageSize}${order}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
    took.push(page.took)
    cursor = page.cursor
  }
  if (took.length < contacts / pageSize) throw new Error(`The list ended after ${took.length} pages`)
  return took
}

const p95 = (took: number[]): number => took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.95)] ?? Number.NaN
const rate = (value: number): string => value.toFixed(0)
const ms = (value: number): string => `${value.toFixed(1)} ms`

function figureOf(what: string, { ours: mine, other }: Compared, bar: string): Figure {
  return { what, ours: rate(mine), yardstick: rate(other), ratio: (mine / other).toFixed(2), bar }
}

async function pages(what: string, order: string): Promise<Figure> {
  const took = await everyPage(order)
  const tenth = Math.ceil(took.length / 10)
  const [first, last] = [p95(took.slice(0, tenth)), p95(took.slice(-tenth))]
  return { what, ours: ms(last), yardstick: `${ms(first)} in the first tenth`, ratio: (first / last).toFixed(2), bar: '< 50 ms' }
}

await sameAnswers()
const figures: Figure[] = [
  figureOf('GET /contacts/:id, requests/s', await againstBare(single), '≥ 0.6'),
  figureOf('GET /contacts?limit=20, requests/s', await againstBare([{ method: 'GET', path: '/contacts?limit=20' }]), '≥ 0.6'),
  await pages('all pages of the list, p95 in the last tenth', ''),
  await pages('the same in the order of the addresses', '&sort=email&dir=asc'),
]
const fields: number[] = []
for (let n = 0; n < 100; n++) fields.push((await timed('/contacts/fields')).took)
figures.push(
  { what: 'GET /contacts/fields, p95', ours: ms(p95(fields)), yardstick: '', ratio: '', bar: '< 50 ms' },
  figureOf('GraphQL, 20 contacts with 5 events each, queries/s', await againstBare([query()]), '≥ 0.25'),
)
const counted = await compared(
  () => perSecond(ours, [query('totalCount')]),
  () => perSecond(ours, [query()]),
)
figures.push(figureOf('the same with totalCount, against the one without', counted, '≥ 0.9'))
await record(
  'reads',
  'Reads',
  `${contacts.toLocaleString('en')} contacts and ${events.toLocaleString('en')} events, over ${connections} connections, the median of ${rounds} rounds in turns; pages of ${pageSize} one after the other, through the whole list. The yardstick is bare \`node:http\` with one prepared \`pg\` statement per request that reads the same rows (for GraphQL a lateral join that makes JSON), without keys or checks.`,
  figures,
  postgres.version,
)
