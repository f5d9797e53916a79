// Measures workflows: what lines of the log cost that start none, the advances of executions beside many that wait, and how soon the
// first step follows a tracked event. At full size: --lines=100000 --executions=20000 --waiting=100000 --seconds=60.
import pg from 'pg'
import { callIn } from '../../src/kit/context.ts'
import type { World } from '../../src/kit/world.ts'
import { createWorkflow, updateWorkflow } from '../../src/modules/workflows/changes.ts'
import type { StepDraft } from '../../src/modules/workflows/graph/shapes.ts'
import { createWorkflowStep } from '../../src/modules/workflows/graph/steps.ts'
import { advanceDue, runnerIdle } from '../../src/modules/workflows/run/worker.ts'
import { followEvents } from '../../src/modules/workflows/triggers/triggers.ts'
import { freePort } from '../help/ports.ts'
import { size } from './flags.ts'
import { contacts } from './payloads.ts'
import { benchWorld, type Seeded, startBenchPostgres } from './postgres.ts'
import { end, load, postwire } from './processes.ts'
import { type Figure, median, record } from './results.ts'

const lines = size('lines', 20_000)
const executions = Math.min(size('executions', 2_000), contacts)
const waiting = size('waiting', 100_000)
const seconds = size('seconds', 20)
const rounds = size('rounds', 5)
const others = 50
const perSecond = 100

await using open = new AsyncDisposableStack()
const postgres = open.adopt(await startBenchPostgres(), (it) => it.end())

interface Bench {
  world: World
  client: pg.Client
  seeded: Seeded
  /** The workflow that is measured. */
  id: string
  steps: string[]
}

const asks = { type: 'CONDITION', config: { field: 'data.plan', operator: 'equals', value: 'pro' } } as const
const changes = { type: 'UPDATE_CONTACT', config: { updates: { welcomed: true } } } as const

async function bench(name: string, eventName: string, drafts: readonly Pick<StepDraft, 'type' | 'config'>[]): Promise<Bench> {
  const seeded = await postgres.seed(name)
  const world = open.adopt(await benchWorld(seeded.url, seeded.appSecret), (it) => it.close())
  const client = open.adopt(new pg.Client({ connectionString: seeded.url }), (it) => it.end())
  await client.connect()
  const { id, steps } = await enabled({ world, seeded }, eventName, drafts)
  // From now on: what was logged before starts nothing.
  await followEvents(world)
  return { world, client, seeded, id, steps }
}

async function enabled(
  { world, seeded }: Pick<Bench, 'world' | 'seeded'>,
  eventName: string,
  drafts: readonly Pick<StepDraft, 'type' | 'config'>[],
): Promise<{ id: string; steps: string[] }> {
  const ctx = callIn(world, { projectId: seeded.projectId, actor: { kind: 'system' } })
  const { id } = await createWorkflow(ctx, { name: eventName, eventName, allowReentry: true })
  const steps: string[] = []
  for (const draft of drafts) steps.push((await createWorkflowStep(ctx, { id, ...draft, autoConnect: true })).id)
  await updateWorkflow(ctx, { id, enabled: true })
  return { id, steps }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  await postgres.checkpoint()
  const start = performance.now()
  await work()
  return performance.now() - start
}

// Lines of 20 names, which are none of those of the workflows.
const addLines = `insert into events (project_id, id, name, contact_id, data, created_at)
  select $1, 'evt_' || $2 || lpad(n::text, 20, '0'), 'seen ' || n % 20, 'cnt_' || lpad((n % ${contacts})::text, 26, '0'), '{"plan":"pro"}', now()
  from generate_series(1, $3::int) n`

async function linesPerSecond({ world, client, seeded }: Bench, round: string): Promise<number> {
  await client.query(addLines, [seeded.projectId, round, lines])
  const ms = await timed(async () => {
    while (await followEvents(world));
  })
  return (lines / ms) * 1_000
}

const addDue = `insert into workflow_executions (project_id, id, workflow_id, version, contact_id, current_step_id, wake_at, started_at, updated_at)
  select $1, 'exe_' || $2 || lpad(n::text, 20, '0'), $3, 1, 'cnt_' || lpad((n % ${contacts})::text, 26, '0'), $4, now(), now(), now()
  from generate_series(1, $5::int) n`
const addWaiting = `insert into workflow_executions (project_id, id, workflow_id, version, contact_id, status, current_step_id, waits_for, wake_at, started_at, updated_at)
  select $1, 'exe_waits' || lpad(n::text, 20, '0'), $2, 1, 'cnt_' || lpad((n % ${contacts})::text, 26, '0'), 'WAITING', $3, 'paid',
    now() + interval '1 day' + n * interval '1 s', now(), now()
  from generate_series(1, $4::int) n`

async function advancesPerSecond({ world, client, seeded, id, steps }: Bench, round: string): Promise<number> {
  await client.query(addDue, [seeded.projectId, round, id, steps[0], executions])
  const ms = await timed(async () => {
    while (await advanceDue(world));
    await runnerIdle(world)
  })
  return ((executions * steps.length) / ms) * 1_000
}

