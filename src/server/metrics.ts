import { Failure } from '../kit/errors.ts'
import type { HostedPage } from '../kit/html/page.ts'
import { isDatabaseUnavailable, statement } from '../kit/postgres/db.ts'
import type { World } from '../kit/world.ts'
import { countPaused } from '../modules/emails/delivery/pauses.ts'
import { lanes } from '../modules/emails/shapes.ts'
import { firstUnhandled } from '../modules/events/reader/sql.ts'

const maxWaiting = 100_000
const maxCounted = 10_000
// Each is one lookup in an index.
const maxProjects = 1_000

const wholeInstallation = { allProjects: 'figures of the whole installation, for its operator' }

// A transaction that was prepared (two-phase commit) counts too, although no connection holds it.
const heldBack = statement<{ seconds: number; lines: number }>(
  'metrics_held_back',
  `select coalesce(extract(epoch from clock_timestamp() - least(
       (select min(xact_start) from pg_stat_activity where backend_xid is not null), (select min(prepared) from pg_prepared_xacts))), 0)::float8 as seconds,
     (select count(*)::int from (
       select from events e where e.epoch = log_epoch() and e.xid >= pg_snapshot_xmin(pg_current_snapshot()) limit ${maxWaiting}) waiting) as lines`,
  { allProjects: 'the oldest write transaction of the database server delays the live stream of every project' },
)

// Those that may leave now by lane, those of another time as null.
const waitingEmails = statement<{ lane: number | null; waiting: number }>(
  'metrics_waiting_emails',
  `select l.lane, (select count(*)::int from (
       select from deliveries d where d.lane = l.lane and d.due is null limit ${maxCounted}) counted) as waiting
   from unnest($1::int[]) as l(lane)
   union all
   select null, count(*)::int from (select from deliveries d where d.due is not null limit ${maxCounted}) counted`,
  wholeInstallation,
)

// The first email of each project in each lane, by one lookup each; ids are in the order in which emails were accepted.
const oldestEmails = statement<{ lane: number; since: Date }>(
  'metrics_oldest_emails',
  `with recursive first as (
     (select lane, project_id, email_id, 1 as nth from deliveries where due is null order by lane, project_id, email_id limit 1)
     union all
     select n.lane, n.project_id, n.email_id, f.nth + 1 from first f cross join lateral (
       select d.lane, d.project_id, d.email_id from deliveries d where d.due is null and (d.lane, d.project_id) > (f.lane, f.project_id)
       order by d.lane, d.project_id, d.email_id limit 1) n
     where f.nth < ${maxProjects}
   ), oldest as (select distinct on (lane) lane, project_id, email_id from first order by lane, email_id)
   select o.lane::int as lane, e.created_at as since from oldest o join emails e on e.project_id = o.project_id and e.id = o.email_id`,
  wholeInstallation,
)

// Due by Postgres's clock ($1 a test's offset in ms), as workers call them.
const waitingWebhooks = statement<{ waiting: number; seconds: number }>(
  'metrics_waiting_webhooks',
  `with recursive first as (
     (select project_id, due_at, 1 as nth from workflow_calls order by project_id, due_at limit 1)
     union all
     select n.project_id, n.due_at, f.nth + 1 from first f cross join lateral (
       select k.project_id, k.due_at from workflow_calls k where k.project_id > f.project_id order by k.project_id, k.due_at limit 1) n
     where f.nth < ${maxProjects}
   )
   select (select count(*)::int from (select from workflow_calls limit ${maxCounted}) counted) as waiting,
     greatest(0, coalesce(extract(epoch from clock_timestamp() + $1::float8 * interval '1 ms' - min(due_at)), 0))::float8 as seconds
   from first`,
  wholeInstallation,
)

/** /metrics in the Prometheus format; a 404 where METRICS is off. */
export const metricsPage: HostedPage = {
  method: 'GET',
  path: '/metrics',
  async handle({ world, config }) {
    if (!config.METRICS) throw new Failure('UNKNOWN_ROUTE')
    const { registry, sendingPaused, databaseConnections, databaseUp } = world.metrics
    const { domains, transport } = countPaused(world)
    sendingPaused.set({ scope: 'domain' }, domains)
    sendingPaused.set({ scope: 'transport' }, transport ? 1 : 0)
    databaseUp.set(await askDatabase(world))
    for (const { pool, ...use } of world.db.connections())
      for (const [state, count] of Object.entries(use)) databaseConnections.set({ pool, state }, count)
    return { status: 200, headers: { 'Content-Type': registry.contentType }, body: await registry.metrics() }
  },
}

// The figures of the whole installation, which would be old while Postgres is unavailable: then there are none.
async function askDatabase(world: World): Promise<0 | 1> {
  const { metrics } = world
  try {
    await Promise.all([readLog(world), readEmails(world), readWebhooks(world), readJobs(world)])
    return 1
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    const { oldestWrite, linesWaiting, readersBehind, emailsWaiting, oldestEmail, webhooksWaiting, oldestWebhook, jobs } = metrics
    for (const gauge of [oldestWrite, linesWaiting, webhooksWaiting, oldestWebhook]) gauge.remove()
    for (const gauge of [readersBehind, emailsWaiting, oldestEmail, jobs]) gauge.reset()
    return 0
  }
}

async function readLog({ db, clock, metrics }: World): Promise<void> {
  const [{ seconds, lines } = { seconds: 0, lines: 0 }] = await db.run(heldBack, [])
  metrics.oldestWrite.set(seconds)
  metrics.linesWaiting.set(lines)
  const readers = await db.lookups.run(firstUnhandled, [])
  metrics.readersBehind.reset()
  for (const { reader, since } of readers) metrics.readersBehind.set({ reader }, secondsSince(since, clock.now()))
}

async function readEmails({ db, clock, metrics }: World): Promise<void> {
  const counts = await db.lookups.run(waitingEmails, [lanes.map((_lane, at) => at)])
  for (const { lane, waiting } of counts) metrics.emailsWaiting.set({ lane: nameOf(lane) }, waiting)
  const oldest = new Map((await db.lookups.run(oldestEmails, [])).map(({ lane, since }) => [lane, since]))
  for (const [at, lane] of lanes.entries()) metrics.oldestEmail.set({ lane }, secondsSince(oldest.get(at) ?? null, clock.now()))
}

async function readWebhooks({ db, clock, metrics }: World): Promise<void> {
  const [{ waiting, seconds } = { waiting: 0, seconds: 0 }] = await db.lookups.run(waitingWebhooks, [clock.aheadMs])
  metrics.webhooksWaiting.set(waiting)
  metrics.oldestWebhook.set(seconds)
}

async function readJobs({ jobs, metrics }: World): Promise<void> {
  const counts = await jobs.counts()
  metrics.jobs.reset()
  for (const { queue, waiting, running } of counts) {
    metrics.jobs.set({ queue, state: 'waiting' }, waiting)
    metrics.jobs.set({ queue, state: 'running' }, running)
  }
}

const nameOf = (lane: number | null): string => (lane === null ? 'later' : (lanes[lane] ?? String(lane)))

function secondsSince(since: Date | null, now: Date): number {
  return since === null ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1_000)
}
