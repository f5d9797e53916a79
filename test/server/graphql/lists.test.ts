import { beforeEach, describe, expect, test } from 'vitest'
import { deleteContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { recordEvent, trackEvent } from '../../../src/modules/contacts/track.ts'
import { createDomain } from '../../../src/modules/domains/domains.ts'
import { sendEmail } from '../../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../../src/modules/emails/accept/shapes.ts'
import { listEmails } from '../../../src/modules/emails/emails.ts'
import { deleteEventName } from '../../../src/modules/events/events.ts'
import { createTemplate } from '../../../src/modules/templates/templates.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/gql.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, url, world } = await testServer()

const Lists = graphql(`
  query Lists($contacts: ContactFilter, $events: EventFilter, $activity: ActivityFilter, $templates: TemplateFilter) {
    contacts(filter: $contacts) { totalCount nodes { id } }
    events(filter: $events) { totalCount nodes { id } }
    activity(filter: $activity) { totalCount nodes { id } }
    templates(filter: $templates) { totalCount nodes { id } }
  }
`)
const Emails = graphql(`query Emails($filter: EmailFilter) { emails(filter: $filter) { totalCount nodes { id subject } } }`)
const EventsOf = graphql(`
  query EventsOf($first: Int, $after: String) {
    contacts { nodes { events(first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor } nodes { name } } } }
  }
`)

let project: Awaited<ReturnType<typeof freshProject>>
let ask: ReturnType<typeof asker>

beforeEach(async () => {
  project = await freshProject(world)
  ask = asker(url, project.secret)
  await createDomain(project.ctx, { domain: 'acme.test' })
})

type EmailSearch = { contactId?: string; status?: 'PENDING' | 'SENT' }

const minute = 60_000
const draft = { subject: 'Hi', body: '<p></p>', from: 'a@acme.test' }

async function send(...to: string[]) {
  return (await sendEmail(project.ctx, SendDraft.parse({ ...draft, to: to.map((email) => ({ email })) }))).emails
}

/** Expects the same answer for a list over REST and GraphQL; returns its total. */
async function both(path: string, list: 'contacts' | 'events' | 'activity' | 'templates', filter: object) {
  const { data } = await ask(Lists, { [list]: filter })
  const { body } = await call(`GET ${path}`, undefined, { key: project.secret })
  const rest = { totalCount: body.total, nodes: body.data.map(({ id }: { id: string }) => ({ id })) }
  expect(data?.[list]).toEqual(rest)
  return rest.totalCount as number
}

describe('a list is the same over REST and GraphQL', () => {
  test('contacts', async () => {
    for (const email of ['a_b@example.com', 'axb@example.com']) await upsertContact(project.ctx, { email })
    await upsertContact(project.ctx, { email: 'off@example.com', subscribed: false })
    expect(await both('/contacts', 'contacts', {})).toBe(3)
    expect(await both('/contacts?search=A_B', 'contacts', { search: 'A_B' })).toBe(1)
    expect(await both('/contacts?search=%20', 'contacts', { search: ' ' })).toBe(3)
    expect(await both('/contacts?subscribed=false&search=example', 'contacts', { subscribed: false, search: 'example' })).toBe(1)
  })

  test('events and activity', async () => {
    const { contact } = await trackEvent(project.ctx, { email: 'ada@example.com', event: 'first' })
    world.clock.turn(minute)
    const between = world.clock.now().toISOString()
    world.clock.turn(minute)
    await trackEvent(project.ctx, { email: 'bob@example.com', event: 'second' })
    const range = (ahead: number) => new Date(world.clock.now().getTime() + ahead).toISOString()
    // The domain of the project is an event as well: project.changed.
    expect(await both('/events', 'events', {})).toBe(3)
    expect(await both('/events?eventName=first', 'events', { name: 'first' })).toBe(1)
    expect(await both(`/events?contactId=${contact}&from=${between}`, 'events', { contactId: contact, createdFrom: between })).toBe(0)
    expect(await both(`/events?from=${between}&to=${range(1)}`, 'events', { createdFrom: between, createdTo: range(1) })).toBe(1)
    expect(await both(`/events?to=${range(0)}`, 'events', { createdTo: range(0) })).toBe(2)
    expect(await both('/activity?types=event.triggered', 'activity', { types: ['EVENT_TRIGGERED'] })).toBe(3)
    expect(await both(`/activity?startDate=${between}`, 'activity', { from: between })).toBe(1)
    expect(await both(`/activity?endDate=${between}&types=email.sent`, 'activity', { to: between, types: ['EMAIL_SENT'] })).toBe(0)
  })

  test('templates', async () => {
    await createTemplate(project.ctx, { ...draft, name: '50% off', type: 'TRANSACTIONAL' })
    await createTemplate(project.ctx, { ...draft, name: '50 of them' })
    expect(await both('/templates?search=50%25', 'templates', { search: '50%' })).toBe(1)
    expect(await both('/templates?type=MARKETING', 'templates', { type: 'MARKETING' })).toBe(1)
  })

  test('mails', async () => {
    const mails = await send('ada@example.com', 'bob@example.com')
    const contactId = mails[0]?.contact.id ?? ''
    for (const { status, ...of } of [{}, { contactId }, { status: 'PENDING' }, { status: 'SENT', contactId }] satisfies EmailSearch[]) {
      const page = await listEmails(project.ctx, { limit: 20, ...of, ...(status && { status }) })
      const answer = (await ask(Emails, { filter: { ...of, ...(status && { statuses: [status] }) } })).data?.emails
      expect([answer?.totalCount, answer?.nodes.map(({ id }) => id)]).toEqual([page.total, page.data.map(({ id }) => id)])
    }
  })
})

describe('a filter', () => {
  test('may contain null, which counts as omitted', async () => {
    await upsertContact(project.ctx, { email: 'ada@example.com' })
    expect((await ask(Lists, { contacts: { search: null, subscribed: null }, events: null })).data?.contacts.totalCount).toBe(1)
  })

  test('that is not valid is refused, naming the field', async () => {
    const { errors } = await ask(Lists, { templates: { search: 'x\0' } })
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'templates.search' }] })
  })
})

