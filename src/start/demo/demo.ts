import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type Ctx, callIn } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import type { World } from '../../kit/world.ts'
import { upsertContact } from '../../modules/contacts/contacts.ts'
import type { ContactDraft } from '../../modules/contacts/shapes.ts'
import { createDomain } from '../../modules/domains/domains.ts'
import { createProject, getProjectKeys } from '../../modules/projects/projects.ts'
import { createTemplate } from '../../modules/templates/templates.ts'
import type { User } from '../../modules/users/shapes.ts'
import { createUser, recordVerified } from '../../modules/users/users.ts'
import { reachableAt } from '../../server/http.ts'
import { makeHistory } from './history.ts'

const Keys = z.object({ projectId: z.string(), secret: z.string(), public: z.string() })

const DemoFile = Keys.extend({
  url: z.string(),
  from: z.string(),
  email: z.string(),
  password: z.string(),
  /** How much of the month of activity is there. */
  history: z.enum(['none', 'under way', 'complete', 'given up']).default('none'),
  second: Keys,
})
/** The content of DATA_DIR/demo.json: how to use the demo data. */
export type DemoFile = z.output<typeof DemoFile>

const domain = 'demo.test'
const people: ContactDraft[] = [
  { email: `ada@${domain}`, data: { name: 'Ada', plan: 'pro', seats: 12 } },
  { email: `grace@${domain}`, data: { name: 'Grace', plan: 'free', signedUp: '2026-01-31' } },
  { email: `alan@${domain}`, subscribed: false, data: { name: 'Alan', plan: 'free' } },
]

/**
 * The demo data of this installation, which listens at `listening`: created on the first start with an empty database, later
 * read from DATA_DIR/demo.json and updated (address, keys after a rotation). Null in production, and where the database
 * already has other data. Fails, and creates nothing, where the file cannot be written.
 */
export async function findDemo(world: World, listening: string): Promise<DemoFile | null> {
  if (world.config.production) return null
  const url = reachableAt(listening)
  const existing = await readDemo(world)
  const demo = existing ? await refresh(world, existing, url) : await createDemo(world, url)
  if (demo) await writeDemo(world, demo)
  return demo
}

/** Whether the past of demo data is to be made now: they were just created. */
export function isUnderWay(demo: DemoFile | null): demo is DemoFile {
  return demo?.history === 'under way'
}

/**
 * Makes the past of demo data that was just created, unless it has none; demo.json says what became of it. Never rejects: what is there
 * stays, and the rest is given up.
 */
export async function completeDemo(world: World, demo: DemoFile | null): Promise<void> {
  if (!isUnderWay(demo)) return
  const isComplete = await makeHistory(world, demo).catch((err: unknown) => {
    world.log.error({ err }, 'demo data: its past could not be completed')
    return false
  })
  await writeDemo(world, { ...demo, history: isComplete ? 'complete' : 'given up' })
}

const pathIn = (folder: string): string => join(folder, 'demo.json')

// Fails where the file cannot be written; a file that is there stays as it is.
async function requireFile({ config: { DATA_DIR } }: World): Promise<void> {
  await mkdir(DATA_DIR, { recursive: true })
  const file = await open(pathIn(DATA_DIR), 'a', 0o600)
  await file.close()
}

// What could not be written is printed at the start all the same. Whoever reads the file meanwhile reads what it was before.
async function writeDemo({ config, log }: World, demo: DemoFile): Promise<void> {
  const path = pathIn(config.DATA_DIR)
  const text = `${JSON.stringify(DemoFile.parse(demo), null, 2)}\n`
  try {
    await writeFile(`${path}.part`, text, { mode: 0o600 })
    await rename(`${path}.part`, path)
  } catch (err) {
    log.error({ err }, 'demo data: demo.json could not be written')
  }
}

async function readDemo({ config }: World): Promise<DemoFile | undefined> {
  const text = await readFile(pathIn(config.DATA_DIR), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return text === undefined ? undefined : DemoFile.safeParse(jsonOf(text)).data
}

// A file that was not written to its end is none.
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// A demo.json that belongs to another database is ignored: new demo data is then created if the database is empty.
async function refresh(world: World, existing: DemoFile, url: string): Promise<DemoFile | null> {
  const ids = [existing.projectId, existing.second.projectId]
  if ((await world.db.prisma.project.count({ where: { id: { in: ids } } })) < ids.length) return createDemo(world, url)
  const [first, second] = await Promise.all(ids.map((id) => keysOf(world, id)))
  // It is made in one go or not at all: what is there stays.
  const history = existing.history === 'under way' ? 'given up' : existing.history
  return { ...existing, ...first, url, history, second: { ...existing.second, ...second } }
}

async function keysOf(world: World, id: string): Promise<z.output<typeof Keys>> {
  const ctx = callIn(world, { projectId: id, actor: { kind: 'system' } })
  return { projectId: id, ...(await getProjectKeys(ctx, { id })) }
}

async function createDemo(world: World, url: string): Promise<DemoFile | null> {
  if ((await world.db.prisma.user.count()) > 0 || (await world.db.prisma.project.count()) > 0) return null
  // Before anything is created: without the file nobody would have its keys.
  await requireFile(world)
  const account = { email: `demo@${domain}`, password: randomBytes(9).toString('base64url') }
  const from = `hello@${domain}`
  const owner = await createUser(callIn(world), account).catch(nullIfTaken)
  if (!owner) return null
  await recordVerified(world, world.db, owner.id)
  const first = await makeProject(world, 'Demo', owner)
  const second = await makeProject(world, 'Second demo', owner)
  const template = { name: 'Welcome', subject: 'Welcome, {{ name ?? "friend" }}', body: welcome, from, fromName: 'Demo' }
  await createTemplate(first.ctx, { ...template, type: 'TRANSACTIONAL' })
  for (const person of people) await upsertContact(first.ctx, person)
  return { url, ...first.keys, from, ...account, history: hasHistory(world) ? 'under way' : 'none', second: second.keys }
}

// Only where email is captured, so that none of it leaves, and where this process has the workers that wait for it.
function hasHistory({ config }: World): boolean {
  return config.DEMO_HISTORY && config.mailbox && config.runsWorker
}

// Of several processes that start at once with an empty database, the one that created the account creates the demo data.
function nullIfTaken(error: unknown): null {
  if (error instanceof Failure && error.code === 'CONFLICT') return null
  throw error
}

async function makeProject(world: World, name: string, owner: User): Promise<{ ctx: Ctx; keys: z.output<typeof Keys> }> {
  const project = await createProject(callIn(world, { actor: { kind: 'system' } }), { name, ownerId: owner.id })
  const ctx = callIn(world, { projectId: project.id, actor: { kind: 'system' } })
  await createDomain(ctx, { domain })
  return { ctx, keys: { projectId: project.id, secret: project.secret, public: project.public } }
}

const welcome = `<h1>Hello {{ name ?? "friend" }}</h1>
<p>This email was written in Liquid, queued in Postgres, signed with the key of ${domain} and caught by the mailbox.</p>
<p><a href="https://example.com/start">Follow this link</a> and watch the click arrive on the live feed.</p>`
