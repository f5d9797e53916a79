import pg from 'pg'
import { expect, test } from 'vitest'
import { statement } from '../../../src/kit/postgres/db.ts'
import { until } from '../../help/until.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()
const backend = statement<{ pid: number }>('test_backend', 'select pg_backend_pid() as pid', { allProjects: 'asks for the connection' })

async function administer<Row extends pg.QueryResultRow>(sql: string, values: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  const { rows } = await client.query<Row>(sql, values)
  await client.end()
  return rows
}

async function cut(pid: number): Promise<void> {
  await administer('select pg_terminate_backend($1)', [pid])
  await until(async () => (await administer('select 1 from pg_stat_activity where pid = $1', [pid])).length === 0)
}

test('a connection lost between two statements of a transaction fails that transaction only', async () => {
  const calls: string[] = []
  const failing = world.db.transaction(async (tx) => {
    tx.afterCommit(() => calls.push('called without a commit'))
    const [first] = await tx.run(backend, [])
    await cut(first?.pid ?? 0)
    await tx.run(backend, [])
  })
  await expect(failing).rejects.toThrow(/terminat|Connection|closed|not queryable/i)
  const pid = await world.db.transaction(async (tx) => {
    tx.afterCommit(() => calls.push('called'))
    return (await tx.run(backend, []))[0]?.pid
  })
  expect([typeof pid, calls]).toEqual(['number', ['called']])
})
