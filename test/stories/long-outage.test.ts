import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test } from 'vitest'
import { migrate } from '../../prisma/migrate.ts'
import { startPostgres } from '../../src/kit/postgres/embedded.ts'
import { createVault } from '../../src/kit/vault.ts'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { accept } from '../help/mails.ts'
import { freshDataDir } from '../help/processes.ts'
import { type Program, startProgram } from '../help/program.ts'
import { root } from '../help/sources.ts'
import { until } from '../help/until.ts'
import { freshProject, testWorld } from '../help/world.ts'

const appSecret = 'a secret that every worker of this story shares'
const dataDir = await freshDataDir()
let postgres = await startPostgres({ dataDir })
await migrate(postgres.url)
afterAll(() => postgres.stop())
const world = await testWorld({ databaseUrl: postgres.url, running: true })
const workers: Program[] = []
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

/** A mail server that answers as many messages as it is allowed to; the others wait for their answers. */
async function gatedServer() {
  const arrived: string[] = []
  const waiting: (() => void)[] = []
  let allowed = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, { envelope }, done) {
      stream.resume().once('end', () => {
        waiting.push(() => {
          arrived.push(envelope.rcptTo[0]?.address ?? '')
          done()
        })
        allow(0)
      })
    },
  })
  function allow(more: number): void {
    allowed += more
    for (; allowed > 0 && waiting.length > 0; allowed--) waiting.shift()?.()
  }
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)))
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, arrived, waiting, allow }
}

async function startWorker(smtp: string, claimSeconds: number): Promise<Program> {
  const env = {
    NODE_ENV: 'production',
    ROLE: 'worker',
    APP_SECRET: appSecret,
    DATABASE_URL: postgres.url,
    EMAIL_TRANSPORT: smtp,
    CLAIM_SECONDS: String(claimSeconds),
    SEND_RATE_PER_PROJECT: '0',
    LOG_LEVEL: 'debug',
  }
  const worker = startProgram(process.execPath, ['src/start/launch.js'], { cwd: root, env })
  workers.push(worker)
  await worker.logs(/"msg":"started"/)
  return worker
}

test('Postgres is unavailable for longer than a claim while 400 emails are being sent: another worker waits for their outcomes, and each is sent once', async () => {
  const server = await gatedServer()
  const { ctx, projectId } = await freshProject(world)
  await createDomain({ ...ctx, vault: createVault(appSecret) }, { domain: 'demo.test' })
  const sender = await startWorker(server.url, 2)
  const to = Array.from({ length: 400 }, (_, n) => `to${n}@example.com`)
  await accept(ctx, { to })
  await until(async () => server.waiting.length > 0)
  const [first] = await world.db.prisma.delivery.findMany({
    where: { projectId, worker: { not: null } },
    select: { worker: true },
    take: 1,
  })
  const claimed = { projectId, worker: first?.worker ?? '' }
  // It renews its claims rarely enough to outlast the outage, and is the one that notices first that the other's have ended. It sends
  // what the first worker has put back, because the mail server takes long.
  const other = await startWorker(server.url, 12)
  const held = (await world.db.prisma.delivery.findMany({ where: claimed, select: { emailId: true } })).map(({ emailId }) => emailId)
  expect(held.length).toBeGreaterThan(0)

  await postgres.stop()
  const claimsEnd = performance.now() + 2_000
  server.allow(300)
  // Only what was being handed over leaves: nothing does on what was read before the outage.
  await until(async () => performance.now() > claimsEnd)
  expect(server.arrived.length).toBeGreaterThan(0)
  expect(server.arrived.length).toBeLessThan(50)
  server.allow(500)
  await other.logs(/delivery lease: failed/)
  await until(async () => server.waiting.length === 0 && performance.now() > claimsEnd + 500)
  process.kill(sender.pid, 'SIGSTOP')

  postgres = await startPostgres({ dataDir })
  await untilAccepted(() => accept(ctx, { to: 'later@example.com' }))
  await until(async () => server.arrived.includes('later@example.com'), 20_000)
  expect(await world.db.prisma.delivery.count({ where: { projectId, emailId: { in: held } } })).toBe(held.length)
  process.kill(sender.pid, 'SIGCONT')

  await until(async () => (await world.db.prisma.delivery.count({ where: { projectId } })) === 0, 30_000)
  expect(server.arrived.toSorted()).toEqual([...to, 'later@example.com'].sort())
  expect(await world.db.prisma.email.count({ where: { projectId, status: 'SENT' } })).toBe(401)
  expect(await world.db.prisma.event.count({ where: { projectId, name: 'email.sent' } })).toBe(401)
}, 120_000)

/** Connections of the time before the outage fail once each. */
async function untilAccepted<T>(send: () => Promise<T>): Promise<T> {
  let result: T | undefined
  await until(async () => {
    result = await send().catch(() => undefined)
    return result !== undefined
  })
  return result as T
}
