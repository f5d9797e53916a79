// Measures how long claiming a block of emails takes, by how many wait in the queue.
import pg from 'pg'
import { newId } from '../../src/kit/ids.ts'
import type { World } from '../../src/kit/world.ts'
import { claimEmails, releaseClaim } from '../../src/modules/emails/queue/claim.ts'
import { undoClaims } from '../../src/modules/emails/queue/sql.ts'
import { lanes } from '../../src/modules/emails/shapes.ts'
import { size } from './flags.ts'
import { benchWorld, type Seeded, startBenchPostgres } from './postgres.ts'
import { median, record } from './results.ts'

const few = 1_000
const waiting = size('waiting', 1_000_000)
const deferred = size('deferred', 100_000)
const projects = size('projects', 1_000)
const rounds = size('rounds', 30)
const block = 450

await using open = new AsyncDisposableStack()
const postgres = open.adopt(await startBenchPostgres(), (it) => it.end())

interface Queue {
  world: World
  projectId: string
}

const queues = {
  few: await queue('few', { waiting: few, deferred: 0, projects: 1 }),
  many: await queue('many', { waiting, deferred: 0, projects: 1 }),
  deferred: await queue('deferred', { waiting, deferred, projects: 1 }),
  projects: await queue('projects', { waiting, deferred, projects }),
}
const took: Record<keyof typeof queues, number[]> = { few: [], many: [], deferred: [], projects: [] }
const names = Object.keys(queues) as (keyof typeof queues)[]
for (const name of names) await claimOnce(queues[name])
for (let round = 0; round < rounds; round++) for (const name of names) took[name].push(await claimOnce(queues[name]))

const yardstick = median(took.few)
const row = (what: string, values: number[]) => {
  const ms = median(values)
  return { what, ours: `${ms.toFixed(1)} ms`, yardstick: `${yardstick.toFixed(1)} ms`, ratio: (yardstick / ms).toFixed(2), bar: '≥ 0.77' }
}
const count = (n: number): string => n.toLocaleString('en')
await record(
  'claim',
  `Claiming ${block} emails`,
  `One claim of ${block} emails of one project, with everything that decides whether they are sent; the median of ${rounds}, in turns. The yardstick is the same with ${count(few)} emails waiting.`,
  [
    row(`${count(waiting)} waiting`, took.many),
    row(`${count(waiting)} waiting, ${count(deferred)} of them until later`, took.deferred),
    row(`the same, of ${count(projects)} projects`, took.projects),
  ],
  postgres.version,
)

async function queue(name: string, plan: { waiting: number; deferred: number; projects: number }): Promise<Queue> {
  const seeded = await postgres.seed(name)
  await fill(seeded, plan)
  const world = open.adopt(await benchWorld(seeded.url, seeded.appSecret), (it) => it.close())
  return { world, projectId: seeded.projectId }
}

async function fill({ url, projectId }: Seeded, plan: { waiting: number; deferred: number; projects: number }): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const each = Math.floor(plan.waiting / plan.projects)
  await client.query('create temp table copies as select $1 as id union all select $1 || n from generate_series(2, $2::int) n', [
    projectId,
    plan.projects,
  ])
  await client.query(`insert into projects (id, name, created_at, updated_at) select id, 'Copy', now(), now() from copies where id <> $1`, [
    projectId,
  ])
  await client.query(`insert into contacts (project_id, id, email, subscribed, data, created_at, updated_at)
    select id, 'cnt_queue', 'queue@example.test', true, '{}', now(), now() from copies`)
  await client.query(`insert into email_contents (project_id, id, type, subject, html, from_address, created_at)
    select id, 'bdy_queue', 'TRANSACTIONAL', 'S', '<p>B</p>', 'shop@bench.test', now() from copies`)
  await client.query(
    `insert into emails (project_id, id, contact_id, content_id, to_address, subject, created_at, updated_at)
     select c.id, 'eml_' || lpad(n::text, 26, '0'), 'cnt_queue', 'bdy_queue', 'queue@example.test', 'S', now(), now()
     from copies c, generate_series(1, $1::int) n`,
    [each],
  )
  // Spread over the queue.
  await client.query(
    `insert into deliveries (project_id, email_id, lane, due)
     select project_id, id, $1, case when $2::int > 0 and right(id, 12)::bigint % greatest(1, $3::int / greatest(1, $2)) = 0 then now() + interval '1 day' end
     from emails`,
    [lanes.indexOf('campaign'), plan.deferred, plan.waiting],
  )
  await client.query('vacuum analyze')
  await client.end()
}

/** Claims a block and gives it back; returns how many ms claiming took. */
async function claimOnce({ world, projectId }: Queue): Promise<number> {
  const began = performance.now()
  const [claimed] = await claimEmails(world, 'campaign', [{ projectId, after: '', want: block }])
  const ms = performance.now() - began
  const emails = claimed?.emails ?? []
  if (emails.length !== block) throw new Error(`${emails.length} emails were claimed`)
  for (const email of emails) releaseClaim(world, email)
  const claim = emails[0]?.claim ?? newId('claim', new Date())
  await world.db.lookups.run(undoClaims, [[projectId], [lanes.indexOf('campaign')], [claim], world.clock.aheadMs])
  return ms
}
