import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { bulkDeleteContacts, bulkSubscribeContacts, bulkUnsubscribeContacts } from '../../../../src/modules/contacts/bulk/bulk.ts'
import { changeSubscription, countContacts, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { startJobs } from '../../../../src/modules/contacts/jobs.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { startJobs as startErasing } from '../../../../src/modules/emails/jobs.ts'
import { listEvents } from '../../../../src/modules/events/events.ts'
import { findOptedOut } from '../../../../src/modules/suppressions/opt-outs.ts'
import { countWholeLog } from '../../../help/counted.ts'
import { contactsOf, ended } from '../../../help/imports.ts'
import { queriesOf } from '../../../help/queries.ts'
import { until } from '../../../help/until.ts'
import { freshProject, logSettled, testWorld } from '../../../help/world.ts'

const world = await testWorld()
await startJobs(world)

async function some(ctx: Ctx, count: number, subscribed = true): Promise<string[]> {
  const made = Array.from({ length: count }, (_, n) => upsertContact(ctx, { email: `user${n}@example.com`, subscribed }))
  return (await Promise.all(made)).map(({ id }) => id)
}
const run = async (ctx: Ctx, queued: Promise<{ jobId: string }>) => ended(ctx, (await queued).jobId)
const logged = async (ctx: Ctx) =>
  (await listEvents(ctx, { limit: 100 })).data.map(({ name, contactId, data }) => ({ name, contactId, data }))
const subscribed = async (ctx: Ctx) => Object.values(await contactsOf(ctx)).filter((contact) => contact.subscribed).length

test('bulkDeleteContacts counts the contacts that are left, and remembers who opted out', async () => {
  const { ctx, projectId } = await freshProject(world)
  const [one = '', two = ''] = await some(ctx, 3)
  await changeSubscription(ctx, { id: one, subscribed: false, source: 'page' })
  await run(ctx, bulkDeleteContacts(ctx, { contactIds: [one, two] }))
  expect(await countContacts({ world, db: world.db, projectId }, {})).toBe(1)
  expect([...(await findOptedOut(world, projectId, ['user0@example.com', 'user1@example.com']))]).toEqual(['user0@example.com'])
})

describe('bulkSubscribeContacts and bulkUnsubscribeContacts', () => {
  test('change the contacts with these ids, log each change with the source "bulk", and count those that were so already', async () => {
    const { ctx } = await freshProject(world)
    const [one = '', two = '', three = ''] = await some(ctx, 3)
    await run(ctx, bulkUnsubscribeContacts(ctx, { contactIds: [one] }))
    const job = await run(ctx, bulkUnsubscribeContacts(ctx, { contactIds: [two, one, two] }))
    expect(job).toMatchObject({ state: 'completed', progress: 100 })
    expect(job.result).toEqual({
      operation: 'unsubscribe',
      totalRequested: 2,
      successCount: 1,
      unchangedCount: 1,
      failureCount: 0,
      errors: [],
      errorsOmitted: 0,
    })
    expect(await logged(ctx)).toEqual(
      [two, one].map((contactId) => ({ name: 'contact.unsubscribed', contactId, data: { source: 'bulk' } })),
    )
    await run(ctx, bulkSubscribeContacts(ctx, { contactIds: [one, two, three] }))
    expect(await subscribed(ctx)).toBe(3)
    expect((await logged(ctx)).filter(({ name }) => name === 'contact.subscribed')).toHaveLength(2)
  })

  test('report ids that are no contacts of the project, another project’s too, and change nothing of it', async () => {
    const { ctx } = await freshProject(world)
    const { ctx: foreign } = await freshProject(world)
    const [own = ''] = await some(ctx, 1)
    const [other = ''] = await some(foreign, 1)
    const before = await contactsOf(foreign)
    const job = await run(ctx, bulkUnsubscribeContacts(ctx, { contactIds: [other, 'nonsense', own] }))
    expect(job.result).toMatchObject({
      totalRequested: 3,
      successCount: 1,
      failureCount: 2,
      errors: [other, 'nonsense'].map((contactId) => ({ contactId, email: null, error: 'There is no such contact.' })),
    })
    expect(await contactsOf(foreign)).toEqual(before)
    expect(await logged(foreign)).toEqual([])
  })

  test('with a filter change every contact that matches, in batches, without those excluded', async () => {
    const { ctx } = await freshProject(world)
    const ids = await some(ctx, 2_100)
    const excluded = ids.slice(0, 3)
    const job = await run(ctx, bulkUnsubscribeContacts(ctx, { filter: { search: 'USER', subscribed: true }, excludeIds: excluded }))
    expect(job.result).toMatchObject({ totalRequested: 2_097, successCount: 2_097, failureCount: 0 })
    expect(await subscribed(ctx)).toBe(3)
    expect((await run(ctx, bulkSubscribeContacts(ctx, { filter: { search: '%' } }))).result).toMatchObject({ totalRequested: 0 })
    await run(ctx, bulkSubscribeContacts(ctx, { filter: {} }))
    expect(await subscribed(ctx)).toBe(2_100)
  })

  test('with a filter leave contacts alone that were created after the call', async () => {
    const idle = await testWorld()
    const { ctx } = await freshProject(idle)
    await some(ctx, 2)
    const { jobId } = await bulkUnsubscribeContacts(ctx, { filter: {} })
    await upsertContact(ctx, { email: 'late@example.com' })
    await startJobs(idle)
    expect((await ended(ctx, jobId)).result).toMatchObject({ totalRequested: 2 })
    expect(await contactsOf(ctx)).toMatchObject({ 'late@example.com': { subscribed: true }, 'user0@example.com': { subscribed: false } })
  })
})

describe('bulkDeleteContacts', () => {
  test('deletes contacts with their events, frees their addresses, and leaves the others', async () => {
    const { ctx, projectId } = await freshProject(world)
    const ids = await some(ctx, 300)
    for (const email of ['user0@example.com', 'user1@example.com']) await trackEvent(ctx, { email, event: 'seen' })
    const job = await run(ctx, bulkDeleteContacts(ctx, { contactIds: ids.slice(1) }))
    expect(job.result).toMatchObject({ operation: 'delete', totalRequested: 299, successCount: 299 })
    expect(Object.keys(await contactsOf(ctx))).toEqual(['user0@example.com'])
    expect(await logged(ctx)).toMatchObject([{ name: 'seen', contactId: ids[0] }])
    expect((await upsertContact(ctx, { email: 'user1@example.com' }))._meta.isNew).toBe(true)
    await logSettled(world)
    await countWholeLog(world)
    const erased = async () => (await world.db.prisma.contact.count({ where: { projectId } })) === 2
    // Whether earlier transactions have ended is asked again and again, more often on a busy machine.
    const ofRemoval = /^(?![\s\S]*\bpg_stat_activity\b)[\s\S]*(contact_id|contactId)/
    const { queries } = await queriesOf(async () => {
      await startErasing(world)
      await until(erased)
    }, ofRemoval)
    // Many contacts are removed at a time, not one by one.
    expect(queries).toBeLessThan(100)
    expect(await world.db.prisma.eventErasure.count({ where: { projectId } })).toBe(0)
  })

  test('with a filter deletes what matches', async () => {
    const { ctx } = await freshProject(world)
    await some(ctx, 3)
    await upsertContact(ctx, { email: 'ada@example.com', subscribed: false })
    const job = await run(ctx, bulkDeleteContacts(ctx, { filter: { subscribed: false } }))
    expect(job.result).toMatchObject({ totalRequested: 1, successCount: 1 })
    expect(Object.keys(await contactsOf(ctx))).toHaveLength(3)
  })
})