describe('what is being erased', () => {
  test('is no longer an email, an event or a node', async () => {
    const mails = await send('ada@example.com')
    const { contact, event } = await trackEvent(project.ctx, { email: 'ada@example.com', event: 'seen' })
    const email = mails[0]?.email ?? ''
    const nodes = () => ask<{ nodes: unknown[] }>('query($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: [contact, event, email] })
    expect((await nodes()).data?.nodes).toEqual([{ id: contact }, { id: event }, { id: email }])
    await deleteContact(project.ctx, { id: contact })
    expect((await nodes()).data?.nodes).toEqual([null, null, null])
    expect((await ask(Emails, {})).data?.emails).toEqual({ totalCount: 0, nodes: [] })
    expect((await ask(Emails, { filter: { contactId: contact } })).data?.emails).toEqual({ totalCount: 0, nodes: [] })
  })

  test('is missing from the events of a contact, whose cursors still work', async () => {
    const { contact } = await trackEvent(project.ctx, { email: 'ada@example.com', event: 'kept' })
    for (let n = 0; n < 3; n++) await recordEvent(project.ctx, { name: 'gone', contactId: contact })
    await deleteEventName(project.ctx, { eventName: 'gone' })
    await recordEvent(project.ctx, { name: 'gone', contactId: contact })
    const page = async (after?: string | null) =>
      (await ask(EventsOf, { first: 2, ...(after && { after }) })).data?.contacts.nodes[0]?.events
    const first = await page()
    expect(first).toMatchObject({ totalCount: 2, nodes: [{ name: 'gone' }], pageInfo: { hasNextPage: true } })
    const second = await page(first?.pageInfo.endCursor)
    expect(second).toMatchObject({ nodes: [], pageInfo: { hasNextPage: true } })
    expect(await page(second?.pageInfo.endCursor)).toMatchObject({ nodes: [{ name: 'kept' }], pageInfo: { hasNextPage: false } })
  })
})
