import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Statement } from '../../../../src/kit/postgres/db.ts'
import { beginning } from '../../../../src/kit/walk.ts'
import { deleteContact } from '../../../../src/modules/contacts/contacts.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { eraseContact } from '../../../../src/modules/emails/erasure/erase.ts'
import { removeOldEvents } from '../../../../src/modules/events/retention/retention.ts'
import { eraseSomeContactEvents } from '../../../../src/modules/events/summary/erase.ts'
import { emailActivities } from '../../../../src/modules/filters/fields.ts'
import { countWholeLog, summariseWholeLog } from '../../../help/counted.ts'
import { logEvents } from '../../../help/lines.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld({ env: { LOG_RETENTION_MONTHS: '2' } })
const { prisma } = world.db
const dayMs = 86_400_000

type Project = Awaited<ReturnType<typeof freshProject>>
const track = async ({ ctx }: Project, who: string, event = 'seen') =>
  (await trackEvent(ctx, { email: `${who}@example.com`, event })).contact
const daysAgo = (days: number) => new Date(world.clock.now().getTime() - days * dayMs)
const summaries = async ({ projectId }: Project) =>
  (await prisma.contactEvent.findMany({ where: { projectId }, orderBy: { name: 'asc' } })).map(({ name, contactId }) => [name, contactId])

async function handleLog(): Promise<void> {
  await countWholeLog(world)
  await summariseWholeLog(world)
}

async function erase({ projectId }: Project, on: typeof world.db = world.db): Promise<void> {
  for (const { id, contactId } of await prisma.eventErasure.findMany({ where: { projectId } }))
    await eraseContact({ ...world, db: on }, { projectId, erasureId: id, contactId: contactId ?? '' })
  expect(await prisma.eventErasure.count({ where: { projectId } })).toBe(0)
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

const isScan = (plan: Plan) => plan['Relation Name'] === 'contact_events' && plan['Node Type'].includes('Scan')
const blocksOf = (plan: Plan): number =>
  (isScan(plan) ? plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] : 0) +
  (plan.Plans ?? []).reduce((sum, one) => sum + blocksOf(one), 0)

/** The database, which counts the blocks of the summary that its single statements read. */
async function measured() {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  const read = { blocks: 0 }
  async function run<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
    await client.query('begin')
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${statement.text}`, values as unknown[])
    await client.query('rollback')
    read.blocks += blocksOf(rows[0]['QUERY PLAN'][0].Plan)
    return world.db.run(statement, values)
  }
  return { read, db: { ...world.db, run } }
}

test('erasing a contact costs the same however many names of events its project has', async () => {
  const blocks: number[] = []
  for (const names of [0, 20_000]) {
    const project = await freshProject(world)
    const [ada, bob] = [await track(project, 'ada'), await track(project, 'bob')]
    await handleLog()
    await prisma.$executeRaw`insert into contact_events (project_id, name, contact_id, last_at)
      select ${project.projectId}, 'name ' || n, ${bob}, ${daysAgo(1)} from generate_series(1, ${names}::int) n`
    await prisma.$executeRawUnsafe('vacuum analyze contact_events')
    await deleteContact(project.ctx, { id: ada })
    const { read, db } = await measured()
    await erase(project, db)
    blocks.push(read.blocks)
    expect(await prisma.contactEvent.count({ where: { projectId: project.projectId } })).toBe(names + 1)
  }
  expect(Math.abs((blocks[1] ?? 0) - (blocks[0] ?? 0))).toBeLessThan(100)
})

test('a deleted contact is gone from the summary also where retention has removed its lines, with every name of a line', async () => {
  const project = await freshProject(world)
  const [ada, bob] = [await track(project, 'ada'), await track(project, 'bob')]
  const lines = [ada, bob].flatMap((contactId) => [
    { name: 'old', contactId },
    ...emailActivities.map(({ line }) => ({ name: line, contactId, data: { bot: false, bounceType: 'Permanent' } })),
  ])
  await logEvents(world, project.projectId, lines, daysAgo(100))
  await handleLog()
  await removeOldEvents(world, beginning)
  expect(await prisma.event.count({ where: { projectId: project.projectId } })).toBe(2)
  await track(project, 'ada', 'late')
  await handleLog()
  await deleteContact(project.ctx, { id: ada })
  await erase(project)
  const ofEmails = ['email.bounce', 'email.bounced', 'email.click', 'email.clicked', 'email.complaint', 'email.delivery']
  const left = [...ofEmails, 'email.open', 'email.opened', 'email.sent', 'old', 'seen']
  expect(await summaries(project)).toEqual(left.map((name) => [name, bob]))
  const unlogged = await prisma.unloggedEvent.findMany({ where: { projectId: project.projectId } })
  expect(unlogged.map(({ contactId }) => contactId)).toEqual(Array(1 + emailActivities.length).fill(bob))
  while (await eraseSomeContactEvents(world, project.projectId));
  expect([await summaries(project), await prisma.unloggedEvent.count({ where: { projectId: project.projectId } })]).toEqual([[], 0])
})
