import { expect, test } from 'vitest'
import { bulkDeleteContacts } from '../../../../src/modules/contacts/bulk/bulk.ts'
import { deleteContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { startJobs } from '../../../../src/modules/contacts/jobs.ts'
import { eraseContact } from '../../../../src/modules/emails/erasure/erase.ts'
import { resetSteps } from '../../../../src/modules/resets/steps.ts'
import { listSegmentContacts } from '../../../../src/modules/segments/members/list.ts'
import { addSegmentMembers } from '../../../../src/modules/segments/members/members.ts'
import { createSegment } from '../../../../src/modules/segments/segments.ts'
import { holder } from '../../../help/holder.ts'
import { ended } from '../../../help/imports.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
await startJobs(world)
const { prisma } = world.db

/** The count of each static segment of a project, and how many contacts that exist are its members. */
async function countsOf(projectId: string): Promise<[counted: number, members: number][]> {
  const segments = await prisma.segment.findMany({ where: { projectId } })
  return Promise.all(
    segments.map(async ({ id, memberCount }) => [
      memberCount,
      await prisma.segmentMember.count({ where: { projectId, segmentId: id, contact: { deletedAt: null } } }),
    ]),
  )
}

async function filled() {
  const project = await freshProject(world)
  const { ctx } = project
  const emails = ['ada@example.com', 'bob@example.com']
  const [ada] = await Promise.all(emails.map((email) => upsertContact(ctx, { email })))
  const { id } = await createSegment(ctx, { name: 'Chosen', type: 'STATIC' })
  return { ...project, emails, segmentId: id, contactId: ada?.id ?? '' }
}

test('memberCount is right at once when members are deleted, one or many, and of the segments that they are in', async () => {
  const { ctx, projectId, emails, segmentId, contactId } = await filled()
  const other = await createSegment(ctx, { name: 'Others', type: 'STATIC' })
  const more = Array.from({ length: 3 }, (_, n) => `more${n}@example.com`)
  await addSegmentMembers(ctx, { id: segmentId, emails: [...emails, ...more], createMissing: true })
  await addSegmentMembers(ctx, { id: other.id, emails: emails.slice(1) })
  await deleteContact(ctx, { id: contactId })
  expect((await countsOf(projectId)).toSorted()).toEqual([
    [1, 1],
    [4, 4],
  ])
  expect(await listSegmentContacts(ctx, { id: segmentId, page: 1, pageSize: 20 })).toMatchObject({ total: 4 })
  const contacts = await prisma.contact.findMany({ where: { projectId, email: { startsWith: 'more' } } })
  const { jobId } = await bulkDeleteContacts(ctx, { contactIds: contacts.map(({ id }) => id) })
  expect((await ended(ctx, jobId)).result).toMatchObject({ successCount: 3 })
  expect(await countsOf(projectId)).toEqual([
    [1, 1],
    [1, 1],
  ])
})

test('a contact that is being deleted does not become a member', async () => {
  const { ctx, projectId, emails, segmentId, contactId } = await filled()
  const deletion = await holder(world)
  await deletion.run('update contacts set email = id, deleted_at = now() where project_id = $1 and id = $2', [projectId, contactId])
  const adding = addSegmentMembers(ctx, { id: segmentId, emails })
  await deletion.waitedFor()
  await deletion.commit()
  expect(await adding).toMatchObject({ added: 1, created: 0 })
  expect(await countsOf(projectId)).toEqual([[1, 1]])
})

test('memberCount is right after a member began at the very moment its contact was deleted', async () => {
  const { ctx, projectId, emails, segmentId, contactId } = await filled()
  await addSegmentMembers(ctx, { id: segmentId, emails: emails.slice(1) })
  // It has found the contact, and waits for the deletion to end.
  const late = await holder(world)
  await late.run('select pg_current_xact_id()')
  await deleteContact(ctx, { id: contactId })
  await late.run('insert into segment_members (project_id, segment_id, contact_id, entered_at) values ($1, $2, $3, now())', [
    projectId,
    segmentId,
    contactId,
  ])
  await late.run('update segments set member_count = member_count + 1 where project_id = $1 and id = $2', [projectId, segmentId])
  const [erasure] = await prisma.eventErasure.findMany({ where: { projectId } })
  // It commits when the memberships have been removed already.
  let open = true
  const db: typeof world.db = {
    ...world.db,
    async run(statement, values) {
      if (open && statement.name === 'events_find_erasures') {
        open = false
        await late.commit()
      }
      return world.db.run(statement, values)
    },
  }
  await eraseContact(
    { db, clock: world.clock, jobs: world.jobs, vault: world.vault },
    { projectId, contactId, erasureId: erasure?.id ?? '' },
  )
  expect(await prisma.contact.count({ where: { projectId } })).toBe(1)
  expect(await countsOf(projectId)).toEqual([[1, 1]])
})

test('memberCount is the number of members between any two batches of a reset', async () => {
  const { ctx, projectId, emails, segmentId } = await filled()
  await addSegmentMembers(ctx, { id: segmentId, emails })
  const seen: [number, number][] = []
  for (const step of resetSteps) while ((await step(world, projectId)) > 0) seen.push(...(await countsOf(projectId)))
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.filter(([counted, members]) => counted !== members)).toEqual([])
  expect(await prisma.segmentMember.count({ where: { projectId } })).toBe(0)
})
