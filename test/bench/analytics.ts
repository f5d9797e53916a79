// Measures the rows of analytics and what counts for them. At full size: --events=10000000, which takes some minutes to generate.
import pg from 'pg'
import { countAnalytics } from '../../src/modules/analytics/count.ts'
import { freePort } from '../help/ports.ts'
import { size } from './flags.ts'
import { contacts } from './payloads.ts'
import { benchWorld, startBenchPostgres } from './postgres.ts'
import { end, postwire } from './processes.ts'
import { type Figure, record } from './results.ts'

const events = size('events', 500_000)
const campaigns = size('campaigns', 5_000)
const names = size('names', 1_000)
const executions = size('executions', 200_000)
const projects = size('projects', 20)
const rounds = size('rounds', 100)
const linesPerTransaction = 20_000
const began = new Date()

// What two years leave behind: each quarter of an hour of each project, each day of each name.
const fillQuarters = `insert into email_quarters (project_id, at, sent, delivered, opened, clicked, bounced, machine_opened, machine_clicked)
  select case when p = 0 then $1 else 'prj_' || p end, at, 400, 390, 120, 20, 4, 30, 5
  from generate_series(0, $3::int - 1) p, generate_series($2::timestamptz - interval '760 days', $2, interval '15 minutes') q(moment),
    lateral date_bin('15 minutes', moment, '2000-01-01') d(at)`
const fillNames = `insert into event_counts (project_id, name, day, count)
  select $1, 'event-' || lpad(n::text, 5, '0'), ($2::timestamptz at time zone 'UTC')::date - d, 100 + n from generate_series(1, $3::int) n, generate_series(0, 760) d`
const fillCampaigns = `insert into campaigns (project_id, id, name, subject, body, "from", audience_type, status, scheduled_for, sent_at, total_recipients, created_at, updated_at)
  select $1, 'cmp_' || lpad(n::text, 26, '0'), 'Campaign ' || n, 'News ' || n, repeat('<p>Hello {{ name }}</p>', 500), 'shop@bench.test', 'ALL',
    (case when n % 50 = 0 then 'SCHEDULED' when n % 50 = 1 then 'DRAFT' else 'SENT' end)::campaign_status,
    case when n % 50 = 0 then $2::timestamptz + n * interval '1 minute' end, case when n % 50 > 1 then $2::timestamptz end, 2000, $2, $2
  from generate_series(1, $3::int) n`
const fillCampaignCounts = `insert into campaign_counts (project_id, campaign_id, sent, delivered, opened, clicked)
  select project_id, id, 2000, 1990, 1 + abs(hashtext(id)) % 1500, abs(hashtext(id)) % 400 from campaigns where project_id = $1 and status = 'SENT'`
const fillWorkflow = `insert into workflows (project_id, id, name, enabled, version, created_at, updated_at) values ($1, 'wfl_0', 'Onboarding', true, 1, $2, $2)`
const fillVersion = `insert into workflow_versions (project_id, workflow_id, version, graph, used, created_at) values ($1, 'wfl_0', 1, $3, true, $2)`
const graph = {
  entry: 'stp_0',
  steps: Array.from({ length: 100 }, (_, n) => {
    const next = n < 99 ? [{ exit: '', stepId: `stp_${n + 1}` }] : []
    return { id: `stp_${n}`, type: n % 2 ? 'SEND_EMAIL' : 'DELAY', name: `Step ${n}`, config: {}, templateId: null, next }
  }),
}
// One in ten is due, and waits for a worker.
const fillExecutions = `insert into workflow_executions (project_id, id, workflow_id, version, contact_id, status, current_step_id, wake_at, started_at, updated_at)
  select $1, 'exe_' || lpad(n::text, 26, '0'), 'wfl_0', 1, 'cnt_' || lpad((n % ${contacts})::text, 26, '0'),
    (case when n % 10 = 0 then 'RUNNING' else 'WAITING' end)::workflow_execution_status, 'stp_' || 2 * (n % 50),
    $2::timestamptz + (case when n % 10 = 0 then -1 else 1 end) * (n % 130000) * interval '1 minute', $2, $2
  from generate_series(1, $3::int) n`
// Three in four lines are about emails of the last day.
const fillLog = `insert into events (project_id, id, name, contact_id, email_id, data, created_at)
  select $1, 'evt_' || lpad(n::text, 26, '0'),
    case n % 8 when 0 then 'viewed' when 1 then 'bought' when 2 then 'email.open' when 3 then 'email.click' when 4 then 'email.delivery' else 'email.sent' end,
    'cnt_' || lpad((n % ${contacts})::text, 26, '0'), 'eml_' || n,
    '{"subject":"Your order","from":"shop@bench.test","bot":false,"isFirstByPerson":true,"campaignId":"cmp_0","sourceType":"CAMPAIGN"}',
    $2::timestamptz - (n % 86400) * interval '1 second'
  from generate_series($3::int, $4::int) n`

