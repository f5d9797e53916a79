import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { findExits, findMoving, findTriggered, selectLines, wakeWaiting } from '../../../../src/modules/workflows/lines/sql.ts'
import { findAwaitedEvent, isBehind } from '../../../../src/modules/workflows/steps/sql.ts'
import { findConcernedNames, noteLines } from '../../../../src/modules/workflows/triggers/sql.ts'
import { logEvents } from '../../../help/lines.ts'
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
const ids = await logEvents(world, projectId, names, now)

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

async function wholeRange(): Promise<unknown[]> {
  const { rows } = await client.query('select epoch, xid::text as xid, id from events order by epoch desc, xid desc, id desc limit 1')
  return [rows[0].epoch, '0', '', rows[0].xid, rows[0].id]
}

/** What a statement reads of each table of workflows, and which nodes read one as a whole. */
async function readBy({ text }: { text: string }, values: unknown[]): Promise<{ rows: Record<string, number>; whole: string[] }> {
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
  const { rows, whole } = await readBy(findConcernedNames, await wholeRange())
  // 20 names, compared with the exit events of 500 workflows; a name that is a trigger, or waited for, is one lookup.
  expect([rows, whole]).toEqual([{ events: lines, workflows: 20 * 500, workflow_executions: 0 }, []])
})

test('noting the lines of a name reads the range, and what it adds', async () => {
  const { rows, whole } = await readBy(noteLines, [...(await wholeRange()), [projectId], ['seen-1'], [true]])
  expect(whole).toEqual([])
  expect(rows).toMatchObject({ events: lines, workflow_executions: 0 })
  expect(await world.db.prisma.workflowLine.count({ where: { projectId } })).toBe(lines / 20)
})

const some = ids.filter((_, at) => at % 20 === 1)

test.each([
  ['start', findTriggered, [projectId, some], { workflows: 0 }],
  ['are about to start again', findMoving, [projectId, some], { workflows: 0 }],
  ['end', findExits, [projectId, some], { events: some.length, workflows: 500, workflow_entries: 0 }],
  ['wake', wakeWaiting, [projectId, some, now], { events: some.length, workflow_executions: 0 }],
  ['weigh', selectLines, [projectId, 200], { events: some.length, workflows: 500, workflow_executions: 0 }],
] as const)('looking for what lines %s reads no table as a whole', async (_what, finding, values, expected) => {
  const { rows, whole } = await readBy(finding, [...values])
  expect(whole).toEqual([])
  expect(rows).toMatchObject(expected)
})

test.each([
  ['an event that ends a wait', findAwaitedEvent, [projectId, 'exe_21', 'paid', 'evt_', now, now, true, 'evt_']],
  ['what must go before a timeout', isBehind, [projectId, 'exe_21', now, 'evt_']],
] as const)('looking for %s reads what is about its contact alone', async (_what, finding, values) => {
  const { rows, whole } = await readBy(finding, [...values])
  expect(whole).toEqual([])
  expect(rows).toMatchObject({ workflow_executions: 1, workflow_lines: 1 })
  // The event of the contact, and that of its line.
  expect(rows.events).toBeLessThanOrEqual(2)
})
