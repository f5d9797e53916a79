import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { bulkDeleteContacts } from '../../../../src/modules/contacts/bulk/bulk.ts'
import { continueBulk } from '../../../../src/modules/contacts/bulk/continue.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { exportContacts } from '../../../../src/modules/contacts/export/export.ts'
import { deleteField } from '../../../../src/modules/contacts/fields/delete.ts'
import { startJobs } from '../../../../src/modules/contacts/jobs.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { deleteEventName } from '../../../../src/modules/events/events.ts'
import { findRemoved } from '../../../../src/modules/filters/removals/sql.ts'
import type { Condition, FieldFilter } from '../../../../src/modules/filters/shapes.ts'
import { createSegment, updateSegment } from '../../../../src/modules/segments/segments.ts'
import { summariseWholeLog } from '../../../help/counted.ts'
import { holder } from '../../../help/holder.ts'
import { contactsOf, ended } from '../../../help/imports.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()

/** Two contacts that have paid and have all fields. */
async function people() {
  const { ctx, projectId } = await freshProject(world)
  for (const name of ['ada', 'bob']) {
    await upsertContact(ctx, { email: `${name}@example.com`, data: { old: { vip: true }, new: true } })
    await trackEvent(ctx, { email: `${name}@example.com`, event: 'paid' } as Parameters<typeof trackEvent>[1])
  }
  await summariseWholeLog(world)
  return { ctx, projectId }
}

const hasNew: Condition = { field: 'data.new', operator: 'exists' }
const removals: [what: string, condition: Condition, remove: (ctx: Ctx) => Promise<unknown>][] = [
  ['a field', { field: 'data.old', operator: 'exists' }, (ctx) => deleteField(ctx, { field: 'old' })],
  [
    'a field of which a part is asked',
    { field: 'data.old.vip', operator: 'equals', value: true },
    (ctx) => deleteField(ctx, { field: 'data.old' }),
  ],
  ['an event', { field: 'event.paid', operator: 'triggered' }, (ctx) => deleteEventName(ctx, { eventName: 'paid' })],
]

/** Nobody: all but the members of a segment, who are everybody; it asks something else afterwards, and what it asked is deleted. */
async function nobody([, condition, remove]: (typeof removals)[number]) {
  const { ctx, projectId } = await people()
  const { id } = await createSegment(ctx, { name: 'Customers', condition })
  const { id: segmentId } = await createSegment(ctx, {
    name: 'Others',
    condition: { field: `segment.${id}`, operator: 'notMemberOfSegment' },
  })
  const removed = async () => {
    await updateSegment(ctx, { id, condition: hasNew })
    await remove(ctx)
  }
  return { ctx, projectId, segmentId, removed }
}

const failed = {
  state: 'failed',
  failedReason: expect.stringContaining('A field or an event that says which contacts are meant was deleted.'),
}

describe.each(removals)(
  '%s that a segment asked when work began, and that is deleted because it asks something else by now,',
  (...given) => {
    test('ends a bulk operation: what is left of the condition is everybody', async () => {
      const { ctx, segmentId, removed } = await nobody(given)
      const { jobId } = await bulkDeleteContacts(ctx, { filter: { segmentId } })
      await removed()
      await continueBulk(world)
      expect(await ended(ctx, jobId)).toMatchObject(failed)
      expect(Object.keys(await contactsOf(ctx))).toHaveLength(2)
    })

    test('fails an export before anything is given out', async () => {
      const { ctx, segmentId, removed } = await nobody(given)
      const { pieces } = await exportContacts(ctx, { segmentId })
      await removed()
      await expect(pieces[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message: failed.failedReason })
    })

    test('ends nothing that began after it was deleted', async () => {
      const { ctx, segmentId, removed } = await nobody(given)
      await removed()
      world.clock.turn(6_000)
      const { jobId } = await bulkDeleteContacts(ctx, { filter: { segmentId } })
      await continueBulk(world)
      expect(await ended(ctx, jobId)).toMatchObject({ state: 'completed', result: { successCount: 0 } })
    })
  },
)

test('a field that is deleted after contacts were found by it, and before it is their turn, ends a bulk operation that asks it itself', async () => {
  const { ctx, projectId } = await people()
  await upsertContact(ctx, { email: 'eve@example.com' })
  await startJobs(world)
  const other = await holder(world)
  await other.run('select 1 from contacts where project_id = $1 for update', [projectId])
  const { jobId } = await bulkDeleteContacts(ctx, { filter: { condition: { field: 'data.old', operator: 'notExists' } } })
  await other.waitedFor()
  const removing = deleteField(ctx, { field: 'old' })
  await other.waitedForOrEnded(2, removing)
  await other.commit()
  await removing
  const { state, failedReason } = await ended(ctx, jobId)
  expect({ state, failedReason }).toMatchObject(failed)
  expect(Object.keys(await contactsOf(ctx)).sort()).toEqual(['ada@example.com', 'bob@example.com', 'eve@example.com'])
})

