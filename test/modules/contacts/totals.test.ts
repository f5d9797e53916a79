import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { callIn } from '../../../src/kit/context.ts'
import { beginning } from '../../../src/kit/walk.ts'
import { connectActivity, listActivity } from '../../../src/modules/activity/activity.ts'
import { listContacts } from '../../../src/modules/contacts/audience/list.ts'
import { deleteContact, updateContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { trackEvent } from '../../../src/modules/contacts/track.ts'
import { listEmails } from '../../../src/modules/emails/emails.ts'
import { eraseContact } from '../../../src/modules/emails/erasure/erase.ts'
import { countLog } from '../../../src/modules/events/counter/counter.ts'
import { eraseEventName } from '../../../src/modules/events/erasure/erase.ts'
import { deleteEventName, listEvents } from '../../../src/modules/events/events.ts'
import { removeOldEvents } from '../../../src/modules/events/retention/retention.ts'
import { resetSteps } from '../../../src/modules/resets/steps.ts'
import { countWholeLog } from '../../help/counted.ts'
import { accept, sendingProject } from '../../help/mails.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const otherProcess = await testWorld({ databaseUrl: world.databaseUrl })
const { prisma } = world.db

const totalOf = async (list: Promise<{ total: number }>) => (await list).total
const elsewhere = (ctx: Ctx) => callIn(otherProcess, { projectId: ctx.projectId, actor: ctx.actor })

/** Whether the totals of all lists are the numbers of what they show. */
async function expectExact(ctx: Ctx): Promise<void> {
  const { projectId } = ctx
  const visible = { projectId, contact: { deletedAt: null } }
  const [contacts, emails] = await Promise.all([
    prisma.contact.count({ where: { projectId, deletedAt: null } }),
    prisma.email.count({ where: visible }),
  ])
  const shown = (await listEvents(ctx, { limit: 100 })).data.length
  expect({
    contacts: await totalOf(listContacts(ctx, { limit: 1 })),
    emails: await totalOf(listEmails(ctx, { limit: 1 })),
    events: await totalOf(listEvents(ctx, { limit: 1 })),
    activity: await totalOf(listActivity(ctx, { limit: 1 })),
    connection: await (await connectActivity(ctx, {}, { first: 1 })).totalCount(),
  }).toEqual({ contacts, emails, events: shown, activity: shown, connection: shown })
}

describe('the total of an unfiltered list', () => {
  test('of contacts is exact after any parallel creations, updates, deletions and failures in two processes', async () => {
    const action = fc.record({
      kind: fc.constantFrom('upsert', 'track', 'delete', 'rename', 'fail'),
      at: fc.integer({ min: 0, max: 9 }),
      there: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 60 }), async (actions) => {
        const { ctx } = await freshProject(world)
        await Promise.allSettled(
          actions.map(async ({ kind, at, there }) => {
            const on = there ? elsewhere(ctx) : ctx
            const email = `c${at}@example.com`
            if (kind === 'upsert') return upsertContact(on, { email, data: { at } })
            if (kind === 'track') return trackEvent(on, { email, event: 'seen' })
            if (kind === 'fail') return upsertContact(on, { email: `new${email}`, data: { big: 'x'.repeat(131_100) } })
            const { data } = await listContacts(on, { limit: 100 })
            const contact = data[at % Math.max(1, data.length)]
            if (!contact) return undefined
            if (kind === 'rename') return updateContact(on, { id: contact.id, email })
            return deleteContact(on, { id: contact.id })
          }),
        )
        await expectExact(ctx)
      }),
      { numRuns: 10 },
    )
  })

  test('of emails, events and activity is exact while contacts are deleted, and after they are removed', async () => {
    const { ctx } = await sendingProject(world)
    const sent = await Promise.all(Array.from({ length: 8 }, (_, at) => accept(ctx, { to: [`c${at % 4}@example.com`] })))
    for (let at = 0; at < 6; at++) await trackEvent(ctx, { email: `c${at}@example.com`, event: 'seen' })
    expect(sent).toHaveLength(8)
    await expectExact(ctx)
    expect(await totalOf(listEmails(ctx, { limit: 1 }))).toBe(8)
    await countWholeLog(world)
    await trackEvent(ctx, { email: 'c0@example.com', event: 'seen' })
    await expectExact(ctx)
    expect(await totalOf(listEvents(ctx, { limit: 1 }))).toBe(7)
    const { data } = await listContacts(ctx, { limit: 10, search: 'c0@' })
    const { id } = data[0] ?? { id: '' }
    await deleteContact(ctx, { id })
    await expectExact(ctx)
    expect([await totalOf(listEmails(ctx, { limit: 1 })), await totalOf(listEvents(ctx, { limit: 1 }))]).toEqual([6, 5])
    await countWholeLog(world)
    const [erasure] = await prisma.eventErasure.findMany({ where: { projectId: ctx.projectId } })
    await eraseContact(world, { projectId: ctx.projectId, contactId: id, erasureId: erasure?.id ?? '' })
    await expectExact(ctx)
    expect(await prisma.email.count({ where: { projectId: ctx.projectId } })).toBe(6)
  })

  test('of events is exact while a name is deleted, after it is removed, and after old lines are removed', async () => {
    const { ctx, projectId } = await freshProject(world)
    for (const event of ['a', 'b', 'a', 'c', 'a']) await trackEvent(ctx, { email: 'ada@example.com', event })
    await countWholeLog(world)
    await deleteEventName(ctx, { eventName: 'a' })
    await trackEvent(ctx, { email: 'ada@example.com', event: 'a' })
    await expectExact(ctx)
    expect(await totalOf(listEvents(ctx, { limit: 1 }))).toBe(3)
    const [erasure] = await prisma.eventErasure.findMany({ where: { projectId } })
    await countWholeLog(world)
    await eraseEventName(world, { projectId, erasureId: erasure?.id ?? '' })
    await expectExact(ctx)
    expect(await prisma.event.count({ where: { projectId } })).toBe(3)
    world.clock.turn(40 * 86_400_000)
    await trackEvent(ctx, { email: 'ada@example.com', event: 'new' })
    await countWholeLog(world)
    await removeOldEvents({ ...world, config: { ...world.config, LOG_RETENTION_MONTHS: 1 } }, beginning)
    expect(await totalOf(listEvents(ctx, { limit: 1 }))).toBe(1)
    await expectExact(ctx)
  })

  test('is exact between two batches of a reset, and 0 after it', async () => {
    const { ctx, projectId } = await sendingProject(world)
    await accept(ctx, {})
    await trackEvent(ctx, { email: 'ada@example.com', event: 'seen' })
    await trackEvent(ctx, { email: 'bob@example.com', event: 'seen' })
    await countWholeLog(world)
    // Some lines are not counted yet, and some are hidden.
    await trackEvent(ctx, { email: 'bob@example.com', event: 'late' })
    await trackEvent(ctx, { email: 'eve@example.com', event: 'late' })
    const { data } = await listContacts(ctx, { limit: 1, search: 'eve@' })
    await deleteContact(ctx, { id: data[0]?.id ?? '' })
    await deleteEventName(ctx, { eventName: 'seen' })
    await trackEvent(ctx, { email: 'ada@example.com', event: 'seen' })
    await expectExact(ctx)
    for (const step of resetSteps) {
      while ((await step(world, projectId)) > 0) await expectExact(ctx)
      await expectExact(ctx)
    }
    expect(await totalOf(listContacts(ctx, { limit: 1 }))).toBe(0)
    expect(await prisma.contactCount.count({ where: { projectId } })).toBe(0)
    expect(await prisma.emailCount.count({ where: { projectId } })).toBe(0)
  })

  test('is read from the counters, and no contact, email or event is counted for it', async () => {
    const { ctx, projectId } = await sendingProject(world)
    await accept(ctx)
    await trackEvent(ctx, { email: 'ada@example.com', event: 'seen' })
    await countWholeLog(world)
    const totals = () =>
      Promise.all([
        totalOf(listContacts(ctx, { limit: 1 })),
        totalOf(listEmails(ctx, { limit: 1 })),
        totalOf(listEvents(ctx, { limit: 1 })),
      ])
    const before = await totals()
    expect(before).toEqual([1, 1, before[2]])
    const raised = { where: { projectId }, data: { count: { increment: 1_000 } } }
    const changed = [prisma.contactCount.updateMany(raised), prisma.emailCount.updateMany(raised), prisma.eventTotal.updateMany(raised)]
    expect(await Promise.all(changed)).toEqual(Array(3).fill({ count: 1 }))
    expect(await totals()).toEqual(before.map((total) => total + 1_000))
  })
})

test('the total of a filtered list is that of the filter', async () => {
  const { ctx } = await freshProject(world)
  for (const name of ['ada', 'bob', 'bobby']) await upsertContact(ctx, { email: `${name}@example.com`, subscribed: name !== 'bob' })
  expect(await totalOf(listContacts(ctx, { limit: 1, search: 'bob' }))).toBe(2)
  expect(await totalOf(listContacts(ctx, { limit: 1, search: 'bob', subscribed: true }))).toBe(1)
  while (await countLog(world));
  expect(await totalOf(listEvents(ctx, { limit: 1, eventName: 'seen' }))).toBe(0)
})
