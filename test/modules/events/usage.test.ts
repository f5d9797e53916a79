import { describe, expect, test } from 'vitest'
import { createCampaign } from '../../../src/modules/campaigns/changes.ts'
import { deleteContact } from '../../../src/modules/contacts/contacts.ts'
import { trackEvent } from '../../../src/modules/contacts/track.ts'
import { createDomain } from '../../../src/modules/domains/domains.ts'
import { deleteEventName } from '../../../src/modules/events/events.ts'
import { createSegment } from '../../../src/modules/segments/segments.ts'
import { asker } from '../../help/ask.ts'
import { countWholeLog, summariseWholeLog } from '../../help/counted.ts'
import { graphql } from '../../help/graphql/gql.ts'
import { logEvents } from '../../help/lines.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const UsageOfEvent = graphql(`
  query UsageOfEvent($name: String!) {
    eventUsage(name: $name) { name totalCount uniqueContacts isUsed segments(first: 5) { totalCount nodes { name } } campaigns(first: 5) { totalCount nodes { name } } }
  }
`)
const { call, url, world } = await testServer()

async function filled() {
  const project = await freshProject(world)
  const { ctx, secret: key } = project
  const track = (email: string, event = 'paid') => trackEvent(ctx, { email, event })
  const { contact } = await track('ada@example.com')
  await track('ada@example.com')
  await track('bob@example.com')
  await track('bob@example.com', 'seen')
  await countWholeLog(world)
  await summariseWholeLog(world)
  const usage = async (name: string) => (await call(`GET /events/${encodeURIComponent(name)}/usage`, undefined, { key })).body
  return { ...project, contact, track, usage }
}

describe('GET /events/:eventName/usage', () => {
  test.each(['contact', 'names', 'stats', 'usage'])('of an event named %s, which is a word of other paths', async (name) => {
    const { track, usage } = await filled()
    await track('ada@example.com', name)
    expect(await usage(name)).toMatchObject({ totalCount: 1, canDelete: true })
  })

  test('200 counts how often it happened and to how many contacts, also before the log is counted', async () => {
    const { track, usage } = await filled()
    const paid = { usedInSegments: [], usedInCampaigns: [], usedInWorkflows: [], totalCount: 3, uniqueContacts: 2, canDelete: true }
    expect(await usage('paid')).toEqual(paid)
    await track('eve@example.com')
    expect(await usage('paid')).toEqual({ ...paid, totalCount: 4 })
    await summariseWholeLog(world)
    expect(await usage('paid')).toEqual({ ...paid, totalCount: 4, uniqueContacts: 3 })
    expect(await usage('never/happened')).toEqual({ ...paid, totalCount: 0, uniqueContacts: 0 })
  })

  test('lists the segments whose conditions ask for it, newest first, and then it cannot be deleted', async () => {
    const { ctx, usage } = await filled()
    const condition = { field: 'event.paid', operator: 'triggered' } as const
    const one = await createSegment(ctx, { name: 'Paid', condition })
    const filters = [{ field: 'event.seen', operator: 'notTriggered' } as const, condition]
    const two = await createSegment(ctx, { name: 'Both', condition: { logic: 'OR', groups: [{ filters }] } })
    await createSegment(ctx, { name: 'Data', condition: { field: 'data.paid', operator: 'exists' } })
    const named = ({ id, name }: { id: string; name: string }) => ({ id, name })
    expect(await usage('paid')).toMatchObject({ usedInSegments: [named(two), named(one)], canDelete: false })
    expect(await usage('seen')).toMatchObject({ usedInSegments: [named(two)], canDelete: false })
  })

  test('lists the campaigns whose audience asks for it, and then it cannot be deleted, in GraphQL as well', async () => {
    const { ctx, secret, usage } = await filled()
    const audienceFilter = { field: 'event.paid', operator: 'triggered' } as const
    const draft = { subject: 'Thanks', body: '<p>Hi</p>', from: 'hello@demo.test', audienceType: 'FILTERED', audienceFilter } as const
    await createDomain(ctx, { domain: 'demo.test' })
    const { id } = await createCampaign(ctx, { name: 'Thanks', ...draft } as unknown as Parameters<typeof createCampaign>[1])
    expect(await usage('paid')).toMatchObject({ usedInSegments: [], usedInCampaigns: [{ id, name: 'Thanks' }], canDelete: false })
    expect(await usage('seen')).toMatchObject({ usedInCampaigns: [], canDelete: true })
    const { data } = await asker(url, secret)(UsageOfEvent, { name: 'paid' })
    expect(data?.eventUsage).toMatchObject({ isUsed: true, campaigns: { totalCount: 1, nodes: [{ name: 'Thanks' }] } })
  })

  test('counts neither the events of a deleted contact nor those of a deleted name', async () => {
    const { ctx, contact, track, usage } = await filled()
    await deleteContact(ctx, { id: contact })
    expect(await usage('paid')).toMatchObject({ totalCount: 1, canDelete: true })
    await deleteEventName(ctx, { eventName: 'paid' })
    expect(await usage('paid')).toMatchObject({ totalCount: 0, uniqueContacts: 0 })
    world.clock.turn(1_000)
    await track('bob@example.com')
    await summariseWholeLog(world)
    expect(await usage('paid')).toMatchObject({ totalCount: 1, canDelete: true })
  })

  test('finds conditions on an activity of emails by the name of its lines, in every spelling', async () => {
    const { ctx, projectId, contact, usage } = await filled()
    const spellings = {
      'email.sent': ['email.sent'],
      'email.delivery': ['email.delivered', 'email.delivery'],
      'email.open': ['email.open', 'email.opened', 'event.email.open', 'event.email.opened'],
      'email.click': ['email.click', 'email.clicked'],
      'email.bounce': ['email.bounce', 'email.bounced'],
      'email.complaint': ['email.complained', 'email.complaint'],
    }
    for (const field of Object.values(spellings).flat())
      await createSegment(ctx, { name: field, condition: { field, operator: 'triggered' } })
    const lines = Object.keys(spellings).map((name) => ({ name, contactId: contact, data: {} }))
    await logEvents(world, projectId, lines)
    await summariseWholeLog(world)
    for (const [line, fields] of Object.entries(spellings)) {
      const { usedInSegments, totalCount, uniqueContacts } = await usage(line)
      expect([line, usedInSegments.map(({ name }: { name: string }) => name).sort()]).toEqual([line, fields])
      expect([line, totalCount, uniqueContacts]).toEqual([line, 1, 1])
    }
  })

  test('an event that the platform writes itself cannot be deleted', async () => {
    const { usage } = await filled()
    expect((await usage('contact.unsubscribed')).canDelete).toBe(false)
  })

  test('shows nothing of another project', async () => {
    await filled()
    const { secret: key } = await freshProject(world)
    expect((await call('GET /events/paid/usage', undefined, { key })).body).toMatchObject({ totalCount: 0, uniqueContacts: 0 })
  })
})

test('the query eventUsage answers the same', async () => {
  const { ctx, secret } = await filled()
  await createSegment(ctx, { name: 'Paid', condition: { field: 'event.paid', operator: 'triggered' } })
  const { data, errors } = await asker(url, secret)(UsageOfEvent, { name: 'paid' })
  expect(errors).toEqual([])
  expect(data?.eventUsage).toEqual({
    name: 'paid',
    totalCount: 3,
    uniqueContacts: 2,
    isUsed: true,
    segments: { totalCount: 1, nodes: [{ name: 'Paid' }] },
    campaigns: { totalCount: 0, nodes: [] },
  })
})
