import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../help/ports.ts'
import { eventually, type Program, startProgram } from '../help/program.ts'
import { callAt } from '../help/server.ts'
import { root } from '../help/sources.ts'
import { freshDatabase, testWorld } from '../help/world.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'postwire-demo-'))
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const DATABASE_URL = await freshDatabase()
const { prisma } = (await testWorld({ databaseUrl: DATABASE_URL })).db
const programs: Program[] = []
afterAll(async () => {
  for (const program of programs) program.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

async function start(): Promise<Program> {
  const env = { DATABASE_URL, DATA_DIR: dataDir, PORT: String(port), DEMO_HISTORY: 'true', LOG_LEVEL: 'warn' }
  const program = startProgram(process.execPath, ['src/start/launch.js'], { cwd: root, env })
  programs.push(program)
  await program.says(/is running at/)
  return program
}

const demo = async () => JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))
const daysAgo = (at: Date | null | undefined) => (Date.now() - (at?.getTime() ?? 0)) / 86_400_000

test('a first start makes a past with something for every page, by the time of then; what is sent meanwhile leaves, and a second start adds nothing', {
  timeout: 180_000,
}, async () => {
  const first = await start()
  const { projectId, secret, from, history } = await demo()
  const where = { projectId }
  const draft = { to: 'beside@example.com', from, subject: 'Beside it', body: '<p>Hi</p>' }
  const sent = await callAt(url, 'POST /v1/send', draft, { key: secret })
  expect([history, sent.status]).toEqual(['under way', 200])
  await eventually(async () => (await demo()).history === 'complete', 120_000)
  await eventually(async () => (await callAt(url, 'GET /mailbox')).body.includes('Beside it'))

  const emails = await prisma.email.findMany({ where, orderBy: { id: 'asc' } })
  expect(emails.length).toBeGreaterThan(120)
  expect(daysAgo(emails[0]?.sentAt)).toBeGreaterThan(30)
  expect(emails.filter(({ status }) => status === 'PENDING')).toEqual([])
  expect(emails.filter(({ sentAt }) => sentAt && daysAgo(sentAt) < 0.003).map(({ subject }) => subject)).toEqual(['Beside it'])
  const campaigns = await prisma.campaign.findMany({ where })
  expect(campaigns.map(({ status, document }) => `${status} ${document ? 'visual' : 'HTML'}`).sort()).toEqual([
    'DRAFT visual',
    'SCHEDULED HTML',
    'SENT visual',
  ])
  const states = await prisma.workflowExecution.groupBy({ by: ['status'], where })
  expect(states.map(({ status }) => status).sort()).toEqual(['CANCELLED', 'COMPLETED', 'EXITED', 'WAITING'])
  expect(await prisma.suppression.count({ where })).toBe(2)
  expect(await prisma.contact.count({ where: { ...where, subscribed: false } })).toBeGreaterThan(4)
  // The workers, which have begun, count what the log has.
  const count = async () =>
    prisma.campaignCount.findFirst({ where, select: { sent: true, bounced: true, machineOpened: true, machineClicked: true } })
  await eventually(async () => Object.values((await count()) ?? { none: 0 }).every((one) => one > 0))
  const days = await prisma.emailQuarter.groupBy({ by: ['at'], where })
  expect(days.length).toBeGreaterThan(40)

  first.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  const made = async () => [await prisma.contact.count({ where }), await prisma.email.count({ where })]
  const before = await made()
  const second = await start()
  expect((await demo()).history).toBe('complete')
  second.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  expect(await made()).toEqual(before)
  expect(first.stderr() + second.stderr()).toBe('')
})
