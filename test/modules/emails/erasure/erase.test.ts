import { expect, test } from 'vitest'
import { bulkDeleteContacts } from '../../../../src/modules/contacts/bulk/bulk.ts'
import { deleteContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { startJobs as startBulk } from '../../../../src/modules/contacts/jobs.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { eraseContacts, eraseSomeEmails } from '../../../../src/modules/emails/erasure/erase.ts'
import { countWholeLog } from '../../../help/counted.ts'
import { holder } from '../../../help/holder.ts'
import { ended } from '../../../help/imports.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { claim } from '../../../help/workers.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const { prisma } = world.db

/** What of a project waits to be removed, as jobs say it. */
async function deletedOf(projectId: string) {
  const rows = await prisma.eventErasure.findMany({ where: { projectId }, orderBy: { id: 'asc' } })
  return rows.map(({ id, contactId }) => ({ contactId: contactId ?? '', erasureId: id }))
}

const jobsOf = (projectId: string) =>
  prisma.$queryRaw<{ name: string; contacts: number }[]>`
    select name, coalesce(jsonb_array_length(data -> 'contacts'), 1) as contacts from pgboss.job
    where data ->> 'projectId' = ${projectId} and name like 'contacts-erase%' and state < 'active' order by name, contacts`

test('contacts that were deleted together are removed together; one to whom an email is being sent when that has ended', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const addresses = ['ada@example.com', 'bob@example.com', 'cyd@example.com']
  await accept(ctx, { to: 'ada@example.com' })
  const [claimed] = await claim(world, projectId)
  for (const to of addresses.slice(1)) await accept(ctx, { to })
  for (const email of addresses) await trackEvent(ctx, { email, event: 'seen' })
  await countWholeLog(world)
  for (const { id } of await prisma.contact.findMany({ where: { projectId } })) await deleteContact(ctx, { id })
  const contacts = await deletedOf(projectId)
  await eraseContacts(world, { projectId, contacts })
  const left = await prisma.contact.findMany({ where: { projectId } })
  expect(left.map(({ id }) => id)).toEqual([claimed?.contactId])
  expect(await prisma.email.count({ where: { projectId } })).toBe(1)
  expect(await deletedOf(projectId)).toEqual(contacts.filter(({ contactId }) => contactId === claimed?.contactId))
  expect(await jobsOf(projectId)).toContainEqual({ name: 'contacts-erase-many', contacts: 1 })
})

test('where they cannot be removed together, each is tried by itself', async () => {
  const { ctx, projectId } = await freshProject(world)
  for (const email of ['ada@example.com', 'bob@example.com']) {
    const { id } = await upsertContact(ctx, { email })
    await deleteContact(ctx, { id })
  }
  await prisma.$executeRaw`delete from pgboss.job where data ->> 'projectId' = ${projectId}`
  const db: typeof world.db = {
    ...world.db,
    run: (statement, values) =>
      statement.name === 'contacts_remove_hidden' ? Promise.reject(new Error('refused')) : world.db.run(statement, values),
  }
  await eraseContacts({ ...world, db }, { projectId, contacts: await deletedOf(projectId) })
  expect(await jobsOf(projectId)).toEqual([
    { name: 'contacts-erase', contacts: 1 },
    { name: 'contacts-erase', contacts: 1 },
  ])
})

test('whoever is deleted alone does not wait for those who were deleted together', async () => {
  const { ctx, projectId } = await freshProject(world)
  await startBulk(world)
  const made = Array.from({ length: 250 }, (_, n) => upsertContact(ctx, { email: `user${n}@example.com` }))
  const [alone, ...together] = await Promise.all(made)
  await ended(ctx, (await bulkDeleteContacts(ctx, { contactIds: together.map(({ id }) => id) })).jobId)
  await deleteContact(ctx, { id: alone?.id ?? '' })
  const jobs = await jobsOf(projectId)
  expect(jobs.filter(({ name }) => name === 'contacts-erase')).toHaveLength(1)
  expect(jobs.filter(({ name }) => name === 'contacts-erase-many').reduce((sum, { contacts }) => sum + contacts, 0)).toBe(249)
  expect(jobs.length).toBeLessThan(10)
})

test('emails are removed in the order in which what becomes of them is recorded: email first, then what of it is queued', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const { id } = await accept(ctx)
  const recording = await holder(world)
  await recording.run('select from emails where project_id = $1 and id = $2 for no key update', [projectId, id])
  const removed = eraseSomeEmails(world, projectId)
  await recording.waitedForOrEnded(1, removed)
  // Otherwise one of the two would be aborted, and tried again.
  const queued = 'select email_id from deliveries where project_id = $1 and email_id = $2 for update nowait'
  expect(await recording.run(queued, [projectId, id])).toEqual([{ email_id: id }])
  await recording.commit()
  expect(await removed).toBe(1)
})
