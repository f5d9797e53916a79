import { describe, expect, test } from 'vitest'
import { type Ctx, callIn } from '../../../src/kit/context.ts'
import { statement } from '../../../src/kit/postgres/db.ts'
import type { World } from '../../../src/kit/world.ts'
import { deleteContact } from '../../../src/modules/contacts/contacts.ts'
import { recordEvent, trackEvent } from '../../../src/modules/contacts/track.ts'
import { deleteDomain } from '../../../src/modules/domains/domains.ts'
import { sendEmail } from '../../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../../src/modules/emails/accept/shapes.ts'
import { listEvents } from '../../../src/modules/events/events.ts'
import { createTemplate, deleteTemplate } from '../../../src/modules/templates/templates.ts'
import { sendingProject } from '../../help/mails.ts'
import { queriesOf } from '../../help/queries.ts'
import { until } from '../../help/until.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const other = await testWorld({ databaseUrl: world.databaseUrl })

const keyed = (ctx: Ctx, key: string, fingerprint = 'same'): Ctx => ({ ...ctx, answer: {}, idempotency: { key, fingerprint } })
const elsewhere = (ctx: Ctx, on: World = other): Ctx => ({ ...ctx, world: on, db: on.db })
const paid = { email: 'ada@example.com', event: 'paid' }
const eventsOf = async (ctx: Ctx) => (await listEvents(ctx, { limit: 100 })).data.length
const codesOf = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []))

describe('a replay', () => {
  test('is the first answer even when template, domain and contact are gone', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const template = await createTemplate(ctx, { subject: 'Hi', body: 'Hi', from: 'hello@demo.test' })
    const draft = SendDraft.parse({ to: ['b@example.com', 'ada@example.com', 'b@example.com'], template: template.id })
    const first = await sendEmail(keyed(ctx, 'order'), draft)
    await deleteTemplate(ctx, { id: template.id })
    const domain = await world.db.prisma.domain.findFirstOrThrow({ where: { projectId } })
    await deleteDomain(ctx, { id: domain.id })
    for (const contact of await world.db.prisma.contact.findMany({ where: { projectId } })) await deleteContact(ctx, { id: contact.id })
    const again = keyed(ctx, 'order')
    expect(await sendEmail(again, draft)).toEqual(first)
    expect(again.answer.replayed).toBe(true)
    await expect(sendEmail(keyed(ctx, 'new'), draft)).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' })
  })

  test('after a crash between the work and the answer comes from the next process', async () => {
    const { ctx } = await freshProject(world)
    const first = await trackEvent(keyed(ctx, 'k'), paid)
    const again = keyed(elsewhere(ctx), 'k')
    expect(await trackEvent(again, paid)).toEqual(first)
    expect(again.answer.replayed).toBe(true)
    expect(await eventsOf(ctx)).toBe(1)
  })
})

