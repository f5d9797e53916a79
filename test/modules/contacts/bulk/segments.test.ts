import { expect, test } from 'vitest'
import { bulkDeleteContacts } from '../../../../src/modules/contacts/bulk/bulk.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { startJobs } from '../../../../src/modules/contacts/jobs.ts'
import { createSegment, updateSegment } from '../../../../src/modules/segments/segments.ts'
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
