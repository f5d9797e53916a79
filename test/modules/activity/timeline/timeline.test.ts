import { expect, test } from 'vitest'
import { updateContact } from '../../../../src/modules/contacts/contacts.ts'
import { recordComplaint, recordDelivered, recordTransientBounce } from '../../../../src/modules/emails/feedback/record.ts'
import { recordEngaged } from '../../../../src/modules/emails/tracking/record.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/gql.ts'
import { accept, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { fewestQueriesOf } from '../../../help/queries.ts'
import { testServer } from '../../../help/server.ts'

const { world, url } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const person = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15'

const read = graphql(`
  query EmailTimelines {
    emails(first: 20) { nodes { events { id } timeline { id event { id } type timestamp reason bounceType link machine machineReason } } }
  }
`)

test('the timeline of an email says what happened to it with the facts by name; those of a page are one statement', async () => {
  const { ctx, secret, projectId } = await sendingProject(world)
  const { id } = await accept(ctx)
  await turnAndSweep(world, 1_000)
  const about = { email: { projectId, emailId: id }, at: world.clock.now(), recipients: [] }
  await recordTransientBounce(world, { ...about, reason: '452 Mailbox full', mailbox: true })
  await recordDelivered(world, about)
  world.clock.turn(5_000)
  await recordEngaged(world, { projectId, id, link: null, userAgent: person })
  world.clock.turn(5_000)
  await recordEngaged(world, { projectId, id, link: 'https://example.com/a', userAgent: 'Googlebot/2.1' })
  await accept(ctx, { to: 'bob@example.com' })
  const { reply, queries } = await fewestQueriesOf(() => asker(url, secret)(read), /events_read_events_of_emails|q\.email_id/)
  expect([reply.errors, queries]).toEqual([[], 1])
  const [bob, ada] = reply.data?.emails.nodes ?? []
  expect(bob?.timeline).toEqual([])
  const nothing = { reason: null, bounceType: null, link: null, machine: null, machineReason: null }
  const eventId = expect.stringMatching(/^evt_/)
  const facts = { id: eventId, event: { id: eventId }, timestamp: expect.stringMatching(/Z$/) }
  expect(ada?.timeline).toEqual([
    { ...nothing, ...facts, type: 'EMAIL_SENT' },
    { ...nothing, ...facts, type: 'EMAIL_BOUNCED', bounceType: 'TRANSIENT', reason: '452 Mailbox full' },
    { ...nothing, ...facts, type: 'EMAIL_DELIVERED' },
    { ...nothing, ...facts, type: 'EMAIL_OPENED', machine: false },
    { ...nothing, ...facts, type: 'EMAIL_CLICKED', link: 'https://example.com/a', machine: true, machineReason: expect.any(String) },
  ])
  expect(ada?.timeline.map((one) => one.id)).toEqual(ada?.events.map((one) => one.id))
})

const ends = graphql(`query EndOfTimeline { emails(first: 1) { nodes { opens events { name } timeline { type } eventsOmitted } } }`)

test('what happened after many opens is in the timeline: the last opens are left out, and counted', async () => {
  const { ctx, secret, projectId } = await sendingProject(world)
  const { id } = await accept(ctx)
  await turnAndSweep(world, 1_000)
  for (let n = 0; n < 110; n++) {
    world.clock.turn(1_000)
    await recordEngaged(world, { projectId, id, link: null, userAgent: person })
  }
  await recordComplaint(world, { email: { projectId, emailId: id }, at: world.clock.now(), recipients: [] })
  const { data, errors } = await asker(url, secret)(ends)
  expect(errors).toEqual([])
  const [email] = data?.emails.nodes ?? []
  const types = email?.timeline.map(({ type }) => type) ?? []
  expect([types.length, types[0], types.includes('EMAIL_COMPLAINT'), email?.events.length]).toEqual([100, 'EMAIL_SENT', true, 100])
  expect([email?.opens, email?.eventsOmitted]).toEqual([110, 110 - types.filter((type) => type === 'EMAIL_OPENED').length])
})

const feed = graphql(`query MetadataOfActivity { activity(first: 20) { nodes { type metadata } } }`)

test('the description of metadata lists the keys that activity has', async () => {
  const { ctx, secret, projectId } = await sendingProject(world)
  const { id, contactId } = await accept(ctx)
  await turnAndSweep(world, 1_000)
  const about = { email: { projectId, emailId: id }, at: world.clock.now(), recipients: [] }
  await recordTransientBounce(world, { ...about, reason: '452 Mailbox full', mailbox: true })
  await recordDelivered(world, about)
  await recordEngaged(world, { projectId, id, link: null, userAgent: person })
  await recordEngaged(world, { projectId, id, link: 'https://example.com/a', userAgent: person })
  await updateContact(ctx, { id: contactId, subscribed: true })
  const ask = asker(url, secret)
  const schema = await ask<{ __type: { fields: { name: string; description: string }[] } }>(
    '{ __type(name: "Activity") { fields { name description } } }',
  )
  const lines = schema.data?.__type.fields.find(({ name }) => name === 'metadata')?.description.split('\n') ?? []
  const nodes = (await ask(feed)).data?.activity.nodes ?? []
  expect(nodes).toHaveLength(6)
  for (const { type, metadata } of nodes) {
    const listed = lines.filter((line) => line.includes(type)).join('\n')
    expect([type, Object.keys(metadata as object).filter((key) => !listed.includes(`\`${key}\``))]).toEqual([type, []])
  }
})
