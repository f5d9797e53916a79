import { afterAll, expect, test } from 'vitest'
import { createVault } from '../../src/kit/vault.ts'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { copiesWorker } from '../../src/modules/emails/queue/waits.ts'
import { accept } from '../help/mails.ts'
import { atPace } from '../help/pace.ts'
import { type Program, startProgram } from '../help/program.ts'
import { scriptedServer } from '../help/smtp.ts'
import { root } from '../help/sources.ts'
import { until } from '../help/until.ts'
import { freshProject, testWorld } from '../help/world.ts'

const appSecret = 'a secret that the workers of this story share'
const polite: Record<string, string> = { '<CONNECT>': '220 hi', EHLO: '250 hi', DATA: '354 go', QUIT: '221 bye' }
const world = await testWorld({ running: true })
const workers: Program[] = []
afterAll(() => {
  for (const worker of workers) worker.kill('SIGKILL')
})

// Its own connections, and the check of the mail server of a process that starts.
const connections = 4

async function startWorker(url: string): Promise<Program> {
  const env = {
    NODE_ENV: 'production',
    ROLE: 'worker',
    APP_SECRET: appSecret,
    DATABASE_URL: world.databaseUrl,
    EMAIL_TRANSPORT: url,
    SMTP_CONNECTIONS: String(connections),
    SEND_RATE_PER_PROJECT: '0',
    CLAIM_SECONDS: '600',
  }
  const worker = startProgram(process.execPath, ['src/start/launch.js'], { cwd: root, env })
  workers.push(worker)
  await worker.logs(/"msg":"started"/)
  return worker
}

/** Ends a worker with 60 emails under way on a mail server that never answers a command. Returns what is left in the queue, and how long the end took. */
async function stopped(silentAt: string, afterMs = 0) {
  const { ctx, projectId } = await freshProject(world)
  await createDomain({ ...ctx, vault: createVault(appSecret) }, { domain: 'demo.test' })
  let unanswered = 0
  const { url } = await scriptedServer((command) => {
    if (command !== silentAt) return polite[command] ?? '250 ok'
    unanswered++
    return new Promise(() => undefined)
  })
  await accept(ctx, { to: Array.from({ length: 60 }, (_, n) => `to${n}@example.com`) })
  const worker = await startWorker(url)
  await until(async () => unanswered >= connections)
  const hangingSince = performance.now()
  await until(async () => performance.now() - hangingSince >= afterMs)
  const began = performance.now()
  worker.kill('SIGTERM')
  expect(await worker.ended, worker.stderr()).toBe(0)
  const tookMs = performance.now() - began
  const rows = await world.db.prisma.delivery.findMany({ where: { projectId } })
  await world.db.prisma.delivery.deleteMany({ where: { projectId } })
  expect(rows.map(({ worker: holder }) => holder)).toEqual(rows.map(() => null))
  // What holds waiting copies has no process.
  expect(await world.db.prisma.deliveryWorker.findMany({ select: { id: true } })).toEqual([{ id: copiesWorker }])
  return { rows, tookMs }
}

test.each([
  ['<CONNECT>', 0],
  ['EHLO', 0],
  ['RCPT', 0],
  ['DATA', 0],
  // After a second those under way count as slow, and their places as those of others.
  ['RCPT', 1_500],
])(
  'a process whose mail server has not answered %s for %i ms ends within 3 s of SIGTERM: other workers may send its emails at once, and no attempt was counted',
  async (silentAt, afterMs) => {
    const { rows, tookMs } = await stopped(silentAt, afterMs)
    expect(rows.flatMap(({ attempts, reason }) => (attempts > 0 ? [reason] : []))).toEqual([])
    expect(rows.map(({ due, attempts, uncertain }) => ({ due, attempts, uncertain }))).toEqual(
      Array.from({ length: 60 }, () => ({ due: null, attempts: 0, uncertain: false })),
    )
    expect(tookMs).toBeLessThan(atPace(3_000))
  },
  60_000,
)

test('a process whose mail server never answers a content waits 3 s for the answer, and ends; what the server has may have arrived', async () => {
  const { rows, tookMs } = await stopped('<CONTENT>')
  const offered = rows.filter(({ uncertain }) => uncertain)
  expect([rows.length, offered.length]).toEqual([60, connections])
  expect(offered.map(({ attempts, reason }) => [attempts, reason])).toEqual(
    offered.map(() => [1, expect.stringContaining('before the mail server confirmed the message: This process was ending')]),
  )
  expect(offered.every(({ due }) => due !== null && due.getTime() > Date.now())).toBe(true)
  expect(rows.filter(({ uncertain }) => !uncertain).map(({ due, attempts }) => [due, attempts])).toEqual(
    Array.from({ length: 60 - connections }, () => [null, 0]),
  )
  expect(tookMs).toBeGreaterThan(2_900)
})
