// Measures conditions over many contacts and events, against SQL written by hand. At full size: --contacts=1000000
// --events=10000000, which takes some minutes to generate.
import pg from 'pg'
import { callIn } from '../../src/kit/context.ts'
import type { Membership } from '../../src/modules/filters/compile.ts'
import { countMatches, listMatchingIds } from '../../src/modules/filters/filters.ts'
import type { Condition, FieldFilter } from '../../src/modules/filters/shapes.ts'
import { batchesOf } from '../help/filters.ts'
import { fillContacts } from './audience.ts'
import { size } from './flags.ts'
import { benchWorld, startBenchPostgres } from './postgres.ts'
import { type Figure, median, record } from './results.ts'

const contacts = size('contacts', 100_000)
const events = size('events', 1_000_000)
const rounds = size('rounds', 9)
const pageSize = 20
const dayMs = 86_400_000
const began = new Date()
const ago = (days: number): Date => new Date(began.getTime() - days * dayMs)

// Three in ten lines are views, two in ten logins, one in ten purchases, and the others of 40 names; over a year, of contacts at random.
const fillEvents = `insert into events (project_id, id, name, contact_id, created_at)
  select $1, 'evt_' || lpad(n::text, 26, '0'),
    case when n % 10 < 3 then 'viewed' when n % 10 < 5 then 'logged-in' when n % 10 < 6 then 'bought' else 'other-' || n % 40 end,
    'cnt_' || lpad((1 + floor(random() * $3::int))::text, 26, '0'), $2::timestamptz - random() * interval '365 days'
  from generate_series($4::int, $5::int) n`

const summarise = `insert into contact_events (project_id, name, contact_id, last_at)
  select project_id, name, contact_id, max(created_at) from events where project_id = $1 and contact_id is not null group by 1, 2, 3 order by 1, 2, 3`

await using open = new AsyncDisposableStack()
const postgres = open.adopt(await startBenchPostgres(), (it) => it.end())
const { url, appSecret, projectId } = await postgres.seed('filters')
await fill()
const world = open.adopt(await benchWorld(url, appSecret), (it) => it.close())
// One clock for both, so that their answers must be equal.
const ctx = { ...callIn(world, { projectId, actor: { kind: 'system' } }), clock: { now: () => began, aheadMs: 0 } }
const membership = (): Promise<Membership> => Promise.resolve({ kind: 'nobody' })
const byHand = open.adopt(await connect('-c plan_cache_mode=force_custom_plan -c work_mem=32MB'), (client) => client.end())

async function connect(options: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options })
  await client.connect()
  return client
}

async function fill(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const client = opened.adopt(await connect('-c maintenance_work_mem=512MB -c synchronous_commit=off -c work_mem=512MB'), (it) => it.end())
  const step = (what: string, from: number) => process.stdout.write(`${what}: ${((performance.now() - from) / 1_000).toFixed(0)} s\n`)
  let from = performance.now()
  await client.query('delete from contacts where project_id = $1', [projectId])
  await client.query('drop index contacts_search')
  await client.query(fillContacts, [projectId, began, contacts])
  await client.query('create index contacts_search on contacts using gin (project_id, email gin_trgm_ops)')
  step('contacts', from)
  from = performance.now()
  // Filters read the summary: the indexes of the log are not needed.
  await client.query(
    'drop index events_epoch_xid_idx, events_project_id_epoch_xid_idx, events_project_id_name_id_idx, events_project_id_contact_id_id_idx',
  )
  for (let at = 1; at <= events; at += 500_000)
    await client.query(fillEvents, [projectId, began, contacts, at, Math.min(events, at + 499_999)])
  step('events', from)
  from = performance.now()
  await client.query(summarise, [projectId])
  step('summary', from)
  await client.query('vacuum analyze contacts, contact_events, events')
  // The first time, pages written last are not yet known to be visible to everybody.
  await client.query('vacuum contact_events')
  await client.query('checkpoint')
  const { rows } = await client.query(`select count(*) as rows, pg_total_relation_size('contact_events') as bytes from contact_events`)
  process.stdout.write(`${rows[0].rows} summaries, ${Math.round(rows[0].bytes / rows[0].rows)} bytes each\n`)
}

interface Case {
  what: string
  condition: Condition
  /** The predicate by hand, of parameters from $2. */
  sql: string
  values: unknown[]
  bar: string
}

const pro: FieldFilter = { field: 'data.plan', operator: 'equals', value: 'pro' }
const subscribed: FieldFilter = { field: 'subscribed', operator: 'equals', value: true }
const event = (name: string, days: number): FieldFilter => ({
  field: `event.${name}`,
  operator: 'triggeredWithin',
  value: days,
  unit: 'days',
})
const all = (...filters: FieldFilter[]): Condition => ({ logic: 'AND', groups: [{ filters }] })
const any = (...filters: FieldFilter[]): Condition => ({ logic: 'OR', groups: filters.map((filter) => ({ filters: [filter] })) })
const happened = 'c.id in (select e.contact_id from contact_events e where e.project_id = $1 and e.name = $2 and e.last_at >= $3)'

