import { expect, test } from 'vitest'
import { deleteContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { recordEvent } from '../../../../src/modules/contacts/track.ts'
import { deleteEventName } from '../../../../src/modules/events/events.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/gql.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject } from '../../../help/world.ts'

const { call, url, world } = await testServer()
const Fields = graphql(
  `query WorkflowFields($eventName: String) { workflowFields(eventName: $eventName, first: 100) { totalCount nodes { field type category } } }`,
)

const standard = [
  { field: 'contact.createdAt', type: 'date', category: 'Contact Fields' },
  { field: 'contact.email', type: 'string', category: 'Contact Fields' },
  { field: 'contact.subscribed', type: 'boolean', category: 'Contact Fields' },
  { field: 'contact.updatedAt', type: 'date', category: 'Contact Fields' },
]
const byName = (one: { field: string }, other: { field: string }) => (one.field < other.field ? -1 : 1)

async function filled() {
  const project = await freshProject(world)
  const { ctx } = project
  await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro', seats: 3 } })
  await recordEvent(ctx, { name: 'order placed', data: { total: '12', coupon: 'x' } })
  await recordEvent(ctx, {
    name: 'order placed',
    data: { total: 12.5, paidAt: '2026-01-31T10:00:00Z', gift: true, lines: [1], note: null },
  })
  await recordEvent(ctx, { name: 'other', data: { secret: 1 } })
  const get = async (query = '') => (await call(`GET /workflows/fields${query}`, undefined, { key: project.secret })).body
  return { ...project, get }
}

test('GET /workflows/fields: 200 lists the fields of contacts with type and category, and those of an event with the type of its newest value', async () => {
  const { get } = await filled()
  const contacts = [
    ...standard,
    { field: 'contact.data.plan', type: 'string', category: 'Custom Data' },
    { field: 'contact.data.seats', type: 'number', category: 'Custom Data' },
  ].sort(byName)
  const plain = await get()
  expect({ ...plain, typedFields: plain.typedFields.toSorted(byName) }).toEqual({
    fields: plain.typedFields.map(({ field }: { field: string }) => field),
    typedFields: contacts,
    count: 6,
  })
  const { typedFields, fields, count } = await get('?eventName=order%20placed')
  expect(typedFields.filter(({ category }: { category: string }) => category === 'Event Data')).toEqual([
    { field: 'event.coupon', type: 'string', category: 'Event Data' },
    { field: 'event.gift', type: 'boolean', category: 'Event Data' },
    { field: 'event.lines', type: 'string', category: 'Event Data' },
    { field: 'event.paidAt', type: 'date', category: 'Event Data' },
    { field: 'event.total', type: 'number', category: 'Event Data' },
  ])
  expect([fields.length, count]).toEqual([11, 11])
})

test('what was deleted is not asked: events of a name, and those of a contact', async () => {
  const { ctx, get } = await filled()
  const { id } = await upsertContact(ctx, { email: 'bob@example.com' })
  await recordEvent(ctx, { name: 'order placed', contactId: id, data: { private: 1 } })
  await deleteContact(ctx, { id })
  expect((await get('?eventName=order%20placed')).fields).not.toContain('event.private')
  await deleteEventName(ctx, { eventName: 'order placed' })
  await recordEvent(ctx, { name: 'order placed', data: { later: 1 } })
  expect((await get('?eventName=order%20placed')).fields.filter((field: string) => field.startsWith('event.'))).toEqual(['event.later'])
})

test('workflowFields is the same list by name', async () => {
  const { secret, get } = await filled()
  const { data, errors } = await asker(url, secret)(Fields, { eventName: 'order placed' })
  const { typedFields } = await get('?eventName=order%20placed')
  const category = (text: string) => text.toUpperCase().replace(' ', '_')
  expect(errors).toEqual([])
  expect(data?.workflowFields).toEqual({
    totalCount: 11,
    nodes: typedFields.toSorted(byName).map((one: Record<'field' | 'type' | 'category', string>) => ({
      ...one,
      type: one.type.toUpperCase(),
      category: category(one.category),
    })),
  })
})
