import { describe, expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { getContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { recordEvent, trackEvent } from '../../../src/modules/contacts/track.ts'
import { listEvents } from '../../../src/modules/events/events.ts'
import { TrackedEventName } from '../../../src/modules/events/shapes.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const byPublicKey = (projectId: string) => callIn(world, { projectId, actor: { kind: 'key', key: 'PUBLIC', projectDisabled: false } })

describe('trackEvent', () => {
  test('creates a subscribed contact, merges data and logs the event with the values unwrapped', async () => {
    const { ctx } = await freshProject(world)
    const tracked = await trackEvent(ctx, {
      email: 'ada@example.com',
      event: 'bought',
      data: { plan: 'pro', order: { value: 7, persistent: false }, none: null },
    })
    expect(tracked).toEqual({
      contact: expect.stringMatching(/^cnt_/),
      event: expect.stringMatching(/^evt_/),
      timestamp: world.clock.now(),
    })
    expect(await getContact(ctx, { id: tracked.contact })).toMatchObject({ subscribed: true, data: { plan: 'pro' } })
    expect((await listEvents(ctx, { limit: 5 })).data).toEqual([
      {
        id: tracked.event,
        name: 'bought',
        contactId: tracked.contact,
        emailId: null,
        data: { plan: 'pro', order: 7 },
        createdAt: world.clock.now(),
      },
    ])
  })

  test('writes nothing to a contact that does not change', async () => {
    const { ctx } = await freshProject(world)
    const { id, updatedAt } = await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro' } })
    world.clock.turn(1_000)
    await trackEvent(ctx, { email: 'ada@example.com', event: 'seen', data: { plan: 'pro' } })
    expect((await getContact(ctx, { id })).updatedAt).toEqual(updatedAt)
  })

  test('changes the subscription with the secret key and logs it', async () => {
    const { ctx } = await freshProject(world)
    await upsertContact(ctx, { email: 'ada@example.com' })
    await trackEvent(ctx, { email: 'ada@example.com', event: 'left', subscribed: false })
    const names = (await listEvents(ctx, { limit: 5 })).data.map(({ name, data }) => [name, data])
    expect(names).toContainEqual(['contact.unsubscribed', { source: 'track' }])
  })

  test('lets the public key choose the subscription of new contacts only', async () => {
    const { ctx, projectId } = await freshProject(world)
    const { id } = await upsertContact(ctx, { email: 'ada@example.com', subscribed: false })
    await trackEvent(byPublicKey(projectId), { email: 'ada@example.com', event: 'seen', subscribed: true })
    expect((await getContact(ctx, { id })).subscribed).toBe(false)
    const fresh = await trackEvent(byPublicKey(projectId), { email: 'bob@example.com', event: 'seen', subscribed: false })
    expect((await getContact(ctx, { id: fresh.contact })).subscribed).toBe(false)
  })

  test('refuses names of events that the platform writes itself, and writes nothing', async () => {
    const { ctx, projectId } = await freshProject(world)
    await expect(trackEvent(ctx, { email: 'ada@example.com', event: 'email.sent' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'event', code: 'reserved_event' }],
    })
    expect(await world.db.prisma.contact.count({ where: { projectId } })).toBe(0)
  })

  test.each(['Project.Changed', 'email.sent ', ' EMAIL.sent', '\u00a0Contact.Unsubscribed', 'contact.subscribed  ', 'Segment.vip.ENTRY '])(
    'refuses "%s", which people would read as such a name, and its published pattern does too',
    async (event) => {
      const { ctx, projectId } = await freshProject(world)
      const refusal = { code: 'VALIDATION_ERROR', errors: [{ code: 'reserved_event' }] }
      await expect(trackEvent(ctx, { email: 'ada@example.com', event })).rejects.toMatchObject(refusal)
      await expect(recordEvent(ctx, { name: event })).rejects.toMatchObject(refusal)
      expect(await world.db.prisma.event.count({ where: { projectId } })).toBe(0)
      const { pattern } = TrackedEventName.meta() as { pattern: string }
      expect(new RegExp(pattern).test(event)).toBe(false)
      for (const free of ['Project.Changes', 'emails.sent', 'my email.sent', 'contact.subscribed.twice'])
        expect(new RegExp(pattern).test(free)).toBe(true)
    },
  )
})

describe('recordEvent', () => {
  test('accepts the form of /v1/track', async () => {
    const { ctx } = await freshProject(world)
    expect(await recordEvent(ctx, { email: 'ada@example.com', event: 'seen' })).toMatchObject({
      success: true,
      data: { event: expect.any(String) },
    })
  })

  test('accepts a name and a contact id, and leaves the contact unchanged', async () => {
    const { ctx } = await freshProject(world)
    const { id } = await upsertContact(ctx, { email: 'ada@example.com' })
    expect(await recordEvent(ctx, { name: 'called', contactId: id, data: { minutes: 4 } })).toMatchObject({
      name: 'called',
      contactId: id,
      data: { minutes: 4 },
    })
    expect((await getContact(ctx, { id })).data).toEqual({})
  })

  test('fails with CONTACT_NOT_FOUND for a contact of another project', async () => {
    const { ctx } = await freshProject(world)
    const other = await freshProject(world)
    const { id } = await upsertContact(other.ctx, { email: 'ada@example.com' })
    await expect(recordEvent(ctx, { name: 'called', contactId: id })).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' })
    expect((await listEvents(ctx, { limit: 5 })).data).toEqual([])
  })
})
