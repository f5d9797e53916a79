import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { getEmail } from '../../../src/modules/emails/emails.ts'
import { completeDemo, findDemo } from '../../../src/start/demo/demo.ts'
import { accept } from '../../help/mails.ts'
import { type TestWorld, testWorld } from '../../help/world.ts'

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

test('what is sent meanwhile is left to workers; a process that ends in the middle gives the rest up, and a later start leaves it so', async () => {
  const world = await demoWorld()
  const demo = await start(world)
  const completing = completeDemo(world, demo)
  const projectId = demo?.projectId ?? ''
  const ctx = callIn(world, { projectId, actor: { kind: 'system' } })
  const { id } = await accept(ctx, { to: 'beside@example.com' })
  await expect.poll(() => world.db.prisma.email.count({ where: { projectId, sentAt: { not: null } } })).toBeGreaterThan(0)
  world.announceClosing()
  await completing
  expect(await getEmail(ctx, { id })).toMatchObject({ status: 'PENDING' })
  const left = await counts(world, projectId)
  expect(left.contacts).toBeLessThan(60)
  expect((await fileOf(world)).history).toBe('given up')
  // After a crash, the file still says that it is under way.
  await writeFile(join(world.config.DATA_DIR, 'demo.json'), JSON.stringify({ ...(await fileOf(world)), history: 'under way' }))
  await completeDemo(world, await start(world))
  expect((await fileOf(world)).history).toBe('given up')
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
