import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { appendEvents } from '../../../../src/modules/events/log.ts'
import { findConcernedNames, findExits, findTriggered, wakeWaiting } from '../../../../src/modules/workflows/triggers/sql.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const { projectId } = await freshProject(world)
// As the statements are run, with plans that do not depend on what they are asked.
const options =
  '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan -c max_parallel_workers_per_gather=0'
const client = new pg.Client({ connectionString: world.databaseUrl, options })
await client.connect()
afterAll(() => client.end())

const lines = 1_000
const waiting = 5_000
const now = world.clock.now()
// 500 workflows that ask for other events, and executions that wait for another one.
await client.query(
  `insert into workflows (project_id, id, name, enabled, event_name, exit_events, created_at, updated_at)
   select $1, 'wfl_' || n, 'Workflow', true, 'other-' || n, array['exit-' || n], $2, $2 from generate_series(1, 500) n`,
  [projectId, now],
)
await client.query(
  `insert into workflow_executions (project_id, id, workflow_id, version, contact_id, status, waits_for, started_at, updated_at)
   select $1, 'exe_' || n, 'wfl_1', 1, 'cnt_' || n, 'WAITING', 'paid', $2, $2 from generate_series(1, $3) n`,
  [projectId, now, waiting],
)
const names = Array.from({ length: lines }, (_, at) => ({ name: `seen-${at % 20}`, contactId: `cnt_${at}` }))
await appendEvents(world.db, projectId, now, names)

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** What a statement reads of each table of workflows, and which nodes read one as a whole. */
async function readBy({ text }: { text: string }, more: unknown[]): Promise<{ rows: Record<string, number>; whole: string[] }> {
  const { rows: ends } = await client.query('select epoch, xid::text as xid, id from events order by epoch desc, xid desc, id desc limit 1')
  const values = [ends[0].epoch, '0', '', ends[0].xid, ends[0].id, ...more]
  const { rows } = await client.query(`explain (analyze, format json) ${text}`, values)
  const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]
  const read: Record<string, number> = {}
  const whole: string[] = []
  for (const node of nodes(rows[0]['QUERY PLAN'][0].Plan)) {
    const table = node['Relation Name']
    if (!table) continue
    read[table] = (read[table] ?? 0) + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    if (node['Node Type'] === 'Seq Scan') whole.push(table)
  }
  return { rows: read, whole }
}

test('lines that concern no workflow read the log, and no more than the exit events once per name', async () => {
  const { rows, whole } = await readBy(findConcernedNames, [])
  // 20 names, compared with the exit events of 500 workflows; a name that is a trigger, or waited for, is one lookup.
  expect([rows, whole]).toEqual([{ events: lines, workflows: 20 * 500, workflow_executions: 0 }, []])
})

test.each([
  ['start', findTriggered, { events: lines, workflows: 0 }],
  ['end', findExits, { events: lines, workflows: 500, workflow_entries: 0 }],
  ['wake', wakeWaiting, { events: lines, workflow_executions: 0 }],
] as const)('looking for what lines of a name %s reads no table as a whole', async (_what, finding, expected) => {
  const { rows, whole } = await readBy(finding, finding === wakeWaiting ? [['seen-1'], now] : [['seen-1']])
  expect(whole).toEqual([])
  expect(rows).toMatchObject(expected)
})
