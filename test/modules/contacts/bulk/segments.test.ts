import { expect, test } from 'vitest'
import { bulkDeleteContacts, bulkUnsubscribeContacts } from '../../../../src/modules/contacts/bulk/bulk.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { startJobs } from '../../../../src/modules/contacts/jobs.ts'
import { eraseMembers } from '../../../../src/modules/segments/members/erase.ts'
import { addSegmentMembers } from '../../../../src/modules/segments/members/members.ts'
import { createSegment, deleteSegment, updateSegment } from '../../../../src/modules/segments/segments.ts'
import { holder } from '../../../help/holder.ts'
import { contactsOf, ended } from '../../../help/imports.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const plan = (value: string) => ({ field: 'data.plan', operator: 'equals' as const, value })

test('a bulk operation is about the segment as it was when the call was answered, also where another one asks for it', async () => {
  const { ctx } = await freshProject(world)
  for (const name of ['stale', 'customer']) await upsertContact(ctx, { email: `${name}@example.com`, data: { plan: name } })
  const { id } = await createSegment(ctx, { name: 'Inner', condition: plan('stale') })
  const outer = await createSegment(ctx, { name: 'Outer', condition: { field: `segment.${id}`, operator: 'memberOfSegment' } })
  const { jobId } = await bulkDeleteContacts(ctx, { filter: { segmentId: outer.id } })
  await updateSegment(ctx, { id, condition: plan('customer') })
  await startJobs(world)
  expect(await ended(ctx, jobId)).toMatchObject({ state: 'completed', result: { successCount: 1 } })
  expect(Object.keys(await contactsOf(ctx))).toEqual(['customer@example.com'])
})

test.each([
  ['a segment', (segmentId: string) => ({ segmentId })],
  ['a part of the address', () => ({ search: 'ada' })],
])('what is changed of a contact after it was found by %s, and before it is its turn, keeps it', async (_what, filterOf) => {
  const { ctx, projectId } = await freshProject(world)
  const contacts = await Promise.all(
    ['ada1', 'ada2'].map((name) => upsertContact(ctx, { email: `${name}@example.com`, data: { plan: 'stale' } })),
  )
  const { id } = await createSegment(ctx, { name: 'S', condition: plan('stale') })
  const other = await holder(world)
  const row = [projectId, contacts[0]?.id]
  await other.run(`update contacts set data = '{"plan": "customer"}', email = 'eve@example.com' where project_id = $1 and id = $2`, row)
  await startJobs(world)
  const { jobId } = await bulkDeleteContacts(ctx, { filter: filterOf(id) })
  await other.waitedFor()
  await other.commit()
  expect(await ended(ctx, jobId)).toMatchObject({ state: 'completed', result: { successCount: 1, failureCount: 0 } })
  expect(Object.keys(await contactsOf(ctx))).toEqual(['eve@example.com'])
})

/** Ada, who has not opted out, and a bulk operation that unsubscribes all but those who have, which has not been begun. */
async function allButOptedOut() {
  const { ctx, projectId } = await freshProject(world)
  const { id } = await upsertContact(ctx, { email: 'ada@example.com', subscribed: true })
  const optedOut = await createSegment(ctx, { name: 'Opted out', type: 'STATIC' })
  const condition = { field: `segment.${optedOut.id}`, operator: 'notMemberOfSegment' as const }
  const remove = async () => {
    await deleteSegment(ctx, optedOut)
    await eraseMembers(world, { projectId, segmentId: optedOut.id })
  }
  return { ctx, projectId, id, optedOut, remove, unsubscribe: () => bulkUnsubscribeContacts(ctx, { filter: { condition } }) }
}

test('a segment that is deleted after contacts were found by it, and before it is their turn, ends a bulk operation', async () => {
  const { ctx, projectId, optedOut, remove, unsubscribe } = await allButOptedOut()
  await startJobs(world)
  const [members, job] = [await holder(world), await holder(world)]
  await members.run('lock table segment_members in access exclusive mode')
  const { jobId } = await unsubscribe()
  await members.waitedFor()
  await job.run('select 1 from jobs where project_id = $1 and id = $2 for update', [projectId, jobId])
  await members.commit()
  await job.waitedFor()
  await addSegmentMembers(ctx, { id: optedOut.id, emails: ['ada@example.com'] })
  await remove()
  await job.commit()
  expect(await ended(ctx, jobId)).toMatchObject({
    state: 'failed',
    failedReason: expect.stringContaining('A segment that says which contacts are meant was deleted.'),
  })
  expect(await contactsOf(ctx)).toMatchObject({ 'ada@example.com': { subscribed: true } })
})

test('a segment is not deleted while a bulk operation changes contacts by it', async () => {
  const { ctx, projectId, id, remove, unsubscribe } = await allButOptedOut()
  await startJobs(world)
  const other = await holder(world)
  await other.run('select 1 from contacts where project_id = $1 and id = $2 for update', [projectId, id])
  const { jobId } = await unsubscribe()
  await other.waitedFor()
  let removed = false
  const removal = remove().then(() => {
    removed = true
  })
  await other.waitedForOrEnded(2, removal)
  expect(removed).toBe(false)
  await other.commit()
  await removal
  expect(await ended(ctx, jobId)).toMatchObject({ result: { successCount: 1 } })
})

test('a bulk deletion waits for the segments of contacts before it locks these, as whoever adds members does', async () => {
  const { ctx, projectId } = await freshProject(world)
  const { id } = await upsertContact(ctx, { email: 'ada@example.com' })
  const segment = await createSegment(ctx, { name: 'S', type: 'STATIC' })
  await addSegmentMembers(ctx, { id: segment.id, emails: ['ada@example.com'] })
  await startJobs(world)
  const other = await holder(world)
  await other.run('select 1 from segments where project_id = $1 and id = $2 for no key update', [projectId, segment.id])
  const { jobId } = await bulkDeleteContacts(ctx, { filter: { search: 'ada' } })
  await other.waitedFor()
  const free = await other.run('select 1 from contacts where project_id = $1 and id = $2 for key share skip locked', [projectId, id])
  expect(free).toHaveLength(1)
  await other.commit()
  expect(await ended(ctx, jobId)).toMatchObject({ result: { successCount: 1 } })
})
