import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { deleteContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { resumeErasures } from '../../../src/modules/contacts/erasure/erase.ts'
import { requeueErasures } from '../../../src/modules/contacts/erasure/sql.ts'
import { eraseContactQueue, eraseContactsQueue } from '../../../src/modules/contacts/shapes.ts'
import { trackEvent } from '../../../src/modules/contacts/track.ts'
import { eraseContacts } from '../../../src/modules/emails/erasure/erase.ts'
import { countWholeLog } from '../../help/counted.ts'
import { freshProject, testWorld } from '../../help/world.ts'

// Two processes, neither of which works by itself.
const world = await testWorld()
const other = await testWorld({ databaseUrl: world.databaseUrl })
const { prisma } = world.db
interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}
const minutes = (count: number) => {
  for (const at of [world, other]) at.clock.turn(count * 60_000)
}
const resume = () => Promise.all([resumeErasures(world), resumeErasures(other)])

/** Deletes some contacts of a new project, and loses the jobs that remove their data, as when these have failed too often. */
async function deleted(count: number) {
  const { ctx, projectId } = await freshProject(world)
  const emails = Array.from({ length: count }, (_, n) => `user${n}@example.com`)
  await Promise.all(emails.map((email) => trackEvent(ctx, { email, event: 'seen' })))
  await countWholeLog(world)
  for (const { id } of await prisma.contact.findMany({ where: { projectId } })) await deleteContact(ctx, { id })
  await upsertContact(ctx, { email: 'stays@example.com' })
  await loseJobs()
  return { ctx, projectId }
}

const loseJobs = () => prisma.$executeRaw`delete from pgboss.job`
const jobsOf = async (projectId: string) =>
  (
    await prisma.$queryRaw<{ data: Parameters<typeof eraseContacts>[1] }[]>`
      select data from pgboss.job where name = ${eraseContactsQueue.name} and data ->> 'projectId' = ${projectId} and state < 'active'`
  ).map(({ data }) => eraseContactsQueue.shape.parse(data))
const rowsOf = (projectId: string) => prisma.contact.count({ where: { projectId } })

test('erasures whose jobs are lost are queued again after ten minutes, once by two processes, and then end', async () => {
  const { projectId } = await deleted(3)
  minutes(9)
  await resume()
  expect(await jobsOf(projectId)).toEqual([])
  minutes(2)
  await resume()
  await resume()
  const jobs = await jobsOf(projectId)
  const queued = jobs.flatMap(({ contacts }) => contacts.map(({ contactId }) => contactId))
  expect([queued.length, new Set(queued).size]).toEqual([3, 3])
  for (const job of jobs) await eraseContacts(world, job)
  expect([await rowsOf(projectId), await prisma.eventErasure.count({ where: { projectId } })]).toEqual([1, 0])
})

test('they are queued again every ten minutes until they end, at most 200 per job, those of a project together', async () => {
  const projects = await Promise.all([deleted(250), deleted(2)])
  for (let time = 0; time < 3; time++) {
    await loseJobs()
    minutes(11)
    await resumeErasures(world)
    const found = await Promise.all(projects.map(({ projectId }) => jobsOf(projectId)))
    expect(found.map((jobs) => jobs.map(({ contacts }) => contacts.length).sort((one, next) => next - one))).toEqual([[200, 50], [2]])
  }
})

test('a row that was left when its erasure had ended is removed', async () => {
  const { projectId } = await deleted(1)
  await prisma.eventErasure.deleteMany({ where: { projectId } })
  await prisma.event.deleteMany({ where: { projectId, contactId: { not: null } } })
  minutes(11)
  await resume()
  for (const job of await jobsOf(projectId)) await eraseContacts(world, job)
  expect(await rowsOf(projectId)).toBe(1)
})

test('while many jobs of erasures wait, none is queued again: they are only late', async () => {
  const { projectId } = await deleted(1)
  for (let n = 0; n <= 100; n++)
    await world.jobs.enqueueIn(60, eraseContactQueue, { projectId, contactId: `cnt_${n}`, erasureId: `ers_${n}` })
  minutes(11)
  await resume()
  expect(await jobsOf(projectId)).toEqual([])
  await loseJobs()
  await resume()
  expect(await jobsOf(projectId)).toHaveLength(1)
})

test('the contacts that were not deleted are not read', async () => {
  const { projectId } = await deleted(3)
  await prisma.$executeRaw`insert into contacts (project_id, id, email, created_at, updated_at)
    select ${projectId}, 'cnt_many' || n, 'many' || n || '@example.com', now() - interval '1 day', now() - interval '1 day' from generate_series(1, 2000) n`
  const client = new pg.Client({
    connectionString: world.databaseUrl,
    options: '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off',
  })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin')
  const { rows } = await client.query(`explain (analyze, format json) ${requeueErasures.text}`, [
    new Date(8.64e14),
    world.clock.now(),
    2_000,
  ])
  await client.query('rollback')
  const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]
  const read = nodes(rows[0]['QUERY PLAN'][0].Plan)
    .filter((node) => node['Relation Name'] === 'contacts')
    .reduce((sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'], 0)
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(1_500)
})