const cases: Case[] = [
  {
    what: 'a plan, a subscription and an event of the last 30 days',
    condition: all(pro, subscribed, event('bought', 30)),
    sql: `c.data @> '{"plan":"pro"}' and c.subscribed and ${happened}`,
    values: ['bought', ago(30)],
    bar: '< 300 ms',
  },
  {
    what: 'the same with the commonest event of the last 7 days',
    condition: all(pro, subscribed, event('viewed', 7)),
    sql: `c.data @> '{"plan":"pro"}' and c.subscribed and ${happened}`,
    values: ['viewed', ago(7)],
    bar: '< 300 ms',
  },
  {
    what: 'a plan, a number or an event of the last 30 days',
    condition: any(pro, { field: 'data.orders', operator: 'greaterThan', value: 90 }, event('bought', 30)),
    sql: `(c.data @> '{"plan":"pro"}' or (c.data -> 'orders' > '90' and c.data -> 'orders' < 'false') or ${happened})`,
    values: ['bought', ago(30)],
    bar: '< 1 s',
  },
  {
    what: 'a plan, a number or the commonest event at any time',
    condition: any(pro, { field: 'data.orders', operator: 'greaterThan', value: 90 }, { field: 'event.viewed', operator: 'triggered' }),
    sql: `(c.data @> '{"plan":"pro"}' or (c.data -> 'orders' > '90' and c.data -> 'orders' < 'false')
      or c.id in (select e.contact_id from contact_events e where e.project_id = $1 and e.name = $2))`,
    values: ['viewed'],
    bar: '< 1 s',
  },
  {
    what: 'a plan, a subscription and no event of the last 30 days',
    condition: all(pro, subscribed, { ...event('bought', 30), operator: 'notTriggeredWithin' }),
    sql: `c.data @> '{"plan":"pro"}' and c.subscribed and not exists (
      select 1 from contact_events e where e.project_id = $1 and e.name = $2 and e.contact_id = c.id and e.last_at >= $3)`,
    values: ['bought', ago(30)],
    bar: '< 300 ms',
  },
]

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const start = performance.now()
  const result = await work()
  return { ms: performance.now() - start, result }
}

const contactsOf = (sql: string): string => `from contacts c where c.project_id = $1 and c.deleted_at is null and ${sql}`

/** Medians of our time and that by hand, in turns. Throws when the answers differ. */
async function compare<T>(ours: () => Promise<T>, yardstick: () => Promise<T>): Promise<{ ours: number; yardstick: number }> {
  const took = { ours: [] as number[], yardstick: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const one = await timed(ours)
    const other = await timed(yardstick)
    if (JSON.stringify(one.result) !== JSON.stringify(other.result)) throw new Error('The answers differ')
    if (round === 0) continue
    took.ours.push(one.ms)
    took.yardstick.push(other.ms)
  }
  return { ours: median(took.ours), yardstick: median(took.yardstick) }
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const figures: Figure[] = []
for (const { what, condition, sql, values, bar } of cases) {
  const given = [projectId, ...values]
  const count = await compare(
    () => countMatches(ctx, { condition, membership }),
    async () => (await byHand.query<{ count: number }>(`select count(*)::int as count ${contactsOf(sql)}`, given)).rows[0]?.count ?? 0,
  )
  const page = await compare(
    () => listMatchingIds(ctx, { condition, membership, limit: pageSize }),
    async () => {
      const { rows } = await byHand.query<{ id: string }>(`select c.id ${contactsOf(sql)} order by c.id desc limit ${pageSize}`, given)
      return rows.map(({ id }) => id)
    },
  )
  for (const [kind, took, limit] of [
    ['count', count, `${bar}, ≥ 0.77`],
    ['first page', page, '≥ 0.77'],
  ] as const)
    figures.push({
      what: `${kind}: ${what}`,
      ours: ms(took.ours),
      yardstick: ms(took.yardstick),
      ratio: (took.yardstick / took.ours).toFixed(2),
      bar: limit,
    })
}

const walked = await timed(async () => {
  let found = 0
  for await (const ids of batchesOf(ctx, { condition: cases[3]?.condition ?? pro, membership })) found += ids.length
  return found
})
figures.push({
  what: `all ${walked.result.toLocaleString('en')} ids of the fourth, in ranges`,
  ours: ms(walked.ms),
  yardstick: '',
  ratio: '',
  bar: '',
})

await record(
  'filters',
  'Conditions over many contacts',
  `${contacts.toLocaleString('en')} contacts and ${events.toLocaleString('en')} events of a year; the median of ${rounds}, in turns. The yardstick is SQL written by hand on the same tables, with the same settings.`,
  figures,
  postgres.version,
)