test('a bulk operation that begins long after a field began to be deleted, and before that is done, ends as well', async () => {
  const { ctx, projectId } = await people()
  const other = await holder(world)
  await other.run(`select 1 from contacts where project_id = $1 and email = 'bob@example.com' for update`, [projectId])
  const removing = deleteField(ctx, { field: 'old' })
  await other.waitedFor()
  world.clock.turn(60_000)
  const condition: Condition = { field: 'data.old', operator: 'notExists' }
  const { jobId } = await bulkDeleteContacts(ctx, { filter: { condition } })
  await other.commit()
  await removing
  await startJobs(world)
  expect(await ended(ctx, jobId)).toMatchObject(failed)
  expect(Object.keys(await contactsOf(ctx))).toHaveLength(2)
})

describe.each<[string, FieldFilter, (ctx: Ctx) => Promise<unknown>]>([
  ['a field', { field: 'data.old', operator: 'notExists' }, (ctx) => deleteField(ctx, { field: 'old' })],
  ['an event', { field: 'event.paid', operator: 'notTriggered' }, (ctx) => deleteEventName(ctx, { eventName: 'paid' })],
])('a segment of those without %s that was deleted long ago', (_what, condition, remove) => {
  /** The segment, and one that leads to it: nobody, and everybody by now. */
  async function held() {
    const { ctx } = await people()
    const { id } = await createSegment(ctx, { name: 'Without', condition })
    const leads = await createSegment(ctx, { name: 'Leads', condition: { field: `segment.${id}`, operator: 'memberOfSegment' } })
    world.clock.turn(60_000)
    await remove(ctx)
    world.clock.turn(60_000)
    return { ctx, id, segmentIds: [id, leads.id] }
  }

  test('is about nobody in a bulk operation or an export, until its condition is chosen again', async () => {
    const { ctx, id, segmentIds } = await held()
    const refusal = { code: 'VALIDATION_ERROR', message: expect.stringContaining('deleted after its condition was chosen') }
    for (const segmentId of segmentIds) {
      await expect(bulkDeleteContacts(ctx, { filter: { segmentId } })).rejects.toMatchObject(refusal)
      await expect(exportContacts(ctx, { segmentId })).rejects.toMatchObject(refusal)
    }
    const negated: Condition = { field: `segment.${id}`, operator: 'memberOfSegment' }
    await expect(bulkDeleteContacts(ctx, { filter: { condition: negated } })).rejects.toMatchObject(refusal)
    for (const each of [hasNew, condition]) await updateSegment(ctx, { id, condition: each })
    for (const segmentId of segmentIds) {
      const { pieces } = await exportContacts(ctx, { segmentId })
      expect((await Array.fromAsync(pieces)).join('').match(/@/g)).toHaveLength(2)
    }
  })

  test('is about nobody when it is deleted while a bulk operation is accepted', async () => {
    const { ctx } = await people()
    const { id: segmentId } = await createSegment(ctx, { name: 'Without', condition })
    world.clock.turn(60_000)
    let asked = false
    const run: typeof ctx.db.run = async (statement, values) => {
      const rows = await ctx.db.run(statement, values)
      if (statement.name !== findRemoved.name || asked) return rows
      asked = true
      await remove(ctx)
      return rows
    }
    const db = { ...ctx.db, run }
    const accepting = bulkDeleteContacts({ ...ctx, db }, { filter: { segmentId } })
    const jobId = await accepting.then((job) => job.jobId).catch(() => null)
    await continueBulk(world)
    expect([asked, jobId && (await ended(ctx, jobId)).state]).toEqual([true, expect.toBeOneOf([null, 'failed'])])
    expect(Object.keys(await contactsOf(ctx))).toHaveLength(2)
  })

  test('is asked plainly by a condition of the call that was chosen now, at once after it was deleted', async () => {
    const { ctx } = await people()
    await remove(ctx)
    const { jobId } = await bulkDeleteContacts(ctx, { filter: { condition } })
    await continueBulk(world)
    expect(await ended(ctx, jobId)).toMatchObject({ state: 'completed', result: { successCount: 2 } })
  })
})
