import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { statement } from '../../../src/kit/postgres/db.ts'
import { batchStatement, eraser, eraserOf } from '../../../src/kit/postgres/erase.ts'
import { removeOldQuarters } from '../../../src/modules/analytics/sql.ts'
import { erase } from '../../../src/modules/campaigns/run/remove.ts'
import { forgetRemoved } from '../../../src/modules/emails/feedback/sql.ts'
import { emptyMailbox } from '../../../src/modules/emails/mailbox/mailbox.ts'
import { removeOldContents } from '../../../src/modules/emails/retention.ts'
import { removeEnded } from '../../../src/modules/jobs/sql.ts'
import { removeOldHours } from '../../../src/modules/security/count.ts'
import { dropHours } from '../../../src/modules/security/sql.ts'
import { eraseMembers } from '../../../src/modules/segments/members/erase.ts'
import { eraseSomeMembers } from '../../../src/modules/segments/members/sql.ts'
import { eraseExecutions } from '../../../src/modules/workflows/changes.ts'
import { type Holder, holder } from '../../help/holder.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const client = new pg.Client({ connectionString: world.databaseUrl })
await client.connect()
// Rows of what is deleted, without what they belong to.
await client.query('set session_replication_role = replica')
afterAll(() => client.end())

const rows = 5_500
const fill = (projectId: string, into: string, values: string) =>
  client.query(`insert into ${into} select $1, ${values} from generate_series(1, ${rows}) n`, [projectId])
