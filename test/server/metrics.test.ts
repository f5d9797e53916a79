import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../../src/kit/ids.ts'
import { appendLines } from '../help/lines.ts'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'
import { freshProject } from '../help/world.ts'

const { call, world } = await testServer()

async function metric(name: string): Promise<number> {
  const { body } = await call('GET /metrics')
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(body)?.[1])
}

test('the age of the oldest write transaction, and how many lines of the log it holds back, are metrics', async () => {
  const { projectId } = await freshProject(world)
  const slow = new pg.Client({ connectionString: world.databaseUrl })
  await slow.connect()
  onTestFinished(() => slow.end())
  await slow.query('begin')
  const insert = 'insert into events (project_id, id, name, created_at) values ($1, $2, $3, now())'
  await slow.query(insert, [projectId, newId('event', new Date()), 'uncommitted'])
  await appendLines(world, projectId, 'one', 'two', 'three')
  expect(await metric('postwire_log_lines_waiting')).toBeGreaterThanOrEqual(3)
  const { rows } = await slow.query<{ age: number }>('select extract(epoch from clock_timestamp() - now())::float8 as age')
  expect(rows[0]?.age).toBeGreaterThan(0)
  expect(await metric('postwire_oldest_write_seconds')).toBeGreaterThan(rows[0]?.age ?? 0)
  await slow.query('commit')
  await until(async () => (await metric('postwire_log_lines_waiting')) === 0)
})
