import { expect, test } from 'vitest'
import { bulkDeleteContacts } from '../../../../src/modules/contacts/bulk/bulk.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { startJobs } from '../../../../src/modules/contacts/jobs.ts'
import { createSegment, updateSegment } from '../../../../src/modules/segments/segments.ts'
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
