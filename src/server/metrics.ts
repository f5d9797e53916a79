import { Failure } from '../kit/errors.ts'
import { statement } from '../kit/postgres/db.ts'
import type { World } from '../kit/world.ts'
import type { App } from './http.ts'

const oldestWrite = statement<{ seconds: number }>(
  'metrics_oldest_write',
  `select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 as seconds
   from pg_stat_activity where backend_xid is not null`,
  { allProjects: 'the oldest writer of the whole server holds every tail back' },
)

/** Serves /metrics in Prometheus form, unless it is switched off (METRICS). */
export function mountMetrics(app: App, world: World): void {
  const { registry, oldestWrite: gauge } = world.metrics
  app.get('/metrics', async (http) => {
    if (!world.config.METRICS) throw new Failure('UNKNOWN_ROUTE')
    const [oldest] = await world.db.run(oldestWrite, [])
    gauge.set(oldest?.seconds ?? 0)
    return http.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType })
  })
}
