// Measures what the server and its Postgres do while nothing is due: beside many executions that wait, and beside none. Both run at the
// same time. At full size: --waiting=100000 --seconds=120.
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { callIn } from '../../src/kit/context.ts'
import { createWorkflow, updateWorkflow } from '../../src/modules/workflows/changes.ts'
import { createWorkflowStep } from '../../src/modules/workflows/graph/steps.ts'
import { freePort } from '../help/ports.ts'
import { size } from './flags.ts'
import { contacts } from './payloads.ts'
import { benchWorld, startBenchPostgres } from './postgres.ts'
import { end, postwire } from './processes.ts'
import { record } from './results.ts'

const waiting = size('waiting', 100_000)
const seconds = size('seconds', 60)
const settleMs = 30_000

await using open = new AsyncDisposableStack()
const postgres = open.adopt(await startBenchPostgres(), (it) => it.end())

const addWaiting = `insert into workflow_executions (project_id, id, workflow_id, version, contact_id, status, current_step_id, waits_for, wake_at, started_at, updated_at)
  select $1, 'exe_waits' || lpad(n::text, 20, '0'), $2, 1, 'cnt_' || lpad((n % ${contacts})::text, 26, '0'), 'WAITING', $3, 'paid',
    now() + interval '1 day' + n * interval '1 s', now(), now()
  from generate_series(1, $4::int) n`

interface Idle {
  server: number
  client: pg.Client
}

/** A server with an enabled workflow, in which so many executions wait. */
async function idle(name: string, count: number): Promise<Idle> {
  const { url, appSecret, projectId } = await postgres.seed(name)
  const client = open.adopt(new pg.Client({ connectionString: url }), (it) => it.end())
  await client.connect()
  const world = await benchWorld(url, appSecret)
  const ctx = callIn(world, { projectId, actor: { kind: 'system' } })
  const { id } = await createWorkflow(ctx, { name, eventName: 'begun' })
  const wait = { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 86_400 } } as const
  const { id: step } = await createWorkflowStep(ctx, { id, ...wait })
  await updateWorkflow(ctx, { id, enabled: true })
  await world.close()
  await client.query(addWaiting, [projectId, id, step, count])
  await client.query('analyze')
  const settings = { DATABASE_URL: url, APP_SECRET: appSecret, PORT: String(await freePort()), EMAIL_TRANSPORT: 'null' }
  const { pid = 0 } = open.adopt(await postwire(settings), end)
  return { server: pid, client }
}

const tickMs = 10

/** Milliseconds of processor time that a process has used; undefined when it has ended. */
async function usedMs(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  const [user = 0, system = 0] =
    text
      ?.slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number) ?? []
  return text === undefined ? undefined : (user + system) * tickMs
}

/** Counts what a server and its connections use: call `look` often, because what a connection has used is lost when it ends. */
function meter({ server, client }: Idle) {
  const seen = new Map<number, number>()
  let total = 0
  return {
    async look() {
      const { rows } = await client.query<{ pid: number }>(
        'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      for (const pid of [server, ...rows.map((row) => row.pid)]) {
        const used = await usedMs(pid)
        if (used === undefined) continue
        total += used - (seen.get(pid) ?? used)
        seen.set(pid, used)
      }
    },
    total: () => total,
  }
}

const [none, many] = [await idle('none', 0), await idle('many', waiting)]
await pause(settleMs)
const meters = [meter(none), meter(many)]
for (let second = 0; second <= seconds; second++) {
  for (const one of meters) await one.look()
  await pause(1_000)
}
const [alone = 0, beside = 0] = meters.map(({ total }) => total() / seconds)
const shown = (value: number): string => `${value.toFixed(1)} ms/s`
await record(
  'idle',
  'While nothing is due',
  `Processor time of a server and of its connections in Postgres while ${waiting.toLocaleString('en')} executions of a workflow wait for tomorrow, over ${seconds} s; the yardstick is the same server without them, at the same time.`,
  [
    {
      what: 'processor time',
      ours: shown(beside),
      yardstick: shown(alone),
      ratio: (alone / beside).toFixed(2),
      bar: '≥ 0.98',
    },
  ],
  postgres.version,
)
