import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { claimNext } from '../../../src/modules/jobs/sql.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

test('the next job is found by reading those that wait a few times, however many there are', async () => {
  const projects = 100
  const [waiting, ended] = [20, 100]
  const client = new pg.Client({
    connectionString: world.databaseUrl,
    options: '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan',
  })
  await client.connect()
  onTestFinished(() => client.end())
  const now = world.clock.now()
  await client.query(
    `insert into users (id, email, created_at, updated_at)
     select 'usr_many_' || n, 'many' || n || '@example.com', $1, $1 from generate_series(1, $2 / 20) n`,
    [now, projects],
  )
  await client.query(
    `insert into projects (id, name, created_at, updated_at) select 'prj_many_' || n, 'Many', $1, $1 from generate_series(1, $2) n`,
    [now, projects],
  )
  await client.query(
    `insert into memberships (project_id, user_id, role, created_at)
     select 'prj_many_' || n, 'usr_many_' || 1 + (n - 1) / 20, 'OWNER', $1 from generate_series(1, $2) n`,
    [now, projects],
  )
  await client.query(
    `insert into jobs (project_id, id, kind, state, input, created_at, progress_at, finished_at)
     select 'prj_many_' || p, 'job_many_' || n, 'import', case when n > $3::int then 'completed' else 'waiting' end::job_state, '{}',
       $1, now() - interval '1 hour', case when n > $3::int then $1::timestamptz end
     from generate_series(1, $2) p, generate_series(1, $3::int + $4::int) n`,
    [now, projects, waiting, ended],
  )
  await client.query('begin')
  const { rows } = await client.query(`explain (analyze, format json) ${claimNext.text}`, ['import', 'clm_1', 0, 30, []])
  await client.query('rollback')
  const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]
  const found = nodes(rows[0]['QUERY PLAN'][0].Plan)
  const read = (table: string) =>
    found
      .filter((node) => node['Relation Name'] === table)
      .reduce((sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'], 0)
  expect(found.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
  // The jobs that wait, and those of each project twice; not those of each project for each that waits.
  expect(read('jobs')).toBeLessThan(projects * (waiting + 2 * (waiting + ended)) + 10)
  expect(read('memberships')).toBeLessThan(projects * 10)
})
