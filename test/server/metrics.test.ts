import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../../src/kit/ids.ts'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { recordHandover } from '../../src/modules/emails/delivery/pauses.ts'
import { placeReader } from '../../src/modules/events/reader/sql.ts'
import { advanceDue, runnerIdle } from '../../src/modules/workflows/run/worker.ts'
import { holdBytes } from '../../src/server/held-bytes.ts'
import { relay, turnedAway } from '../help/breaker.ts'
import { appendLines } from '../help/lines.ts'
import { bearer, connect, openStream } from '../help/live.ts'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'
import { hooked } from '../help/webhooks.ts'
import { freshProject } from '../help/world.ts'

const { url, call, world } = await testServer()

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
  const refuse = (projectId: string, count: number, handover = relay): void => {
    for (let n = 0; n < count; n++)
      recordHandover(world, {
        projectId,
        account: projectId,
        established: true,
        domain: 'demo.test',
        address: `${projectId}${n}@example.com`,
        handover,
      })
  }
  refuse('prj_a', 10)
  expect(await paused()).toEqual([1, 0])
  refuse('prj_b', 10, turnedAway('535 5.7.8 bad password', 'auth'))
  expect(await paused()).toEqual([1, 1])
  world.clock.turn(5 * 60_000)
  expect(await paused()).toEqual([0, 0])
})

interface Sample {
  labels: string
  value: number
}

/** The samples of a metric by their labels. */
async function samples(name: string): Promise<Sample[]> {
  const { body } = await call('GET /metrics')
  return [...String(body).matchAll(new RegExp(`^${name}\\{(.*)\\} (\\S+)$`, 'gm'))].map(([, labels = '', value]) => ({
    labels,
    value: Number(value),
  }))
}
const metricOf = async (name: string, labels: string) => (await samples(name)).find((one) => one.labels === labels)?.value

test('emails that wait, and the age of the oldest, are metrics by lane, and those of another time apart', async () => {
  const { ctx, secret } = await freshProject(world)
  await createDomain(ctx, { domain: 'acme.test' })
  const before = (await metricOf('postwire_emails_waiting', 'lane="transactional"')) ?? 0
  expect(await metricOf('postwire_oldest_email_seconds', 'lane="transactional"')).toBe(0)
  const mail = { to: ['a@example.com', 'b@example.com'], from: 'a@acme.test', subject: 'S', body: '<p>B</p>' }
  expect((await call('POST /v1/send', mail, { key: secret })).status).toBe(200)
  world.clock.turn(90_000)
  await call('POST /v1/send', { ...mail, to: 'c@example.com' }, { key: secret })
  expect(await metricOf('postwire_emails_waiting', 'lane="transactional"')).toBe(before + 3)
  expect(await metricOf('postwire_oldest_email_seconds', 'lane="transactional"')).toBe(90)
  expect(await metricOf('postwire_oldest_email_seconds', 'lane="campaign"')).toBe(0)
  const { projectId } = ctx
  const first = await world.db.prisma.delivery.findFirstOrThrow({ where: { projectId }, orderBy: { emailId: 'asc' } })
  await world.db.prisma.delivery.update({
    where: { projectId_emailId: { projectId, emailId: first.emailId } },
    data: { due: new Date(Date.now() + 3_600_000) },
  })
  expect(await metricOf('postwire_emails_waiting', 'lane="later"')).toBe(1)
  expect(await metricOf('postwire_emails_waiting', 'lane="transactional"')).toBe(before + 2)
})

test('how far readers of the log are behind is a metric, in seconds', async () => {
  const { projectId } = await freshProject(world)
  await world.db.run(placeReader, ['waits', 'end', world.clock.now()])
  await appendLines(world, projectId, 'one', 'two')
  world.clock.turn(7_000)
  await appendLines(world, projectId, 'three')
  await until(async () => (await metricOf('postwire_log_reader_behind_seconds', 'reader="waits"')) === 7)
})

test('webhooks that wait, and since when the oldest is due, are metrics', async () => {
  const { ctx } = await freshProject(world)
  expect([await metric('postwire_webhooks_waiting'), await metric('postwire_oldest_webhook_seconds')]).toEqual([0, 0])
  await hooked(ctx, { url: 'http://192.0.2.1/' })
  await advanceDue(world)
  await runnerIdle(world)
  expect(await metric('postwire_webhooks_waiting')).toBe(1)
  world.clock.turn(60_000)
  expect(await metric('postwire_oldest_webhook_seconds')).toBeGreaterThan(59)
})

test('connections of live streams, of Postgres, and reserved memory are metrics', async () => {
  const { secret } = await freshProject(world)
  const websockets = async () => (await metricOf('postwire_live_connections', 'kind="websocket"')) ?? 0
  const { client, closed } = connect(url, bearer(secret))
  await until(async () => (await websockets()) === 1)
  const stream = await openStream(url, 'subscription { activity { cursor } }', { ...bearer(secret), accept: 'text/event-stream' })
  expect(await metricOf('postwire_live_connections', 'kind="event_stream"')).toBe(1)
  await client.dispose()
  await closed
  await until(async () => (await websockets()) === 0)
  expect(stream.text()).not.toContain('errors')
  const held = holdBytes({ world, client: { address: '192.0.2.1' } }, 'memory')
  held.add(1_000)
  expect(await metricOf('postwire_reserved_bytes', 'budget="arriving_bodies"')).toBe(1_000)
  held.release()
  expect(await metricOf('postwire_reserved_bytes', 'budget="arriving_bodies"')).toBe(0)
  expect(await metricOf('postwire_reserved_bytes_max', 'budget="arriving_bodies"')).toBe(128 * 1024 * 1024)
  expect(await metricOf('postwire_database_connections', 'pool="main",state="idle"')).toBeGreaterThan(0)
  expect(await metricOf('postwire_database_connections', 'pool="main",state="waiting"')).toBe(0)
  expect((await samples('postwire_jobs')).map(({ labels }) => labels)).toContain('queue="emails-deliver",state="waiting"')
})

test('README.md explains every metric, and no other', async () => {
  const { body } = await call('GET /metrics')
  const given = [...String(body).matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`)
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const section = readme.slice(readme.indexOf('## Metrics'), readme.indexOf('## Deployment'))
  const explained = [...section.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, name, type]) => `${name} ${type}`)
  expect(explained.length).toBeGreaterThan(30)
  // Only Linux says how much of descriptors and address space a process uses.
  const known = process.platform === 'linux' ? explained : explained.filter((one) => !one.startsWith('process_') || given.includes(one))
  expect(known.sort()).toEqual(given.sort())
})
