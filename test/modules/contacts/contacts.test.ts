import { describe, expect, test } from 'vitest'
import { listContacts } from '../../../src/modules/contacts/audience/list.ts'
import { deleteContact, findContactData, getContact, updateContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { trackEvent } from '../../../src/modules/contacts/track.ts'
import { listEvents } from '../../../src/modules/events/events.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const eventNames = async (ctx: Parameters<typeof listEvents>[0]) => (await listEvents(ctx, { limit: 100 })).data.map(({ name }) => name)

describe('upsertContact', () => {
  test('creates a subscribed contact with empty data and logs nothing', async () => {
    const { ctx } = await freshProject(world)
    const made = await upsertContact(ctx, { email: 'ada@example.com' })
    expect(made).toMatchObject({
      id: expect.stringMatching(/^cnt_/),
      email: 'ada@example.com',
      subscribed: true,
      data: {},
      _meta: { isNew: true, isUpdate: false },
    })
    expect(await eventNames(ctx)).toEqual([])
  })

  test('updates the contact with the address: data is merged, the subscription stays', async () => {
    const { ctx } = await freshProject(world)
    const made = await upsertContact(ctx, { email: 'ada@example.com', subscribed: false, data: { plan: 'pro', seats: 3, gone: 'x' } })
    const updated = await upsertContact(ctx, { email: 'ada@example.com', data: { seats: 4, gone: null, empty: '' } })
    expect(updated).toMatchObject({
      id: made.id,
      subscribed: false,
      data: { plan: 'pro', seats: 4 },
      _meta: { isNew: false, isUpdate: true },
    })
    expect(updated.data).not.toHaveProperty('gone')
    expect(updated.data).not.toHaveProperty('empty')
  })

  test('replaces an object as a whole: the merge is shallow', async () => {
    const { ctx } = await freshProject(world)
    await upsertContact(ctx, { email: 'ada@example.com', data: { profile: { tier: 1, city: 'Bern' } } })
    expect((await upsertContact(ctx, { email: 'ada@example.com', data: { profile: { tier: 1 } } })).data).toEqual({ profile: { tier: 1 } })
  })

  test('logs a change of an existing contact’s subscription once, with its source', async () => {
    const { ctx } = await freshProject(world)
    await upsertContact(ctx, { email: 'ada@example.com' })
    await upsertContact(ctx, { email: 'ada@example.com', subscribed: false })
    await upsertContact(ctx, { email: 'ada@example.com', subscribed: false })
    const { data } = await listEvents(ctx, { limit: 10 })
    expect(data).toMatchObject([{ name: 'contact.unsubscribed', data: { source: 'api' } }])
  })

  test('fixes the type of a field when it is first seen and keeps it', async () => {
    const { ctx, projectId } = await freshProject(world)
    await upsertContact(ctx, { email: 'a@example.com', data: { seats: 3, born: '2001-01-01', once: { value: true, persistent: false } } })
    await upsertContact(ctx, { email: 'b@example.com', data: { seats: 'many' } })
    const fields = await world.db.prisma.contactField.findMany({ where: { projectId }, orderBy: { key: 'asc' } })
    expect(fields.map(({ key, type }) => [key, type])).toEqual([
      ['born', 'date'],
      ['seats', 'number'],
    ])
    expect((await listContacts(ctx, { limit: 1, search: 'b@' })).data[0]?.data).toEqual({ seats: 'many' })
  })

  test('loses none of many parallel patches to one contact, and creates it once', async () => {
    const { ctx } = await freshProject(world)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => upsertContact(ctx, { email: 'busy@example.com', data: { [`k${at}`]: at } })),
    )
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(answers.filter(({ _meta }) => _meta.isNew)).toHaveLength(1)
    expect(answers.filter(({ _meta }) => _meta.isUpdate)).toHaveLength(99)
    const { data, total } = await listContacts(ctx, { limit: 10 })
    expect(total).toBe(1)
    expect(Object.keys(data[0]?.data ?? {})).toHaveLength(100)
  })

  test('logs every change of the subscription by parallel calls, in order', async () => {
    const { ctx } = await freshProject(world)
    await upsertContact(ctx, { email: 'ada@example.com' })
    await Promise.all([false, true, false, false].map((subscribed) => upsertContact(ctx, { email: 'ada@example.com', subscribed })))
    expect((await eventNames(ctx)).reverse()).toEqual(['contact.unsubscribed', 'contact.subscribed', 'contact.unsubscribed'])
    expect((await listContacts(ctx, { limit: 1 })).data[0]?.subscribed).toBe(false)
  })

  test('keeps projects apart: the same address in another project is another contact', async () => {
    const one = await freshProject(world)
    const two = await freshProject(world)
    const [a, b] = await Promise.all(
      [one, two].map(({ ctx }) => upsertContact(ctx, { email: 'ada@example.com', data: { of: ctx.projectId } })),
    )
    expect(a?.id).not.toBe(b?.id)
    expect(a?.data).toEqual({ of: one.projectId })
    expect(b?.data).toEqual({ of: two.projectId })
  })
})