await using open = new AsyncDisposableStack()
const postgres = open.adopt(await startBenchPostgres(), (it) => it.end())
const { url, appSecret, projectId, secretKey } = await postgres.seed('ours')

async function fill(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const client = opened.adopt(
    new pg.Client({ connectionString: url, options: '-c synchronous_commit=off -c session_replication_role=replica' }),
    (it) => it.end(),
  )
  await client.connect()
  await client.query(fillQuarters, [projectId, began, projects])
  await client.query(fillNames, [projectId, began, names])
  await client.query(fillCampaigns, [projectId, began, campaigns])
  await client.query(fillCampaignCounts, [projectId])
  await client.query(fillWorkflow, [projectId, began])
  await client.query(fillVersion, [projectId, began, graph])
  await client.query(fillExecutions, [projectId, began, executions])
  // The order of the log is all that its readers need.
  await client.query('drop index events_project_id_epoch_xid_idx, events_project_id_name_id_idx, events_project_id_contact_id_id_idx')
  for (let at = 1; at <= events; at += linesPerTransaction)
    await client.query(fillLog, [projectId, began, at, Math.min(events, at + linesPerTransaction - 1)])
  await client.query('vacuum analyze')
}

const times = (count: number) => count.toLocaleString('en')
const seconds = (from: number) => (performance.now() - from) / 1_000

let from = performance.now()
await fill()
process.stdout.write(`filled in ${seconds(from).toFixed(0)} s\n`)
const world = await benchWorld(url, appSecret)
from = performance.now()
while (await countAnalytics(world));
const linesPerSecond = events / seconds(from)
await world.close()
await postgres.checkpoint()

const port = await freePort()
const settings = { DATABASE_URL: url, APP_SECRET: appSecret, PORT: String(port), ROLE: 'web', EMAIL_TRANSPORT: 'null' }
open.adopt(await postwire({ ...settings, RATE_LIMIT_PER_MINUTE: '100000000' }), end)
const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }

/** The time in ms that 95 of 100 requests take at most, and the middle one. */
async function percentiles(path: string, body?: string): Promise<{ p50: number; p95: number }> {
  const took: number[] = []
  for (let round = -5; round < rounds; round++) {
    const start = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: body ? 'POST' : 'GET', headers, ...(body && { body }) })
    const text = await answer.text()
    if (!answer.ok || text.includes('"errors"') || text.length < 50) throw new Error(`${path} answered ${answer.status}: ${text}`)
    if (round >= 0) took.push(performance.now() - start)
  }
  took.sort((one, other) => one - other)
  return { p50: took[Math.floor(rounds * 0.5)] ?? Number.NaN, p95: took[Math.floor(rounds * 0.95)] ?? Number.NaN }
}

const day = (ago: number) => new Date(began.getTime() - ago * 86_400_000).toISOString().slice(0, 10)
const dashboard = `{ timeseries { day emails opens } topCampaigns { name stats { openRate } } campaignSummary { total averageOpenRate }
  topEvents { name count trend } upcomingActivity(limit: 20) { timestamp campaign { name } execution { workflow { name } } } }`
const reads: [what: string, path: string, body?: string][] = [
  ['GET /analytics/timeseries', '/analytics/timeseries'],
  ['366 days of Europe/Berlin', `/analytics/timeseries?startDate=${day(365)}&timezone=Europe/Berlin`],
  ['31 days by the hour', `/analytics/timeseries?startDate=${day(30)}&interval=HOUR&timezone=America/New_York`],
  ['GET /analytics/top-campaigns', '/analytics/top-campaigns'],
  ['the best 100 by rate', '/analytics/top-campaigns?metric=openRate&limit=100'],
  ['GET /analytics/campaign-stats', '/analytics/campaign-stats'],
  ['GET /analytics/top-events', '/analytics/top-events'],
  ['GET /activity/upcoming', '/activity/upcoming'],
  ['100 items of 90 days', '/activity/upcoming?limit=100&daysAhead=90'],
  ['all of them in one GraphQL query', '/graphql', JSON.stringify({ query: dashboard })],
]
const shown = ({ p50, p95 }: { p50: number; p95: number }) => `${p50.toFixed(1)} / ${p95.toFixed(1)} ms`
const plain = shown(await percentiles('/activity/types'))
const figures: Figure[] = []
for (const [what, path, body] of reads)
  figures.push({ what: `${what}, p50 / p95`, ours: shown(await percentiles(path, body)), yardstick: plain, ratio: '', bar: 'p95 < 100 ms' })
figures.push({ what: 'lines of the log counted per second', ours: linesPerSecond.toFixed(0), yardstick: '', ratio: '', bar: '' })

await record(
  'analytics',
  'Analytics and what is upcoming',
  `The counts of two years: ${times(projects)} projects with emails in every quarter of an hour, ${times(names)} names of events, ${times(campaigns)} campaigns, ${times(executions)} executions that wait; then a log of ${times(events)} lines is counted. ${rounds} requests one after the other; the yardstick is GET /activity/types, which reads nothing.`,
  figures,
  postgres.version,
)
