import { expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { deleteField } from '../../../../src/modules/contacts/fields/delete.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { deleteEventName } from '../../../../src/modules/events/events.ts'
import type { FieldFilter } from '../../../../src/modules/filters/shapes.ts'
import { listSegments } from '../../../../src/modules/segments/lists.ts'
import { listIssues } from '../../../../src/modules/segments/references.ts'
import { createSegment, getSegment, updateSegment } from '../../../../src/modules/segments/segments.ts'
import { computeMembers, computeSegment } from '../../../../src/modules/segments/tracking/compute.ts'
import { summariseWholeLog } from '../../../help/counted.ts'
import { logOf } from '../../../help/mails.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const absent: FieldFilter = { field: 'data.plan', operator: 'notExists' }
const present: FieldFilter = { field: 'data.plan', operator: 'exists' }
const not = (id: string): FieldFilter => ({ field: `segment.${id}`, operator: 'notMemberOfSegment' })
const removePlan = (ctx: Ctx) => deleteField(ctx, { field: 'plan' })

/** Two contacts with a plan who have joined, two without who have not, and a tracked segment that has been computed. */
async function tracked(conditionIn: (ctx: Ctx) => Promise<FieldFilter>) {
  const { ctx } = await freshProject(world)
  for (const name of ['ada', 'bob']) {
    await upsertContact(ctx, { email: `${name}@example.com`, data: { plan: 'pro' } })
    await trackEvent(ctx, { email: `${name}@example.com`, event: 'joined' })
  }
  for (const name of ['cyd', 'dan']) await upsertContact(ctx, { email: `${name}@example.com`, data: {} })
  await summariseWholeLog(world)
  const condition = await conditionIn(ctx)
  const { id } = await createSegment(ctx, { name: 'Tracked', condition, trackMembership: true })
  expect(await computeSegment(ctx, { id })).toEqual({ added: 2, removed: 0, total: 2 })
  const moves = async () => (await logOf(ctx)).filter(({ name }) => name.startsWith('segment.')).length
  world.clock.turn(60_000)
  return { ctx, id, condition, moves }
}

const withoutPresent = async (ctx: Ctx) => not((await createSegment(ctx, { name: 'Has one', condition: present })).id)
const cases: [string, (ctx: Ctx) => Promise<FieldFilter>, (ctx: Ctx) => Promise<unknown>][] = [
  ['custom data', async () => absent, removePlan],
  ['an event', async () => ({ field: 'event.joined', operator: 'notTriggered' }), (ctx) => deleteEventName(ctx, { eventName: 'joined' })],
  ['custom data, of those who are in no other segment,', withoutPresent, removePlan],
]

test.each(cases)(
  'nobody enters a tracked segment of those without %s when that is deleted, until it is chosen again',
  async (_what, ...how) => {
    const [conditionIn, remove] = how
    const { ctx, id, condition, moves } = await tracked(conditionIn)
    await remove(ctx)
    world.clock.turn(60_000)
    expect(await computeMembers(ctx, id)).toEqual({ added: 0, removed: 0, total: 2, isPartial: false })
    expect(await moves()).toBe(2)
    expect(await listIssues(ctx, await getSegment(ctx, { id }))).toEqual([
      { path: '', message: expect.stringContaining('nobody enters or leaves the segment') },
    ])
    await updateSegment(ctx, { id, name: 'Another name', condition })
    expect(await computeSegment(ctx, { id })).toMatchObject({ added: 0 })
    for (const one of await listSegments(ctx)) {
      await updateSegment(ctx, { id: one.id, condition: { field: 'email', operator: 'contains', value: '@' } })
      await updateSegment(ctx, { id: one.id, condition: one.id === id ? condition : present })
    }
    expect(await listIssues(ctx, await getSegment(ctx, { id }))).toEqual([])
    expect(await computeSegment(ctx, { id })).toMatchObject({ added: 2, total: 4 })
  },
)

test('those leave who were in it because they had what is deleted', async () => {
  const { ctx, id } = await tracked(async () => present)
  await removePlan(ctx)
  expect(await computeSegment(ctx, { id })).toEqual({ added: 0, removed: 2, total: 0 })
  expect(await listIssues(ctx, await getSegment(ctx, { id }))).toEqual([])
})

test('nobody enters when it is deleted between the look and the writing', async () => {
  const { ctx, id, moves } = await tracked(async () => absent)
  await upsertContact(ctx, { email: 'eve@example.com', data: {} })
  const transaction: typeof ctx.db.transaction = async (...given) => {
    await removePlan(ctx)
    return ctx.db.transaction(...given)
  }
  expect(await computeMembers({ ...ctx, db: { ...ctx.db, transaction } }, id)).toBeNull()
  expect(await moves()).toBe(2)
})

test('nor does anybody enter one that leads to it and is chosen later, until the one that asks it is repaired', async () => {
  const { ctx, id, condition } = await tracked(async () => absent)
  await removePlan(ctx)
  world.clock.turn(60_000)
  const outer = await createSegment(ctx, {
    name: 'Leads to it',
    condition: { field: `segment.${id}`, operator: 'memberOfSegment' },
    trackMembership: true,
  })
  expect(await computeSegment(ctx, outer)).toMatchObject({ added: 0 })
  expect(await listIssues(ctx, await getSegment(ctx, { id: outer.id }))).toHaveLength(1)
  await updateSegment(ctx, { id, condition: { field: 'email', operator: 'contains', value: '@' } })
  await updateSegment(ctx, { id, condition })
  expect(await computeSegment(ctx, outer)).toMatchObject({ added: 4 })
  expect(await listIssues(ctx, await getSegment(ctx, { id: outer.id }))).toEqual([])
})

test('a segment that is made at once after a deletion has members, also when what is gone is deleted again', async () => {
  const { ctx } = await tracked(async () => absent)
  await removePlan(ctx)
  const made = await createSegment(ctx, { name: 'Made at once', condition: absent, trackMembership: true })
  await removePlan(ctx)
  expect(await computeSegment(ctx, made)).toMatchObject({ added: 4 })
  await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'new' } })
  world.clock.turn(1)
  await removePlan(ctx)
  expect(await listIssues(ctx, await getSegment(ctx, made))).toHaveLength(1)
})
