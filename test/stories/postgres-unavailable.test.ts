import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { migrate } from '../../prisma/migrate.ts'
import { startPostgres } from '../../src/kit/postgres/embedded.ts'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { testServer } from '../help/server.ts'
import { acceptingTransport } from '../help/smtp.ts'
import { until } from '../help/until.ts'
import { freshProject } from '../help/world.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'postwire-unavailable-'))
let postgres = await startPostgres({ dataDir })
await migrate(postgres.url)
afterAll(async () => {
  await postgres.stop()
  const elsewhere = await readFile(join(dataDir, 'postgres.path'), 'utf8').catch(() => dataDir)
  for (const folder of [elsewhere, dataDir]) await rm(folder, { recursive: true, force: true })
})

const { delivered, mailServer } = acceptingTransport()
const { call, world } = await testServer({
  databaseUrl: postgres.url,
  mailServer,
  running: true,
  worker: true,
  env: { CLAIM_SECONDS: '2' },
})

test('Postgres stopped and started under load: 503 meanwhile, automatic recovery, nothing acknowledged is lost or duplicated', async () => {
  const { ctx, projectId, secret } = await freshProject(world)
  await createDomain(ctx, { domain: 'acme.test' })
  const sent = new Set<string>()
  const tracked = new Set<string>()
  const refused: { status: number; code: string; retry: string | null }[] = []
  let loading = true

  async function load(caller: number): Promise<void> {
    for (let at = 0; loading; at++) {
      const mail = { to: `c${caller}-${at}@example.com`, from: 'hi@acme.test', subject: 'S', body: '<p>B</p>' }
      const answer =
        at % 2
          ? await call('POST /v1/track', { email: mail.to, event: 'seen' }, { key: secret })
          : await call('POST /v1/send', mail, { key: secret })
      if (answer.status === 503) refused.push({ status: 503, code: answer.body.error.code, retry: answer.headers.get('retry-after') })
      else expect(answer.status).toBe(200)
      if (answer.status === 200 && at % 2) tracked.add(answer.body.data.event)
      if (answer.status === 200 && at % 2 === 0) sent.add(answer.body.data.emails[0].email)
    }
  }

  const callers = Array.from({ length: 8 }, (_, caller) => load(caller))
  await until(async () => sent.size > 50 && delivered.length > 10)
  await postgres.stop()
  await until(async () => refused.length > 20)
  expect((await call('GET /readyz')).status).toBe(503)
  expect((await call('GET /healthz')).status).toBe(200)
  const metrics = await call('GET /metrics')
  expect([metrics.status, metrics.body.match(/^postwire_(database_up|emails_waiting|oldest_write_seconds|jobs)\b.*$/gm)]).toEqual([
    200,
    ['postwire_database_up 0'],
  ])
  const before = sent.size
  postgres = await startPostgres({ dataDir })
  await until(async () => sent.size > before + 50)
  loading = false
  await Promise.all(callers)

  for (const refusal of refused)
    expect(refusal).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE', retry: expect.stringMatching(/^\d+$/) })
  await until(async () => (await world.db.prisma.delivery.count({ where: { projectId } })) === 0, 30_000)
  const mails = await world.db.prisma.email.findMany({ where: { projectId } })
  const settled = new Map(mails.map(({ id, status }) => [id, status]))
  for (const id of sent) expect(settled.get(id)).toBe('SENT')
  const events = new Set(
    (await world.db.prisma.event.findMany({ where: { projectId, name: 'seen' }, select: { id: true } })).map(({ id }) => id),
  )
  for (const id of tracked) expect(events.has(id)).toBe(true)
  const messageIds = delivered.map(({ raw }) => /^Message-ID: <(.+)@/im.exec(raw.toString('latin1'))?.[1])
  expect(new Set(messageIds).size).toBe(messageIds.length)
  expect(new Set(messageIds)).toEqual(new Set(mails.map(({ id }) => id)))
})
