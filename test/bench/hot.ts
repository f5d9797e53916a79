// Counts how many updates Postgres could make in place (HOT, without writing to indexes) while emails are delivered.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { callIn } from '../../src/kit/context.ts'
import { sendEmail } from '../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../src/modules/emails/accept/shapes.ts'
import { freePort } from '../help/ports.ts'
import { size } from './flags.ts'
import { payload } from './payloads.ts'
import { benchWorld, startBenchPostgres } from './postgres.ts'
import { end, postwire } from './processes.ts'
import { type Figure, record } from './results.ts'

const mails = size('mails', 10_000)
const acceptAtOnce = 100
const tables = ['deliveries', 'emails']

await using open = new AsyncDisposableStack()
const postgres = open.adopt(await startBenchPostgres(), (it) => it.end())
const seeded = await postgres.seed('hot')
const client = open.adopt(new pg.Client({ connectionString: seeded.url }), (it) => it.end())
await client.connect()
await accept()
await deliver()

await record(
  'hot',
  'Updates in place',
  `${mails} emails are accepted, claimed, sent to nowhere and settled. Counted by Postgres: an update in place (HOT) writes to no index.`,
  await figures(),
  postgres.version,
)

async function accept(): Promise<void> {
  const world = await benchWorld(seeded.url, seeded.appSecret)
  const ctx = callIn(world, { projectId: seeded.projectId, actor: { kind: 'system' } })
  for (let from = 0; from < mails; from += acceptAtOnce) {
    const numbers = Array.from({ length: Math.min(acceptAtOnce, mails - from) }, (_, n) => from + n)
    await Promise.all(numbers.map((n) => sendEmail(ctx, SendDraft.parse(JSON.parse(payload('send', n))))))
  }
  await world.close()
}

async function deliver(): Promise<void> {
  const worker = await postwire({
    DATABASE_URL: seeded.url,
    APP_SECRET: seeded.appSecret,
    ROLE: 'worker',
    PORT: String(await freePort()),
    EMAIL_TRANSPORT: 'null',
  })
  while ((await client.query('select 1 from deliveries limit 1')).rowCount !== 0) {
    if (worker.exitCode !== null) throw new Error('The worker ended')
    await pause(100)
  }
  // Its connections report what they have done at the latest when they end.
  await end(worker)
}

async function figures(): Promise<Figure[]> {
  const { rows } = await client.query<{ name: string; updates: number; hot: number }>(
    `select relname as name, n_tup_upd::int as updates, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = any($1) order by 1`,
    [tables],
  )
  return rows.flatMap(({ name, updates, hot }) => [
    { what: `${name}: updates per email`, ours: (updates / mails).toFixed(2), yardstick: '', ratio: '', bar: '≤ 1' },
    {
      what: `${name}: updates in place`,
      ours: `${((100 * hot) / Math.max(1, updates)).toFixed(0)} %`,
      yardstick: '',
      ratio: '',
      bar: '≥ 90 %',
    },
  ])
}