async function idleMs({ world }: Bench): Promise<number> {
  const took: number[] = []
  for (let n = 0; n < 200; n++) took.push(await timedOnce(() => advanceDue(world)))
  return median(took)
}

async function timedOnce(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const none = await bench('none', 'never', [asks])
const fifty = await bench('fifty', 'never', [asks])
for (let n = 1; n < others; n++) await enabled(fifty, `never ${n}`, [asks])
const alone = await bench('alone', 'never', [asks, changes])
const beside = await bench('beside', 'never', [asks, changes])
await beside.client.query(addWaiting, [beside.seeded.projectId, beside.id, beside.steps[0], waiting])
await beside.client.query('analyze')

const read = { none: [] as number[], fifty: [] as number[] }
const advanced = { alone: [] as number[], beside: [] as number[] }
for (let round = 0; round <= rounds; round++) {
  const [some, many] = [await linesPerSecond(none, `l${round}`), await linesPerSecond(fifty, `l${round}`)]
  const [few, crowded] = [await advancesPerSecond(alone, `a${round}`), await advancesPerSecond(beside, `a${round}`)]
  if (round === 0) continue
  read.none.push(some)
  read.fifty.push(many)
  advanced.alone.push(few)
  advanced.beside.push(crowded)
}
const idle = { alone: await idleMs(alone), beside: await idleMs(beside) }

/** Milliseconds from a tracked event to the record of its first step: the median and the 95th percentile. */
async function firstSteps(): Promise<{ p50: number; p95: number; count: number }> {
  const { world, client, seeded, id } = await bench('first', 'order placed', [asks])
  for (let n = 1; n < others; n++) await enabled({ world, seeded }, `never ${n}`, [asks])
  const port = await freePort()
  const { url, appSecret, secretKey } = seeded
  const settings = { DATABASE_URL: url, APP_SECRET: appSecret, PORT: String(port), EMAIL_TRANSPORT: 'null' }
  await using running = new AsyncDisposableStack()
  running.adopt(await postwire({ ...settings, RATE_LIMIT_PER_MINUTE: '100000000' }), end)
  const target = { url: `http://127.0.0.1:${port}`, authorization: `Bearer ${secretKey}`, kind: 'track', connections: 20 } as const
  await load({ ...target, rate: perSecond, seconds: 3, from: 1 })
  const { sent } = await load({ ...target, rate: perSecond, seconds, from: 1_001 })
  const done = `select count(*)::int as count, percentile_cont(array[0.5, 0.95]) within group (order by extract(epoch from s.started_at - e.created_at) * 1000) as ms
    from workflow_executions x join workflow_step_executions s on s.project_id = x.project_id and s.execution_id = x.id
    join events e on e.project_id = x.project_id and e.id = x.started_by where x.project_id = $1 and x.workflow_id = $2`
  for (let tries = 0; ; tries++) {
    const { rows } = await client.query<{ count: number; ms: [number, number] }>(done, [seeded.projectId, id])
    const [found] = rows
    if (found && found.count >= sent) return { p50: found.ms[0], p95: found.ms[1], count: found.count }
    if (tries > 100) throw new Error(`${found?.count} of ${sent} events have led to a first step`)
    await new Promise((next) => setTimeout(next, 100))
  }
}

const first = await firstSteps()
const rate = (value: number): string => value.toFixed(0)
const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`
const figure = (what: string, ours: string, bar: string, against?: { yardstick: string; ratio: number }): Figure => ({
  what,
  ours,
  yardstick: against?.yardstick ?? '',
  ratio: against ? against.ratio.toFixed(2) : '',
  bar,
})
const against = (ours: number, yardstick: number, shown: (value: number) => string, isTime = false) => ({
  yardstick: shown(yardstick),
  ratio: isTime ? yardstick / ours : ours / yardstick,
})
const [readByNone, readByFifty] = [median(read.none), median(read.fifty)]
const [advancedAlone, advancedBeside] = [median(advanced.alone), median(advanced.beside)]
await record(
  'workflows',
  'Workflows',
  `One worker. Lines of the log that concern none of ${others} enabled workflows (${lines.toLocaleString('en')} lines of 20 names; the yardstick is one workflow); ${executions.toLocaleString('en')} executions from a CONDITION to an UPDATE_CONTACT, each advance one commit with its record (the yardstick is none that wait); the medians of ${rounds}, in turns. From a tracked event to the record of its first step at ${perSecond} events/s for ${seconds} s, all of them matching.`,
  [
    figure(`lines/s that start nothing, ${others} workflows`, rate(readByFifty), '≥ 3,000', against(readByFifty, readByNone, rate)),
    figure('advances/s', rate(advancedAlone), '≥ 1,000'),
    figure(
      `advances/s beside ${waiting.toLocaleString('en')} executions that wait`,
      rate(advancedBeside),
      '≥ 0.77',
      against(advancedBeside, advancedAlone, rate),
    ),
    figure('looking for executions that are due when none is, the same', ms(idle.beside), '', against(idle.beside, idle.alone, ms, true)),
    figure('from track to the first step, p50', ms(first.p50), ''),
    figure('from track to the first step, p95', ms(first.p95), '< 2 s'),
  ],
  postgres.version,
)
