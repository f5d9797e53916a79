import { afterAll, expect, test } from 'vitest'
import { createVault } from '../../src/kit/vault.ts'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { accept } from '../help/mails.ts'
import { type Program, startProgram } from '../help/program.ts'
import { mailServer } from '../help/smtp.ts'
import { root } from '../help/sources.ts'
import { until } from '../help/until.ts'
import { freshProject, testWorld } from '../help/world.ts'

const appSecret = 'a secret that every worker of this story shares'
const server = await mailServer()
const world = await testWorld({ running: true })
const workers: Program[] = []
afterAll(() => {
  for (const worker of workers) worker.kill('SIGKILL')
})

async function startWorker(more: Record<string, string> = {}): Promise<Program> {
  const env = {
    NODE_ENV: 'production',
    ROLE: 'worker',
    APP_SECRET: appSecret,
    DATABASE_URL: world.databaseUrl,
    EMAIL_TRANSPORT: server.url,
    SEND_RATE_PER_PROJECT: '0',
    CLAIM_SECONDS: '600',
    ...more,
  }
  const worker = startProgram(process.execPath, ['src/start/launch.js'], { cwd: root, env })
  workers.push(worker)
  await worker.logs(/"msg":"started"/)
  return worker
}

// Each takes its whole budget: one in many steps, the other in a single one, so that its thread must be ended.
const nestedLoops = '{% for a in (1..1000) %}{% for b in (1..1000) %}{{ a | times: b }}{% endfor %}{% endfor %}'
const oneLongStep = '{% assign words = text | split: "," | sort | reverse | sort | sort_natural | reverse | sort %}{{ words.size }}'
const text = Array.from({ length: 140_000 }, (_, at) => (at * 7_919) % 140_009).join(',')

test('a process with 130 hostile emails ends within 10 s of SIGTERM, and leaves what it has not attempted to the next one, uncounted', async () => {
  const { ctx, projectId } = await freshProject(world)
  await createDomain({ ...ctx, vault: createVault(appSecret) }, { domain: 'demo.test' })
  const to = (from: number, count: number) => Array.from({ length: count }, (_, n) => `to${from + n}@example.com`)
  await accept(ctx, { to: to(0, 115), body: nestedLoops })
  await accept(ctx, { to: to(115, 15), body: oneLongStep, data: { text: { value: text, persistent: false } } })
  const openRows = () => world.db.prisma.delivery.findMany({ where: { projectId }, select: { worker: true, attempts: true } })

  const first = await startWorker()
  await until(async () => (await openRows()).length < 128)
  first.kill('SIGTERM')
  // One that needs more than 10 s is killed.
  expect(await first.ended, first.stderr()).toBe(0)
  const left = await openRows()
  expect(left.length).toBeGreaterThan(65)
  expect(left).toEqual(left.map(() => ({ worker: null, attempts: 0 })))

  await accept(ctx, { to: 'polite@example.com' })
  // With a small budget it is soon done with them.
  await startWorker({ RENDER_BUDGET_MS: '5' })
  await until(async () => (await openRows()).length === 0)
  const ended = await world.db.prisma.email.groupBy({ by: ['status', 'attempts'], where: { projectId }, _count: true })
  expect(ended.toSorted((one, other) => one.status.localeCompare(other.status))).toEqual([
    { status: 'FAILED', attempts: 1, _count: 130 },
    { status: 'SENT', attempts: 1, _count: 1 },
  ])
  expect(server.mails.map(({ to }) => to)).toEqual([['polite@example.com']])
}, 120_000)
