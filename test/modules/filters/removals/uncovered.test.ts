import { expect, test } from 'vitest'
import { bulkDeleteContacts } from '../../../../src/modules/contacts/bulk/bulk.ts'
import { continueBulk } from '../../../../src/modules/contacts/bulk/continue.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { deleteField } from '../../../../src/modules/contacts/fields/delete.ts'
import { listIssues } from '../../../../src/modules/segments/references.ts'
import { createSegment, getSegment } from '../../../../src/modules/segments/segments.ts'
import { computeMembers } from '../../../../src/modules/segments/tracking/compute.ts'
import { contactsOf, ended } from '../../../help/imports.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()

/** Ada is "pro" by a path and "free" by the key with a dot, which is preferred; Bob is "pro" by that key. A segment is of those who are "pro". */
async function people() {
  const { ctx } = await freshProject(world)
  await upsertContact(ctx, { email: 'ada@example.com', data: { 'plan.kind': 'free', plan: { kind: 'pro' } } })
  await upsertContact(ctx, { email: 'bob@example.com', data: { 'plan.kind': 'pro' } })
  const condition = { field: 'data.plan.kind', operator: 'equals', value: 'pro' } as const
  const { id } = await createSegment(ctx, { name: 'Pro', condition, trackMembership: true })
  expect(await computeMembers(ctx, id)).toMatchObject({ total: 1 })
  world.clock.turn(60_000)
  return { ctx, id }
}

test('a key with dots that is deleted, behind which a path of another field comes to light, leads nobody into a segment', async () => {
  const { ctx, id } = await people()
  await deleteField(ctx, { field: 'plan.kind' })
  world.clock.turn(60_000)
  await expect(bulkDeleteContacts(ctx, { filter: { segmentId: id } })).rejects.toThrow(/deleted after its condition was chosen/)
  expect(await computeMembers(ctx, id)).toMatchObject({ added: 0, total: 1 })
  expect(await listIssues(ctx, await getSegment(ctx, { id }))).toHaveLength(1)
})

test('the field that such a path leads into takes people out of the segment when it is deleted, as every other does', async () => {
  const { ctx, id } = await people()
  await deleteField(ctx, { field: 'plan' })
  world.clock.turn(60_000)
  expect(await listIssues(ctx, await getSegment(ctx, { id }))).toEqual([])
  const { jobId } = await bulkDeleteContacts(ctx, { filter: { segmentId: id } })
  await continueBulk(world)
  expect(await ended(ctx, jobId)).toMatchObject({ state: 'completed', result: { successCount: 1 } })
  expect(Object.keys(await contactsOf(ctx))).toEqual(['ada@example.com'])
})