const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 8, '0')`

async function left(projectId: string, ...tables: string[]): Promise<number[]> {
  const counts: number[] = []
  for (const table of tables) counts.push((await client.query(`select from ${table} where project_id = $1`, [projectId])).rowCount ?? 0)
  return counts
}

/** Somebody else who has deleted the first rows of a project, and not committed. */
async function deleting(projectId: string, from: string, { key, first }: { key: string; first: number }): Promise<Holder> {
  const other = await holder(world)
  await other.run(`delete from ${from} where project_id = $1 and right(${key}, 8)::int <= $2`, [projectId, first])
  return other
}

const removed = [
  ['one of them', 1],
  ['a whole batch', 5_000],
] as const

async function released(other: Holder): Promise<void> {
  await other.waitedFor()
  await other.commit()
}

test('a project has rows left for its eraser while others remove a whole batch of them', async () => {
  const { projectId } = await freshProject(world)
  await fill(projectId, 'segment_members (project_id, segment_id, contact_id, entered_at)', `'seg_1', ${id('con')}, now()`)
  const other = await deleting(projectId, 'segment_members', { key: 'contact_id', first: 5_000 })
  const first = eraseSomeMembers(world.db, projectId)
  await released(other)
  expect(await first).toBeGreaterThan(0)
  while ((await eraseSomeMembers(world.db, projectId)) > 0);
  expect(await left(projectId, 'segment_members')).toEqual([0])
})

test('an eraser deletes no more rows than it says, also where a key is that of many', async () => {
  const { projectId } = await freshProject(world)
  await fill(
    projectId,
    'campaign_links (project_id, campaign_id, link_id, url, clicks, unique_clicks, machine_clicks)',
    `'cmp_1', n::text, 'u', 0, 0, 0`,
  )
  expect(await eraser('campaign_links', 'campaign_id', 20)(world.db, projectId)).toBe(20)
  expect(await eraserOf('campaign_links', { of: 'campaign_id', key: 'campaign_id', max: 30 })(world.db, projectId, 'cmp_1')).toBe(30)
  expect(await left(projectId, 'campaign_links')).toEqual([rows - 50])
})

test('all hourly counts that are too old are removed', async () => {
  const { projectId } = await freshProject(world)
  await client.query(
    `insert into reputation_hours select $1, '2000-01-01'::timestamptz + n * interval '1 hour', 1, 0, 0 from generate_series(1, 10500) n`,
    [projectId],
  )
  while (await removeOldHours(world));
  expect(await left(projectId, 'reputation_hours')).toEqual([0])
})

test('a batch statement is planned each time, and a statement once per connection', async () => {
  const text = 'select exists (select from pg_prepared_statements where name = $1) as kept'
  const across = { allProjects: 'asks for the connection' }
  const [once, each] = [
    statement<{ kept: boolean }>('test_once', text, across),
    batchStatement<{ kept: boolean }>('test_each', text, across),
  ]
  await world.db.transaction(async (tx) => {
    expect([await tx.run(once, ['test_once']), await tx.run(each, ['test_each'])]).toEqual([[{ kept: true }], [{ kept: false }]])
  })
})

test.each(removed)('all members of a deleted segment are removed, also where somebody else removes %s meanwhile', async (_what, first) => {
  const { projectId } = await freshProject(world)
  await fill(projectId, 'segment_members (project_id, segment_id, contact_id, entered_at)', `'seg_1', ${id('con')}, now()`)
  const other = await deleting(projectId, 'segment_members', { key: 'contact_id', first })
  const erased = eraseMembers(world, { projectId, segmentId: 'seg_1' })
  await released(other)
  await erased
  expect(await left(projectId, 'segment_members')).toEqual([0])
})

test.each(removed)(
  'all that a deleted workflow has left is removed, also where somebody else removes %s meanwhile',
  async (_what, first) => {
    const { projectId } = await freshProject(world)
    const columns = 'project_id, id, workflow_id, version, contact_id, status, started_by, started_at, updated_at'
    await fill(
      projectId,
      `workflow_executions (${columns})`,
      `${id('exe')}, 'wfl_1', 1, ${id('con')}, 'COMPLETED', ${id('inp')}, now(), now()`,
    )
    await fill(projectId, 'workflow_entries (project_id, workflow_id, contact_id, hour_at)', `'wfl_1', ${id('con')}, now()`)
    await fill(projectId, 'workflow_inputs (project_id, id, data)', `${id('inp')}, '{}'`)
    const others = [
      await deleting(projectId, 'workflow_executions', { key: 'id', first }),
      await deleting(projectId, 'workflow_entries', { key: 'contact_id', first }),
    ]
    const erased = eraseExecutions(world, { projectId, workflowId: 'wfl_1' })
    for (const other of others) await released(other)
    await erased
    const [executions, entries, inputs] = await left(projectId, 'workflow_executions', 'workflow_entries', 'workflow_inputs')
    expect([executions, entries]).toEqual([0, 0])
    // Who removes executions removes what started them.
    expect(inputs).toBeLessThan(first)
  },
)

test.each(removed)(
  'a deleted campaign is there until all who were left out of it are removed, also where somebody else removes %s meanwhile',
  async (_what, first) => {
    const { projectId } = await freshProject(world)
    await fill(projectId, 'campaign_exclusions (project_id, campaign_id, contact_id, reason)', `'cmp_1', ${id('con')}, 'UNSUBSCRIBED'`)
    const other = await deleting(projectId, 'campaign_exclusions', { key: 'contact_id', first })
    const campaign = { projectId, id: 'cmp_1' } as Parameters<typeof erase>[1]
    const step = async () => world.db.transaction(await erase(world, campaign))
    const begun = step()
    await released(other)
    expect(await begun).toMatchObject({ stage: 'ERASE' })
    for (let next = await begun; next && 'stage' in next; ) next = await step()
    expect(await left(projectId, 'campaign_exclusions')).toEqual([0])
  },
)

test('the mailbox is emptied, and what is too old removed from it, also where somebody else removes one email meanwhile', async () => {
  const keeping = await testWorld({ databaseUrl: world.databaseUrl, env: { CONTENT_RETENTION_DAYS: '1' } })
  const { ctx, projectId } = await freshProject(keeping)
  keeping.clock.turn(30 * 86_400_000)
  const ended = [() => emptyMailbox(ctx), () => removeOldContents(keeping, { projectId: '', after: '' })]
  for (const end of ended) {
    const columns = 'project_id, id, "from", "to", subject, raw, created_at'
    await fill(projectId, `captured_mails (${columns})`, `${id('cap')}, '', '{}', '', '', now()`)
    const other = await deleting(projectId, 'captured_mails', { key: 'id', first: 1 })
    const removing = end()
    await released(other)
    await removing
    expect(await left(projectId, 'captured_mails')).toEqual([0])
  }
})

const longAgo = "'2020-01-01'::timestamptz + n * interval '1 hour'"
const yearsLater = new Date('2025-01-01')

test.each([
  ['removed emails', 'removed_emails', 'email_id', `${id('eml')}, 'h', false, false, false, ${longAgo}`, forgetRemoved],
  ['hourly counts', 'reputation_hours', 'hour::text', `${longAgo}, 1, 0, 0`, dropHours],
  ['quarters of hours', 'email_quarters', 'at::text', longAgo, removeOldQuarters],
  [
    'jobs',
    'jobs',
    'id',
    `${id('job')}, 'import', 'completed', '{}', null, 0, null, null, null, 0, ${longAgo}, ${longAgo}, ${longAgo}`,
    removeEnded,
  ],
] as const)(
  'what is removed after a time waits for nobody who removes the same in another order: %s',
  async (_what, table, key, values, remove) => {
    const { projectId } = await freshProject(world)
    const columns = table === 'email_quarters' ? `${table} (project_id, at)` : table
    await fill(projectId, columns, values)
    const other = await holder(world)
    const locked = `select from ${table} where project_id = $1 and ${key} in (select ${key} from ${table} where project_id = $1 limit 3) for update`
    await other.run(locked, [projectId])
    await world.db.run<object>(remove, [yearsLater, 10_000])
    expect(await left(projectId, table)).toEqual([3])
    await other.commit()
  },
)
