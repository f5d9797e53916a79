import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../../src/kit/ids.ts'
import { recordHandover } from '../../src/modules/emails/delivery/pauses.ts'
import { relay } from '../help/breaker.ts'
import { appendLines } from '../help/lines.ts'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'
import { freshProject } from '../help/world.ts'

const { call, world } = await testServer()

async function metric(name: string): Promise<number> {
  const { body } = await call('GET /metrics')
  const line = String(body)
    .split('\n')
    .find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length))
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

test('what is paused because the mail server refuses it is a metric, which ends with the pause although nothing is sent', async () => {
  const paused = async () => [
    await metric('postwire_sending_paused{scope="domain"}'),
    await metric('postwire_sending_paused{scope="transport"}'),
  ]
  expect(await paused()).toEqual([0, 0])
  const refuse = (projectId: string, count: number): void => {
    for (let n = 0; n < count; n++)
      recordHandover(world, { projectId, domain: 'demo.test', address: `${projectId}${n}@example.com`, handover: relay })
  }
  refuse('prj_a', 10)
  expect(await paused()).toEqual([1, 0])
  for (const projectId of ['prj_b', 'prj_c']) refuse(projectId, 1)
  expect(await paused()).toEqual([1, 1])
  world.clock.turn(5 * 60_000)
  expect(await paused()).toEqual([0, 0])
})