describe('updateContact', () => {
  test('changes what is sent and nothing else', async () => {
    const { ctx } = await freshProject(world)
    const made = await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro' } })
    const changed = await updateContact(ctx, { id: made.id, email: 'lovelace@example.com' })
    expect(changed).toMatchObject({ id: made.id, email: 'lovelace@example.com', subscribed: true, data: { plan: 'pro' } })
    expect(await eventNames(ctx)).toEqual([])
  })

  test('that changes nothing writes nothing: the time of the last change stays', async () => {
    const { ctx } = await freshProject(world)
    const { _meta, ...made } = await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro' } })
    world.clock.turn(1_000)
    const same = { email: made.email, subscribed: true, data: { plan: 'pro', gone: null } }
    for (const change of [{}, same]) expect(await updateContact(ctx, { id: made.id, ...change })).toEqual(made)
    expect((await getContact(ctx, { id: made.id })).updatedAt).toEqual(made.updatedAt)
    expect((await updateContact(ctx, { id: made.id, data: { plan: 'free' } })).updatedAt).toEqual(world.clock.now())
  })

  test('fails with CONFLICT when another contact has the address, and changes nothing', async () => {
    const { ctx } = await freshProject(world)
    const ada = await upsertContact(ctx, { email: 'ada@example.com' })
    await upsertContact(ctx, { email: 'bob@example.com' })
    await expect(updateContact(ctx, { id: ada.id, email: 'bob@example.com', subscribed: false })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await getContact(ctx, { id: ada.id })).toMatchObject({ email: 'ada@example.com', subscribed: true })
    expect(await eventNames(ctx)).toEqual([])
  })

  test('logs a change of the subscription', async () => {
    const { ctx } = await freshProject(world)
    const ada = await upsertContact(ctx, { email: 'ada@example.com' })
    await updateContact(ctx, { id: ada.id, subscribed: false })
    expect(await eventNames(ctx)).toEqual(['contact.unsubscribed'])
  })

  test('does not see a contact of another project', async () => {
    const { ctx } = await freshProject(world)
    const other = await freshProject(world)
    const ada = await upsertContact(ctx, { email: 'ada@example.com' })
    await expect(updateContact(other.ctx, { id: ada.id, subscribed: false })).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' })
    expect((await getContact(ctx, { id: ada.id })).subscribed).toBe(true)
  })
})

describe('deleteContact', () => {
  test('hides the contact and its events from all reads at once and frees the address', async () => {
    const { ctx } = await freshProject(world)
    const { contact: id } = await trackEvent(ctx, { email: 'ada@example.com', event: 'seen' })
    await trackEvent(ctx, { email: 'bob@example.com', event: 'seen' })
    await deleteContact(ctx, { id })
    await expect(getContact(ctx, { id })).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' })
    expect((await listContacts(ctx, { limit: 10 })).data.map(({ email }) => email)).toEqual(['bob@example.com'])
    expect((await listEvents(ctx, { limit: 10 })).data.map(({ contactId }) => contactId)).not.toContain(id)
    expect(await upsertContact(ctx, { email: 'ada@example.com' })).toMatchObject({ _meta: { isNew: true } })
  })

  test('fails with CONTACT_NOT_FOUND the second time', async () => {
    const { ctx } = await freshProject(world)
    const { id } = await upsertContact(ctx, { email: 'ada@example.com' })
    await deleteContact(ctx, { id })
    await expect(deleteContact(ctx, { id })).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' })
  })
})

test('findContactData reads nothing of a contact that was deleted since it was found', async () => {
  const { ctx } = await freshProject(world)
  const contact = await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro' } })
  const found = async () => JSON.stringify(await findContactData(ctx, { id: contact.id }))
  expect(await found()).toBe('{"plan": "pro"}'.replace(' ', ''))
  await deleteContact(ctx, contact)
  expect(await found()).toBe('{}')
})

describe('listContacts', () => {
  test('pages newest first without gaps or duplicates, and counts on the first page only', async () => {
    const { ctx } = await freshProject(world)
    for (let at = 0; at < 7; at++) await upsertContact(ctx, { email: `c${at}@example.com` })
    const first = await listContacts(ctx, { limit: 3 })
    const second = await listContacts(ctx, { limit: 3, cursor: first.cursor ?? '' })
    const third = await listContacts(ctx, { limit: 3, cursor: second.cursor ?? '' })
    expect([...first.data, ...second.data, ...third.data].map(({ email }) => email)).toEqual(
      [6, 5, 4, 3, 2, 1, 0].map((at) => `c${at}@example.com`),
    )
    expect([first.total, second.total, third.total]).toEqual([7, 0, 0])
    expect([first.hasMore, second.hasMore, third.hasMore]).toEqual([true, true, false])
    expect(third.cursor).toBeNull()
  })

  test('finds a part of an address in any case, and treats % and _ literally', async () => {
    const { ctx } = await freshProject(world)
    for (const email of ['a_b@example.com', 'axb@example.com', 'ada%@example.com']) await upsertContact(ctx, { email })
    const found = async (search: string) => (await listContacts(ctx, { limit: 10, search })).data.map(({ email }) => email).sort()
    expect(await found('A_B')).toEqual(['a_b@example.com'])
    expect(await found('%@')).toEqual(['ada%@example.com'])
    expect(await found('EXAMPLE')).toHaveLength(3)
    expect(await found('\\')).toEqual([])
  })

  test('refuses a forged cursor', async () => {
    const { ctx } = await freshProject(world)
    await expect(listContacts(ctx, { limit: 3, cursor: 'forged' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})
