import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { countCampaignLines } from '../../../src/modules/campaigns/counts/count.ts'
import { getEmail } from '../../../src/modules/emails/emails.ts'
import { completeDemo, findDemo } from '../../../src/start/demo/demo.ts'
import { accept } from '../../help/mails.ts'
import { logSettled, type TestWorld, testWorld } from '../../help/world.ts'

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

async function demoWorld(env: Record<string, string> = {}): Promise<TestWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'postwire-demo-'))
  folders.push(folder)
  return testWorld({ env: { NODE_ENV: 'development', DATA_DIR: folder, ...env }, running: true })
}

const start = (world: TestWorld) => findDemo(world, 'http://127.0.0.1:8080')
const fileOf = async ({ config }: TestWorld) => JSON.parse(await readFile(join(config.DATA_DIR, 'demo.json'), 'utf8'))

async function counts({ db }: TestWorld, projectId: string) {
  const where = { projectId }
  const { prisma } = db
  return {
    contacts: await prisma.contact.count({ where }),
    events: await prisma.event.count({ where }),
    emails: await prisma.email.count({ where }),
    waiting: await prisma.delivery.count({ where }),
  }
}

test('the past of the demo data is made once, by the time of then, has something for every page, and leaves nothing to send', {
  timeout: 120_000,
}, async () => {
  const world = await demoWorld()
  const demo = await start(world)
  if (!demo) throw new Error('There are demo data')
  expect((await fileOf(world)).history).toBe('under way')
  await completeDemo(world, demo)
  expect((await fileOf(world)).history).toBe('complete')
  const { projectId } = demo
  const where = { projectId }
  const made = await counts(world, projectId)
  expect(made.contacts).toBeGreaterThan(60)
  expect(made.emails).toBeGreaterThan(120)
  expect(made.waiting).toBe(0)
  const { prisma } = world.db
  const sent = await prisma.email.findMany({ where: { ...where, sentAt: { not: null } }, orderBy: { sentAt: 'asc' } })
  const daysAgo = (at: Date | null | undefined) => (Date.now() - (at?.getTime() ?? 0)) / 86_400_000
  expect(daysAgo(sent[0]?.sentAt)).toBeGreaterThan(30)
  expect(sent.filter(({ sentAt }) => daysAgo(sentAt) < 0.003)).toEqual([])
  const campaigns = await prisma.campaign.findMany({ where })
  expect(campaigns.map(({ status }) => status).sort()).toEqual(['DRAFT', 'SCHEDULED', 'SENT'])
  const states = await prisma.workflowExecution.groupBy({ by: ['status'], where, _count: true })
  expect(states.map(({ status }) => status).sort()).toEqual(['CANCELLED', 'COMPLETED', 'EXITED', 'WAITING'])
  await logSettled(world)
  while (await countCampaignLines(world));
  const counted = await prisma.campaignCount.findFirst({ where })
  for (const count of ['sent', 'opened', 'clicked', 'machineOpened', 'machineClicked', 'bounced'] as const)
    expect(counted?.[count], count).toBeGreaterThan(0)
  expect(await prisma.suppression.count({ where })).toBe(2)

  // A later start leaves it as it is.
  const again = await start(world)
  await completeDemo(world, again)
  expect(await counts(world, projectId)).toEqual(made)
  expect((await fileOf(world)).history).toBe('complete')
})

test('what is sent meanwhile is left to workers; a process that ends in the middle gives the rest up, and a later start leaves it so', async () => {
  const world = await demoWorld()
  const demo = await start(world)
  const completing = completeDemo(world, demo)
  const projectId = demo?.projectId ?? ''
  const ctx = callIn(world, { projectId, actor: { kind: 'system' } })
  const { id } = await accept(ctx, { to: 'beside@example.com' })
  await expect.poll(() => world.db.prisma.email.count({ where: { projectId, sentAt: { not: null } } })).toBeGreaterThan(3)
  world.announceClosing()
  await completing
  expect(await getEmail(ctx, { id })).toMatchObject({ status: 'PENDING' })
  const left = await counts(world, projectId)
  expect(left.contacts).toBeLessThan(60)
  expect((await fileOf(world)).history).toBe('given up')
  await completeDemo(world, await start(world))
  expect(await counts(world, projectId)).toEqual(left)
})

test.each([
  ['DEMO_HISTORY is off', { DEMO_HISTORY: 'false' }],
  ['email leaves', { EMAIL_TRANSPORT: 'smtp://127.0.0.1:9' }],
  ['this process has no workers', { ROLE: 'web' }],
])('there is no past where %s, and no email', async (_title, env) => {
  const world = await demoWorld(env)
  const demo = await start(world)
  await completeDemo(world, demo)
  expect(demo?.history).toBe('none')
  expect(await counts(world, demo?.projectId ?? '')).toMatchObject({ contacts: 3, emails: 0 })
})
