import { expect, test } from 'vitest'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { createSegment } from '../../../src/modules/segments/segments.ts'
import { asker } from '../../help/ask.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer()

// Every connection, at the root and inside of objects.
const counts = '{ totalCount }'
const ends = '{ pageInfo { hasNextPage endCursor } }'
const cursors = '{ edges { cursor } }'
const connections: Record<string, (asked: string) => string> = {
  contacts: (asked) => `contacts(first: 1) ${asked}`,
  'Contact.events': (asked) => `contacts { nodes { events(first: 1) ${asked} } }`,
  'Contact.emails': (asked) => `contacts { nodes { emails(first: 1) ${asked} } }`,
  'Contact.segments': (asked) => `contacts { nodes { segments(first: 1) ${asked} } }`,
  events: (asked) => `events(first: 1) ${asked}`,
  emails: (asked) => `emails(first: 1) ${asked}`,
  templates: (asked) => `templates(first: 1) ${asked}`,
  segments: (asked) => `segments(first: 1) ${asked}`,
  'Segment.contacts': (asked) => `segments { nodes { contacts(first: 1) ${asked} } }`,
  jobs: (asked) => `jobs(first: 1) ${asked}`,
  suppressions: (asked) => `suppressions(first: 1) ${asked}`,
  domains: (asked) => `domains(first: 1) ${asked}`,
  uploads: (asked) => `uploads(first: 1) ${asked}`,
  activity: (asked) => `activity(first: 1) ${asked}`,
  'Contact.events of one contact': (asked) => `node(id: "ID") { ... on Contact { events(first: 1) ${asked} } }`,
  'ContactFieldUsage.segments': (asked) => `contactFields { nodes { usage { segments(first: 1) ${asked} } } }`,
  contactFields: (asked) => `contactFields(first: 1) ${asked}`,
  'EventUsage.segments': (asked) => `eventUsage(name: "paid") { segments(first: 1) ${asked} }`,
}

test.each(Object.entries(connections).flatMap(([name, query]) => [counts, ends, cursors].map((asked) => [name, asked, query(asked)])))(
  '%s answers %s without nodes',
  async (_name, _asked, query) => {
    const { ctx, secret } = await freshProject(world)
    const { id } = await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro' }, subscribed: false })
    await upsertContact(ctx, { email: 'ada@example.com', subscribed: true })
    await createSegment(ctx, { name: 'Pro', condition: { field: 'data.plan', operator: 'equals', value: 'pro' } })
    expect((await asker(url, secret)(`query { ${query.replace('ID', id)} }`)).errors).toEqual([])
  },
)

test('a nested connection counts without its nodes', async () => {
  const { ctx, secret } = await freshProject(world)
  for (const subscribed of [true, false, true]) await upsertContact(ctx, { email: 'ada@example.com', subscribed })
  const { data } = await asker(
    url,
    secret,
  )('query { contacts { nodes { events(first: 1) { totalCount pageInfo { hasNextPage } edges { cursor } } } } }')
  const events = { totalCount: 2, pageInfo: { hasNextPage: true }, edges: [{ cursor: expect.any(String) }] }
  expect(data).toEqual({ contacts: { nodes: [{ events }] } })
})
