import { Failure } from '../kit/errors.ts'
import type { HostedPage } from '../kit/html/page.ts'
import { statement } from '../kit/postgres/db.ts'

const oldestWrite = statement<{ seconds: number }>(
  'metrics_oldest_write',
  `select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 as seconds
   from pg_stat_activity where backend_xid is not null`,
  { allProjects: 'the oldest write transaction of the database server delays the live stream of every project' },
)

/** /metrics in the Prometheus format; a 404 where METRICS is off. */
export const metricsPage: HostedPage = {
  method: 'GET',
  path: '/metrics',
  async handle({ world, config, db }) {
    if (!config.METRICS) throw new Failure('UNKNOWN_ROUTE')
    const { registry, oldestWrite: gauge } = world.metrics
    const [oldest] = await db.run(oldestWrite, [])
    gauge.set(oldest?.seconds ?? 0)
    return { status: 200, headers: { 'Content-Type': registry.contentType }, body: await registry.metrics() }
  },
}
