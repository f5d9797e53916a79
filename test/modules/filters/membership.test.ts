import { expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { matchesCondition } from '../../../src/modules/filters/evaluate.ts'
import { membershipIn } from '../../../src/modules/filters/membership.ts'
import type { FieldFilter } from '../../../src/modules/filters/shapes.ts'
import { addSegmentMembers } from '../../../src/modules/segments/members/members.ts'
import { createSegment, deleteSegment, updateSegment } from '../../../src/modules/segments/segments.ts'
import { findSegmentUses } from '../../../src/modules/segments/usage.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()

type Of = Parameters<typeof membershipIn>[0]

/** Two projects with a segment each; from `hold` on, the statements about the first one take until `end`. */
async function slowAndQuick() {
  const made = async () => {
    const { ctx, projectId } = await freshProject(world)
    return { projectId, id: (await createSegment(ctx, { name: 'Static', type: 'STATIC' })).id }
  }
  const [slow, quick] = [await made(), await made()]
  const ended = Promise.withResolvers<void>()
  let isHeld = false
  const run: typeof world.db.run = async (statement, values) => {
    if (isHeld && values.flat().includes(slow.projectId)) await ended.promise
    return world.db.run(statement, values)
  }
  const watched = { ...world, db: { ...world.db, run } }
  const hold = (): void => {
    isHeld = true
  }
  return { slow: { ...slow, world: watched }, quick: { ...quick, world: watched }, hold, end: ended.resolve }
}

const asks: Record<string, (of: Of & { id: string }) => Promise<() => Promise<unknown>>> = {
  'what a segment is':
    async ({ id, ...of }) =>
    async () =>
      (await membershipIn(of)(id)).kind === 'members',
  'what uses a segment':
    async ({ id, ...of }) =>
    async () =>
      (await findSegmentUses(of, { id })).canDelete,
  'who is no member': async ({ id, ...of }) => {
    const found = await membershipIn(of)(id)
    if (found.kind !== 'members') throw new Error('The segment has stored members')
    return async () => !(await found.has('cnt_none'))
  },
}

test.each(Object.entries(asks))('%s is read for a project while that takes long for another one', async (_what, asker) => {
  const { slow, quick, hold, end } = await slowAndQuick()
  const [askSlow, askQuick] = [await asker(slow), await asker(quick)]
  hold()
  const waiting = askSlow()
  // In the same moment, and later.
  expect(await Promise.all([askQuick(), askQuick()])).toEqual([true, true])
  expect(await askQuick()).toBe(true)
  end()
  expect(await waiting).toBe(true)
})

/** What another segment has let go of, and what then becomes of it. */
const lettingGo: Record<
  string,
  (ctx: Ctx, contact: { id: string; email: string }) => Promise<{ filter: FieldFilter; end: () => Promise<unknown> }>
> = {
  'of a segment, which is deleted': async (ctx, { email }) => {
    const vips = await createSegment(ctx, { name: 'VIPs', type: 'STATIC' })
    await addSegmentMembers(ctx, { id: vips.id, emails: [email] })
    const end = async () => {
      await deleteSegment(ctx, vips)
      await world.db.prisma.segmentMember.deleteMany({ where: { projectId: ctx.projectId, segmentId: vips.id } })
    }
    return { filter: { field: `segment.${vips.id}`, operator: 'notMemberOfSegment' }, end }
  },
  'of an event, which is deleted': async ({ projectId }, { id: contactId }) => {
    const { contactEvent } = world.db.prisma
    await contactEvent.create({ data: { projectId, contactId, name: 'bought', lastAt: world.clock.now() } })
    return { filter: { field: 'event.bought', operator: 'notTriggered' }, end: () => contactEvent.deleteMany({ where: { projectId } }) }
  },
}

test.each(Object.entries(lettingGo))('a contact is looked at again when a segment lets go between two looks %s', async (_what, made) => {
  const { ctx } = await freshProject(world)
  const ada = await upsertContact(ctx, { email: 'ada@example.com' })
  const { filter, end } = await made(ctx, ada)
  const between = await createSegment(ctx, { name: 'Between', condition: filter })
  const find = membershipIn(ctx)
  let looks = 0
  const membership: typeof find = async (segmentId) => {
    const found = await find(segmentId)
    if (segmentId !== between.id || ++looks > 1) return found
    await updateSegment(ctx, { id: between.id, condition: { field: 'email', operator: 'equals', value: 'nobody@example.com' } })
    await end()
    return found
  }
  const condition = { field: `segment.${between.id}`, operator: 'memberOfSegment' } as const
  const contact = { ...ada, createdAt: ctx.clock.now(), updatedAt: ctx.clock.now() }
  expect(await matchesCondition(ctx, { condition, membership, contact })).toBe(false)
})
