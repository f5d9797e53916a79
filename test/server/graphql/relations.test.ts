import { createClient } from 'graphql-ws'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import WebSocket from 'ws'
import { deleteContact } from '../../../src/modules/contacts/contacts.ts'
import { createDomain } from '../../../src/modules/domains/domains.ts'
import { sendEmail } from '../../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../../src/modules/emails/accept/shapes.ts'
import { announceEvents } from '../../../src/modules/events/log.ts'
import { createTemplate, deleteTemplate } from '../../../src/modules/templates/templates.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/gql.ts'
import { logEvents } from '../../help/lines.ts'
import { fewestQueriesOf } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { freshProject, logSettled } from '../../help/world.ts'

// Objects lead to objects, for as many as a page holds at once.
const { url, world } = await testServer({ running: true })

const Feed = graphql(`
  query Feed($first: Int) {
    activity(first: $first) {
      nodes {
        type
        contactId
        contact { email subscribed }
        email { subject template { name } contact { email } }
        event { name contact { email } email { status template { name } } }
      }
    }
  }
`)
const Mails = graphql(`
  query EmailsWithRelations($first: Int) {
    emails(first: $first) { nodes { template { name usage { emailsSent } } contact { email } events { name contact { email } email { id } } } }
  }
`)
const Log = graphql(
  `query Log($first: Int) { events(first: $first) { nodes { name contactId contact { email } emailId email { to template { name } } } } }`,
)
const Send = graphql(`
  mutation SendToMany($input: SendEmailInput!) {
    sendEmail(input: $input) { emails { contactId contact { email } emailId email { status template { name } } } }
  }
`)

const many = 12
const few = 3

async function filled() {
  const { ctx, secret, projectId } = await freshProject(world)
  await createDomain(ctx, { domain: 'acme.test' })
  const template = await createTemplate(ctx, {
    name: 'Hello',
    subject: 'Hi',
    body: '<p>Hi</p>',
    from: 'hi@acme.test',
    type: 'TRANSACTIONAL',
  })
  const to = Array.from({ length: many }, (_, at) => ({ email: `p${at}@example.com` }))
  const { emails } = await sendEmail(ctx, SendDraft.parse({ to, template: template.id }))
  const lines = emails.map(({ contact, email }) => ({ name: 'email.open', contactId: contact.id, emailId: email }))
  await logEvents(world, projectId, lines)
  return { ctx, projectId, secret, template, emails, to, ask: asker(url, secret) }
}

let project: Awaited<ReturnType<typeof filled>>
beforeAll(async () => {
  project = await filled()
  // Whatever is counted must not count what is read once, such as who holds a key.
  await project.ask(Feed, { first: 1 })
})

describe('relations', () => {
  test('of the feed lead to contact, email and event, and through them to the template', async () => {
    const { data, errors } = await project.ask(Feed, { first: 1 })
    const { contact, email } = project.emails.at(-1) ?? {}
    expect(errors).toEqual([])
    expect(data?.activity.nodes).toEqual([
      {
        type: 'EMAIL_OPENED',
        contactId: contact?.id,
        contact: { email: contact?.email, subscribed: false },
        email: { subject: 'Hi', template: { name: 'Hello' }, contact: { email: contact?.email } },
        event: { name: 'email.open', contact: { email: contact?.email }, email: { status: 'PENDING', template: { name: 'Hello' } } },
      },
    ])
    const log = await project.ask(Log, { first: 1 })
    expect(log.data?.events.nodes).toEqual([
      {
        name: 'email.open',
        contactId: contact?.id,
        contact: { email: contact?.email },
        emailId: email,
        email: { to: contact?.email, template: { name: 'Hello' } },
      },
    ])
  })

  test.each([
    ['the feed', Feed, 8],
    ['mails', Mails, 8],
    // Which lines, the lines, their contacts, their emails, the templates of those.
    ['the log', Log, 5],
  ] as const)('of %s cost queries by depth, not by rows', async (_name, document, most) => {
    const ofFew = await fewestQueriesOf(() => project.ask(document.toString(), { first: few }))
    const ofMany = await fewestQueriesOf(() => project.ask(document.toString(), { first: many }))
    expect([ofFew.reply.errors, ofMany.reply.errors]).toEqual([[], []])
    const [list] = Object.values(ofMany.reply.data ?? {}) as { nodes: unknown[] }[]
    expect(list?.nodes).toHaveLength(many)
    expect(ofMany.queries).toBeLessThanOrEqual(ofFew.queries)
    expect(ofMany.queries).toBeLessThanOrEqual(most)
  })

  test('of sent emails cost queries by depth, not by recipients', async () => {
    const to = (count: number) => ({ input: { to: project.to.slice(0, count), templateId: project.template.id } })
    const ofFew = await fewestQueriesOf(() => project.ask(Send, to(few)))
    const ofMany = await fewestQueriesOf(() => project.ask(Send, to(many)))
    expect(ofMany.reply.data?.sendEmail.emails).toHaveLength(many)
    expect(ofMany.reply.data?.sendEmail.emails.at(-1)).toMatchObject({
      contact: { email: `p${many - 1}@example.com` },
      email: { status: 'PENDING', template: { name: 'Hello' } },
    })
    expect(ofMany.queries).toBeLessThanOrEqual(ofFew.queries)
  })

  test('of the live stream are resolved as it happens', async () => {
    const { ctx, projectId, secret, emails } = await filled()
    await logSettled(world)
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${secret}` },
    })
    onTestFinished(() => client.dispose())
    const query = 'subscription { activity { type contact { email } email { template { name } } event { name contact { email } } } }'
    const live = client.iterate({ query })
    const first = live.next()
    await until(async () => ((await world.metrics.subscribers.get()).values[0]?.value ?? 0) === 1)
    const { contact, email } = emails[0] ?? { contact: { id: '', email: '' }, email: '' }
    await logEvents(world, projectId, [{ name: 'email.click', contactId: contact.id, emailId: email }])
    announceEvents(ctx, projectId)
    expect((await first).value?.data).toEqual({
      activity: {
        type: 'EMAIL_CLICKED',
        contact: { email: contact.email },
        email: { template: { name: 'Hello' } },
        event: { name: 'email.click', contact: { email: contact.email } },
      },
    })
  })

  test('are null once the object is gone, where the id stays', async () => {
    const { ctx, template, emails, ask } = await filled()
    await deleteTemplate(ctx, template)
    const log = await ask(Log, { first: 1 })
    expect(log.data?.events.nodes[0]?.email).toEqual({ to: emails.at(-1)?.contact.email, template: null })
    const input = {
      to: [{ email: 'gone@example.com' }],
      from: { email: 'hi@acme.test' },
      subject: 'Hi',
      body: '<p></p>',
      idempotencyKey: 'k',
    }
    const [sent] = (await ask(Send, { input })).data?.sendEmail.emails ?? []
    expect(sent?.contact).toEqual({ email: 'gone@example.com' })
    await deleteContact(ctx, { id: sent?.contactId ?? '' })
    const [again] = (await ask(Send, { input })).data?.sendEmail.emails ?? []
    expect(again).toEqual({ contactId: sent?.contactId, contact: null, emailId: sent?.emailId, email: null })
  })
})
