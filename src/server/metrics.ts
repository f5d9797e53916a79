import { Failure } from '../kit/errors.ts'
import type { HostedPage } from '../kit/html/page.ts'
import { statement } from '../kit/postgres/db.ts'
import { countPaused } from '../modules/emails/delivery/pauses.ts'

const maxWaiting = 100_000

// A transaction that was prepared (two-phase commit) counts too, although no connection holds it.
const heldBack = statement<{ seconds: number; lines: number }>(
  'metrics_held_back',
  `select coalesce(extract(epoch from clock_timestamp() - least(
       (select min(xact_start) from pg_stat_activity where backend_xid is not null), (select min(prepared) from pg_prepared_xacts))), 0)::float8 as seconds,
     (select count(*)::int from (
       select from events e where e.epoch = log_epoch() and e.xid >= pg_snapshot_xmin(pg_current_snapshot()) limit ${maxWaiting}) waiting) as lines`,
  { allProjects: 'the oldest write transaction of the database server delays the live stream of every project' },
)

/** /metrics in the Prometheus format; a 404 where METRICS is off. */
export const metricsPage: HostedPage = {
  method: 'GET',
  path: '/metrics',
  async handle({ world, config, db }) {
    if (!config.METRICS) throw new Failure('UNKNOWN_ROUTE')
    const { registry, oldestWrite, linesWaiting, sendingPaused } = world.metrics
    const [{ seconds, lines } = { seconds: 0, lines: 0 }] = await db.run(heldBack, [])
    oldestWrite.set(seconds)
    linesWaiting.set(lines)
    const { domains, transport } = countPaused(world)
    sendingPaused.set({ scope: 'domain' }, domains)
    sendingPaused.set({ scope: 'transport' }, transport ? 1 : 0)
    return { status: 200, headers: { 'Content-Type': registry.contentType }, body: await registry.metrics() }
  },
}
