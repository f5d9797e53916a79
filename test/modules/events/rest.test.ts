import { describe, expect, test } from 'vitest'
import { countWholeLog } from '../../help/counted.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, world } = await testServer()
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const eventId = expect.stringMatching(/^evt_/)

async function project() {
  const { secret: key, ctx, projectId } = await freshProject(world)
  const ask = (row: string, body?: object) => call(row, body, { key })
  const track = (event: string, email = 'ada@example.com') => ask('POST /events/track', { email, event })
  return { ask, track, ctx, projectId, events: () => world.db.prisma.event.findMany({ where: { projectId } }) }
}

describe('POST /events/track', () => {
  test('200 takes the body of /v1/track and answers as it does', async () => {
    const { ask, projectId, events } = await project()
    const { status, body } = await ask('POST /events/track', { email: 'Ada@Example.com', event: 'signed-up', data: { plan: 'pro' } })
    expect([status, body]).toEqual([
      200,
      { success: true, data: { contact: expect.stringMatching(/^cnt_/), event: eventId, timestamp: iso } },
    ])
    expect(await events()).toMatchObject([{ id: body.data.event, name: 'signed-up', contactId: body.data.contact, data: { plan: 'pro' } }])
    const contact = await world.db.prisma.contact.findFirstOrThrow({ where: { projectId } })
    expect(contact).toMatchObject({ id: body.data.contact, email: 'ada@example.com', data: { plan: 'pro' } })
  })

  test('201 takes a name with a contact, or with none, and answers the event', async () => {
    const { ask, track, events } = await project()
    const contactId = (await track('signed-up')).body.data.contact
    const paid = await ask('POST /events/track', { name: 'paid', contactId, data: { total: 5 } })
    expect([paid.status, paid.body]).toEqual([
      201,
      { id: eventId, name: 'paid', contactId, emailId: null, data: { total: 5 }, createdAt: iso },
    ])
    const deployed = await ask('POST /events/track', { name: 'deployed' })
    expect([deployed.status, deployed.body]).toEqual([
      201,
      { id: eventId, name: 'deployed', contactId: null, emailId: null, data: null, createdAt: iso },
    ])
    expect((await events()).map(({ name }) => name).sort()).toEqual(['deployed', 'paid', 'signed-up'])
  })

  test('422 for a name that the platform writes itself in both forms, 404 for a contact of nobody, and nothing is logged', async () => {
    const { ask, track, events } = await project()
    for (const refused of [await track('email.sent'), await ask('POST /events/track', { name: 'campaign.sent' })])
      expect([refused.status, refused.body.error.errors[0].code]).toEqual([422, 'reserved_event'])
    const unknown = await ask('POST /events/track', { name: 'paid', contactId: 'cnt_x' })
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'CONTACT_NOT_FOUND'])
    expect(await events()).toEqual([])
  })
})

describe('GET /events/stats', () => {
  test('200 counts by name, most frequent first, as a bare array; of some days with startDate and endDate', async () => {
    const { ask, track } = await project()
    for (const event of ['seen', 'paid', 'seen']) await track(event)
    await countWholeLog(world)
    const all = await ask('GET /events/stats')
    const counts = [
      { name: 'seen', count: 2 },
      { name: 'paid', count: 1 },
    ]
    expect([all.status, all.body]).toEqual([200, counts])
    const day = (days: number) => new Date(world.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)
    expect((await ask(`GET /events/stats?startDate=${day(0)}&endDate=${day(0)}`)).body).toEqual(counts)
    for (const none of [`startDate=${day(1)}`, `endDate=${day(-1)}`]) {
      const { status, body } = await ask(`GET /events/stats?${none}`)
      expect([status, body]).toEqual([200, []])
    }
    expect((await ask('GET /events/stats?startDate=soon')).status).toBe(400)
  })
})

describe('GET /events/names', () => {
  test('200 lists the names, most frequent first, under both keys; those of another project are not among them', async () => {
    const { ask, track } = await project()
    const other = await project()
    for (const event of ['seen', 'paid', 'paid']) await track(event)
    await other.track('theirs')
    await countWholeLog(world)
    const { status, body } = await ask('GET /events/names')
    expect([status, body]).toEqual([200, { eventNames: ['paid', 'seen'], data: ['paid', 'seen'] }])
  })
})

describe('DELETE /events/:eventName', () => {
  test('200 deletes every event of the name, which may have any characters, and of no other project', async () => {
    const { ask, track } = await project()
    const other = await project()
    const name = 'order placed/é'
    for (const event of [name, 'seen', name]) await track(event)
    await other.track(name)
    const first = await ask(`DELETE /events/${encodeURIComponent(name)}`)
    expect([first.status, first.body]).toEqual([200, { deletedCount: 2 }])
    const listed = async (asked: typeof ask) => (await asked('GET /events')).body.data.map((event: { name: string }) => event.name)
    expect([await listed(ask), await listed(other.ask)]).toEqual([['seen'], [name]])
    const again = await ask(`DELETE /events/${encodeURIComponent(name)}`)
    expect([again.status, again.body]).toEqual([200, { deletedCount: 0 }])
  })

  test('422 for a name that the platform writes itself, whose events stay', async () => {
    const { ask, track, ctx, events } = await project()
    const { contact } = (await track('seen')).body.data
    await ask(`PATCH /contacts/${contact}`, { subscribed: false })
    const { status, body } = await ask('DELETE /events/contact.unsubscribed')
    expect([status, body.error.errors]).toMatchObject([422, [{ field: 'eventName', code: 'reserved_event' }]])
    expect((await events()).map(({ name }) => name).sort()).toEqual(['contact.unsubscribed', 'seen'])
    expect(await ctx.db.prisma.eventErasure.count({ where: { projectId: ctx.projectId } })).toBe(0)
  })
})
