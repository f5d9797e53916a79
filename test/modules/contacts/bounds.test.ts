import { describe, expect, test } from 'vitest'
import { type Ctx, callIn } from '../../../src/kit/context.ts'
import type { World } from '../../../src/kit/world.ts'
import { listContacts } from '../../../src/modules/contacts/audience/list.ts'
import { getContact, updateContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { trackEvent } from '../../../src/modules/contacts/track.ts'
import { sendEmail } from '../../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../../src/modules/emails/accept/shapes.ts'
import { listEvents } from '../../../src/modules/events/events.ts'
import { sendingProject } from '../../help/mails.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const other = await testWorld({ databaseUrl: world.databaseUrl })
const day = 24 * 3_600_000

const byPublicKey = (projectId: string, on: World = world) =>
  callIn(on, { projectId, actor: { kind: 'key', key: 'PUBLIC', projectDisabled: false } })
const keys = (count: number, prefix = 'k') => Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, at]))
const refused = (code: string) => ({ code: 'VALIDATION_ERROR', status: 422, errors: [{ field: 'data', code }] })
const fieldsOf = (projectId: string) => world.db.prisma.contactField.count({ where: { projectId } })
const track = (ctx: Ctx, data: object, email = 'ada@example.com') => trackEvent(ctx, { email, event: 'seen', data: data as never })
const send = (ctx: Ctx, data: object) =>
  sendEmail(ctx, SendDraft.parse({ to: 'ada@example.com', from: 'hello@demo.test', subject: 'Hi', body: 'Hi', data }))

describe('a contact', () => {
  test('holds at most 500 keys, on every path that merges data; a call beyond them changes nothing', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await upsertContact(ctx, { email: 'ada@example.com', data: keys(500) })
    const before = await getContact(ctx, { id })
    const events = await listEvents(ctx, { limit: 5 })
    world.clock.turn(1_000)
    const one = { extra: 'x', k0: 'changed' }
    const tooBig = refused('too_big')
    await expect(upsertContact(ctx, { email: 'ada@example.com', subscribed: false, data: one })).rejects.toMatchObject(tooBig)
    await expect(updateContact(ctx, { id, subscribed: false, data: one })).rejects.toMatchObject(tooBig)
    await expect(track(ctx, one)).rejects.toMatchObject(tooBig)
    await expect(send(ctx, one)).rejects.toMatchObject(tooBig)
    expect(await getContact(ctx, { id })).toEqual(before)
    expect(await fieldsOf(projectId)).toBe(500)
    expect(await listEvents(ctx, { limit: 5 })).toEqual(events)
    expect(await world.db.prisma.email.count({ where: { projectId } })).toBe(0)
  })

  test('with 500 keys can change them, and replace one by another', async () => {
    const { ctx } = await freshProject(world)
    await upsertContact(ctx, { email: 'ada@example.com', data: keys(500) })
    const { data } = await upsertContact(ctx, { email: 'ada@example.com', data: { k0: null, k1: 'changed', extra: 'x' } })
    expect(Object.keys(data)).toHaveLength(500)
    expect(data).toMatchObject({ k1: 'changed', extra: 'x' })
  })

  test('holds at most 128 KB as JSON, of one call and of several together', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const whole = 'x'.repeat(128 * 1024 - JSON.stringify({ text: '' }).length)
    const { id } = await upsertContact(ctx, { email: 'ada@example.com', data: { text: whole } })
    const more = { more: 'y'.repeat(2_000) }
    const tooBig = refused('too_big')
    await expect(upsertContact(ctx, { email: 'bob@example.com', data: { text: `${whole}12345678` } })).rejects.toMatchObject(tooBig)
    await expect(upsertContact(ctx, { email: 'ada@example.com', data: more })).rejects.toMatchObject(tooBig)
    await expect(updateContact(ctx, { id, data: more })).rejects.toMatchObject(tooBig)
    await expect(track(ctx, more)).rejects.toMatchObject(tooBig)
    await expect(send(ctx, more)).rejects.toMatchObject(tooBig)
    expect((await getContact(ctx, { id })).data).toEqual({ text: whole })
    expect(await world.db.prisma.contact.count({ where: { projectId } })).toBe(1)
    expect(await fieldsOf(projectId)).toBe(1)
  })

  test('that small numbers would fill beyond 128 KB is full as well', async () => {
    const { ctx } = await freshProject(world)
    const data = { numbers: Array.from({ length: 1_000 }, () => 1e308) }
    await expect(upsertContact(ctx, { email: 'ada@example.com', data })).rejects.toMatchObject(refused('too_big'))
  })

  test('takes what is not stored in any size', async () => {
    const { ctx } = await freshProject(world)
    const value = 'x'.repeat(500_000)
    const { contact } = await track(ctx, { text: { value, persistent: false } })
    expect((await getContact(ctx, { id: contact })).data).toEqual({})
  })

  test('that is full makes only its own calls fail, also in a group with others', async () => {
    const { ctx } = await freshProject(world)
    await upsertContact(ctx, { email: 'full@example.com', data: keys(500) })
    const calls = Array.from({ length: 40 }, (_, at) => track(ctx, { k0: at, [`k${at}`]: 1 }, `user${at}@example.com`))
    const full = track(ctx, { extra: 'x' }, 'full@example.com')
    await expect(full).rejects.toMatchObject(refused('too_big'))
    await Promise.all(calls)
    expect((await listContacts(ctx, { limit: 1 })).total).toBe(41)
  })
})