describe('an event that is recorded by its name', () => {
  test.each(['of nobody', 'of a contact'])('%s is recorded once per key', async (whose) => {
    const { ctx } = await freshProject(world)
    const contactId = whose === 'of nobody' ? undefined : (await trackEvent(ctx, { email: 'ada@example.com', event: 'came' })).contact
    const draft = { name: 'paid', data: { total: 5 }, ...(contactId && { contactId }) }
    const before = await eventsOf(ctx)
    const first = await recordEvent(keyed(ctx, 'k'), draft)
    const again = keyed(elsewhere(ctx), 'k')
    expect(await recordEvent(again, draft)).toEqual(first)
    expect(again.answer.replayed).toBe(true)
    await expect(recordEvent(keyed(ctx, 'k', 'other'), draft)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_MISMATCH' })
    expect(await eventsOf(ctx)).toBe(before + 1)
  })

  test('with an unusable key, or of an unknown contact, is not recorded and frees the key', async () => {
    const { ctx } = await freshProject(world)
    await expect(recordEvent(keyed(ctx, ''), { name: 'paid' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(recordEvent(keyed(ctx, 'k'), { name: 'paid', contactId: 'cnt_x' })).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' })
    expect(await eventsOf(ctx)).toBe(0)
    await recordEvent(keyed(ctx, 'k'), { name: 'paid' })
    expect(await eventsOf(ctx)).toBe(1)
  })
})

describe('equal calls at once', () => {
  test('of which one waits for a locked contact: the others are refused, in another process they wait for its answer', async () => {
    const { ctx, projectId } = await freshProject(world)
    await trackEvent(ctx, paid)
    const change = { ...paid, data: { plan: 'pro' } }
    const { here, there } = await world.db.transaction(async (tx) => {
      await tx.run(holdContacts, [projectId])
      const here = trackEvent(keyed(ctx, 'k'), change)
      const there = trackEvent(keyed(elsewhere(ctx), 'k'), change)
      await until(async () => (await world.db.run(waiting, []))[0]?.count === 2)
      await expect(trackEvent(keyed(ctx, 'k'), change)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_PROGRESS' })
      return { here, there }
    })
    expect(await here).toEqual(await there)
    expect(await eventsOf(ctx)).toBe(2)
  })

  test('of two processes do the work once for every key, also in groups', async () => {
    const { ctx } = await sendingProject(world)
    const draft = SendDraft.parse({ to: 'ada@example.com', from: 'hello@demo.test', subject: 'Hi', body: 'Hi' })
    const calls = Array.from({ length: 60 }, (_, at) => {
      const on = keyed(at % 2 === 0 ? ctx : elsewhere(ctx), `key ${Math.floor(at / 4)}`)
      return sendEmail(on, draft)
    })
    const results = await Promise.allSettled(calls)
    expect(codesOf(results).filter((code) => code !== 'IDEMPOTENCY_KEY_IN_PROGRESS')).toEqual([])
    const answers = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value.emails[0]?.email] : []))
    expect(new Set(answers).size).toBe(15)
    expect(await world.db.prisma.email.count({ where: { projectId: ctx.projectId } })).toBe(15)
  })

  test('with one key for different bodies in two processes: one is done, the other refused', async () => {
    const { ctx } = await freshProject(world)
    const calls = Array.from({ length: 10 }, (_, at) => {
      const [one, two] = [keyed(ctx, `key ${at}`, 'one'), keyed(elsewhere(ctx), `key ${at}`, 'two')]
      return [trackEvent(one, paid), trackEvent(two, { ...paid, event: 'left' })]
    })
    const results = await Promise.allSettled(calls.flat())
    expect(codesOf(results)).toEqual(Array.from({ length: 10 }, () => 'IDEMPOTENCY_KEY_MISMATCH'))
    expect(await eventsOf(ctx)).toBe(10)
  })
})

test('calls with keys are written in groups, like those without', async () => {
  const { ctx } = await freshProject(world)
  const track = (_: unknown, at: number) => trackEvent(keyed(ctx, `k${at}`), { ...paid, email: `user${at}@example.com` })
  // Not what works in the background.
  const { queries } = await queriesOf(() => Promise.all(Array.from({ length: 50 }, track)), /insert into idempotency_keys/)
  expect(queries).toBe(1)
  expect(await eventsOf(ctx)).toBe(50)
})

test('the public and the secret key have keys of their own', async () => {
  const { ctx, projectId } = await freshProject(world)
  const publicCtx = callIn(world, { projectId, actor: { kind: 'key', key: 'PUBLIC', projectDisabled: false } })
  const bySecret = await trackEvent(keyed(ctx, 'k'), paid)
  const byPublic = await trackEvent(keyed(publicCtx, 'k', 'other'), paid)
  expect(byPublic.event).not.toBe(bySecret.event)
  expect(await trackEvent(keyed(publicCtx, 'k', 'other'), paid)).toEqual(byPublic)
  expect(await trackEvent(keyed(ctx, 'k'), paid)).toEqual(bySecret)
  expect(await eventsOf(ctx)).toBe(2)
})

test('a call that is refused frees its key', async () => {
  const { ctx } = await freshProject(world)
  await expect(trackEvent(keyed(ctx, 'k'), { email: 'ada@example.com', event: 'email.sent' })).rejects.toMatchObject({ status: 422 })
  await trackEvent(keyed(ctx, 'k', 'other'), paid)
  expect(await eventsOf(ctx)).toBe(1)
})

const holdContacts = statement<object>('test_hold_contacts', 'select 1 from contacts where project_id = $1 for update')
const waiting = statement<{ count: number }>(
  'test_waiting',
  `select count(*)::int as count from pg_stat_activity
   where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into contacts%'`,
  { allProjects: 'asks for the connections of the database' },
)