describe('a project', () => {
  test('has at most 2,000 custom fields; calls with known fields go on', async () => {
    const { ctx, projectId } = await sendingProject(world)
    for (let at = 0; at < 4; at++) await upsertContact(ctx, { email: `user${at}@example.com`, data: keys(499, `u${at}.`) })
    await upsertContact(ctx, { email: 'ada@example.com', data: keys(3) })
    const { id } = await upsertContact(ctx, { email: 'ada@example.com', data: keys(1, 'last') })
    expect(await fieldsOf(projectId)).toBe(2_000)
    const tooMany = refused('too_many_fields')
    await expect(upsertContact(ctx, { email: 'bob@example.com', data: { extra: 1 } })).rejects.toMatchObject(tooMany)
    await expect(updateContact(ctx, { id, subscribed: false, data: { extra: 1 } })).rejects.toMatchObject(tooMany)
    await expect(track(ctx, { extra: 1 })).rejects.toMatchObject(tooMany)
    await expect(send(ctx, { extra: 1 })).rejects.toMatchObject(tooMany)
    expect(await getContact(ctx, { id })).toMatchObject({ subscribed: true, data: { ...keys(3), last0: 0 } })
    expect(await fieldsOf(projectId)).toBe(2_000)
    await track(ctx, { k0: 'known' }, 'bob@example.com')
  })

  test('has exactly 2,000 of parallel calls in two processes', async () => {
    const { ctx, projectId } = await freshProject(world)
    for (let at = 0; at < 4; at++) await upsertContact(ctx, { email: `user${at}@example.com`, data: keys(495, `u${at}.`) })
    const calls = Array.from({ length: 60 }, (_, at) => {
      const on = at % 2 === 0 ? ctx : { ...ctx, world: other, db: other.db }
      return track(on, { [`new${at}`]: 1 }, `new${at}@example.com`)
    })
    const results = await Promise.allSettled(calls)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    expect(await fieldsOf(projectId)).toBe(2_000)
    expect((await listContacts(ctx, { limit: 1 })).total).toBe(24)
  })

  test('takes 100 new fields a day from the public key, of parallel calls too; the secret key adds more', async () => {
    const { ctx, projectId } = await freshProject(world)
    const publicCtx = byPublicKey(projectId)
    const calls = Array.from({ length: 130 }, (_, at) => track(publicCtx, { [`new${at}`]: 1 }, `new${at}@example.com`))
    const results = await Promise.allSettled(calls)
    const reasons = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.errors[0].code] : []))
    expect(reasons).toEqual(Array.from({ length: 30 }, () => 'too_many_fields'))
    expect(await fieldsOf(projectId)).toBe(100)
    // Which of them were taken is chance.
    const taken = results.findIndex(({ status }) => status === 'fulfilled')
    await track(publicCtx, { [`new${taken}`]: 2 }, 'known@example.com')
    await track(ctx, { more: 1 }, 'secret@example.com')
    await expect(track(publicCtx, { another: 1 })).rejects.toThrow(/100 custom fields a day/)
    world.clock.turn(day)
    await track(publicCtx, { another: 1 })
    expect(await fieldsOf(projectId)).toBe(102)
  })

  test('takes 1,000 fields from the public key; the secret key adds more', async () => {
    const { ctx, projectId } = await freshProject(world)
    const publicCtx = byPublicKey(projectId)
    for (let at = 0; at < 10; at++) {
      await track(publicCtx, keys(100, `day${at}.`), `day${at}@example.com`)
      world.clock.turn(day)
    }
    await expect(track(publicCtx, { extra: 1 })).rejects.toThrow(/has added 1,000/)
    await track(ctx, { extra: 1 })
    expect(await fieldsOf(projectId)).toBe(1_001)
  })
})
