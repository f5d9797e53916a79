import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../src/kit/ids.ts'
import { createDomain } from '../../../src/modules/domains/domains.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/gql.ts'
import { fewestQueriesOf } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer()

const UpsertContact = graphql(
  `mutation Upsert($input: UpsertContactInput!) { upsertContact(input: $input) { created contact { id email subscribed data createdAt } } }`,
)
const GetContact = graphql(`query GetContact($id: ID!) { contact(id: $id) { id email } }`)
const GetNode = graphql(`query GetNode($id: ID!) { node(id: $id) { __typename id } }`)
const ListContacts = graphql(`
  query ListContacts($first: Int, $after: String, $last: Int, $before: String, $filter: ContactFilter) {
    contacts(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes { email }
    }
  }
`)
const SendEmail = graphql(`
  mutation Send($input: SendEmailInput!) {
    sendEmail(input: $input) { replayed emails { contact { email subscribed } email { id status subject source contact { id } events { name } } } }
  }
`)
const TrackEvent = graphql(
  `mutation Track($input: TrackEventInput!) { trackEvent(input: $input) { contact { email } event { id name data } } }`,
)
const Everything = graphql(`
  query Everything {
    contacts { nodes { email emails(first: 2) { totalCount nodes { subject contact { email } } } events(first: 2) { totalCount edges { cursor node { name email { id } contact { email } } } } } }
  }
`)
const CreateTemplate = graphql(
  `mutation CreateTemplate($input: CreateTemplateInput!) { createTemplate(input: $input) { template { id name type usage { emailsSent } } } }`,
)
const UpdateTemplate = graphql(
  `mutation UpdateTemplate($input: UpdateTemplateInput!) { updateTemplate(input: $input) { template { description subject } } }`,
)
const DeleteContact = graphql(`mutation DeleteContact($id: ID!) { deleteContact(input: { id: $id }) { deletedContactId } }`)
const RegenerateKeys = graphql(`mutation RegenerateKeys { regenerateKeys { keys { publicKey secretKey } } }`)

let project: Awaited<ReturnType<typeof freshProject>>
let ask: ReturnType<typeof asker>

beforeEach(async () => {
  project = await freshProject(world)
  ask = asker(url, project.secret)
})

async function upsert(email: string, data?: object): Promise<string> {
  const { data: answer } = await ask(UpsertContact, { input: { email, data } })
  return answer?.upsertContact.contact.id ?? ''
}

describe('contacts', () => {
  test('upsertContact creates, then updates, by address', async () => {
    const first = await ask(UpsertContact, { input: { email: ' Ada@Example.com ', data: { plan: 'pro', gone: null } } })
    expect(first.data?.upsertContact).toEqual({
      created: true,
      contact: {
        id: expect.stringMatching(/^cnt_/),
        email: 'ada@example.com',
        subscribed: true,
        data: { plan: 'pro' },
        createdAt: world.clock.now().toISOString(),
      },
    })
    const second = await ask(UpsertContact, { input: { email: 'ada@example.com', subscribed: false } })
    expect(second.data?.upsertContact).toMatchObject({
      created: false,
      contact: { id: first.data?.upsertContact.contact.id, subscribed: false },
    })
  })

  test('a broken rule is answered as REST answers it, and changes nothing', async () => {
    const { data, errors, headers } = await ask(UpsertContact, { input: { email: 'nobody', data: 'text' } })
    expect(data).toBeNull()
    expect(errors).toEqual([
      {
        message: expect.any(String),
        locations: expect.any(Array),
        path: ['upsertContact'],
        extensions: {
          code: 'VALIDATION_ERROR',
          statusCode: 422,
          requestId: headers.get('x-request-id'),
          errors: [
            { field: 'email', message: 'must be an email address such as ada@example.com', code: 'invalid_format' },
            { field: 'data', message: 'must be an object', code: 'invalid_type' },
          ],
          suggestion: expect.any(String),
        },
      },
    ])
    expect(await world.db.prisma.contact.count({ where: { projectId: project.projectId } })).toBe(0)
  })

  test('are listed by keyset in both directions, and counted when asked', async () => {
    for (const at of [1, 2, 3, 4, 5]) await upsert(`c${at}@example.com`)
    const emails = (reply: Awaited<ReturnType<typeof list>>) => reply?.nodes.map(({ email }) => email[1]).join('')
    const list = async (variables: Parameters<typeof ask<never, never>>[1] | object) => (await ask(ListContacts, variables)).data?.contacts
    const first = await list({ first: 2 })
    expect([emails(first), first?.totalCount, first?.pageInfo.hasNextPage, first?.pageInfo.hasPreviousPage]).toEqual(['54', 5, true, false])
    const second = await list({ first: 2, after: first?.pageInfo.endCursor })
    expect([emails(second), second?.pageInfo.hasPreviousPage]).toEqual(['32', true])
    const last = await list({ last: 2 })
    expect([emails(last), last?.pageInfo.hasPreviousPage, last?.pageInfo.hasNextPage]).toEqual(['21', true, false])
    expect(emails(await list({ last: 1, before: last?.pageInfo.startCursor }))).toBe('3')
    expect(emails(await list({ filter: { search: 'C3@' } }))).toBe('3')
    expect(emails(await list({ filter: { search: '%' } }))).toBe('')
  })

  test('a deleted contact is gone from every place, with its events', async () => {
    await ask(TrackEvent, { input: { email: 'ada@example.com', event: 'signed-up' } })
    const id = (await world.db.prisma.contact.findFirst({ where: { projectId: project.projectId } }))?.id ?? ''
    expect((await ask(DeleteContact, { id })).data).toEqual({ deleteContact: { deletedContactId: id } })
    const { data, errors } = await ask(GetContact, { id })
    expect(data).toEqual({ contact: null })
    expect((await ask(GetNode, { id })).data).toEqual({ node: null })
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['CONTACT_NOT_FOUND'])
    expect((await ask('{ events { totalCount nodes { id } } activity { nodes { id } } }')).data).toEqual({
      events: { totalCount: 0, nodes: [] },
      activity: { nodes: [] },
    })
  })
})

describe('mail', () => {
  beforeEach(() => createDomain(project.ctx, { domain: 'acme.test' }))
  const input = {
    to: [{ email: 'ada@example.com', name: 'Ada' }, { email: 'bob@example.com' }],
    from: { email: 'hello@acme.test' },
    subject: 'Hi',
    body: '<p>Hi</p>',
  }

  test('sendEmail answers contacts and emails, once for an idempotency key', async () => {
    const first = await ask(SendEmail, { input: { ...input, idempotencyKey: 'once' } })
    expect(first.data?.sendEmail.emails[0]).toMatchObject({
      contact: { email: 'ada@example.com', subscribed: false },
      email: { status: 'PENDING', subject: 'Hi', source: 'TRANSACTIONAL' },
    })
    const again = await ask(SendEmail, { input: { ...input, idempotencyKey: 'once' } })
    expect(again.data?.sendEmail).toEqual({ ...first.data?.sendEmail, replayed: true })
    const other = await ask(SendEmail, { input: { ...input, subject: 'Other', idempotencyKey: 'once' } })
    expect(other.errors[0]?.extensions.code).toBe('IDEMPOTENCY_KEY_MISMATCH')
    expect(await world.db.prisma.email.count({ where: { projectId: project.projectId } })).toBe(2)
  })

  test('the Idempotency-Key header says the same', async () => {
    await ask(SendEmail, { input }, { 'idempotency-key': 'header' })
    const again = await ask(SendEmail, { input }, { 'idempotency-key': 'header' })
    expect([again.data?.sendEmail.replayed, again.headers.get('idempotency-replayed')]).toEqual([true, 'true'])
  })

  test('a mutation that takes no key is not done with the Idempotency-Key header; queries and introspection pass', async () => {
    const create = 'mutation { createSegment(input: { name: "Once", type: STATIC }) { segment { id } } }'
    const { status, data, errors } = await ask(create, {}, { 'idempotency-key': 'none' })
    expect([status, data]).toEqual([400, null])
    expect(errors).toMatchObject([
      {
        message: 'createSegment takes no Idempotency-Key, so it was not done.',
        extensions: { code: 'BAD_REQUEST', suggestion: expect.stringMatching(/: sendEmail, trackEvent\.$/) },
      },
    ])
    const query = '{ __typename segments(first: 10) { totalCount } }'
    expect((await ask(query, {}, { 'idempotency-key': 'none' })).data).toMatchObject({ segments: { totalCount: 0 } })
    expect((await ask('mutation { __typename }', {}, { 'idempotency-key': 'none' })).errors).toEqual([])
  })

  test('the Idempotency-Key header is for one mutation: with several, none is done', async () => {
    const event = 'trackEvent(input: { email: "twice@example.com", event: "seen" }) { eventId }'
    const both = await ask(`mutation { one: ${event} two: ${event} }`, {}, { 'idempotency-key': 'two' })
    expect([both.status, both.errors[0]?.extensions.code]).toEqual([400, 'BAD_REQUEST'])
    expect(await world.db.prisma.contact.count({ where: { projectId: project.projectId, email: 'twice@example.com' } })).toBe(0)
    expect((await ask(`mutation { ${event} __typename }`, {}, { 'idempotency-key': 'two' })).errors).toEqual([])
  })

  test('an unverified sender is refused', async () => {
    const { errors } = await ask(SendEmail, { input: { ...input, from: { email: 'hello@other.test' } } })
    expect(errors[0]?.extensions).toMatchObject({ code: 'DOMAIN_NOT_VERIFIED', statusCode: 403 })
  })

  test('templates take null to empty a field, and leave out to keep it', async () => {
    const made = await ask(CreateTemplate, {
      input: { subject: 'Hi', body: '<p></p>', from: 'hello@acme.test', description: 'For people', type: 'TRANSACTIONAL' },
    })
    const id = made.data?.createTemplate.template.id ?? ''
    expect(made.data?.createTemplate.template).toEqual({
      id: expect.stringMatching(/^tpl_/),
      name: 'Hi',
      type: 'TRANSACTIONAL',
      usage: { emailsSent: 0 },
    })
    expect((await ask(UpdateTemplate, { input: { id, subject: 'Hello' } })).data?.updateTemplate.template).toEqual({
      description: 'For people',
      subject: 'Hello',
    })
    expect((await ask(UpdateTemplate, { input: { id, description: null, subject: null } })).data?.updateTemplate.template).toEqual({
      description: null,
      subject: 'Hello',
    })
  })
})

describe('nested lists', () => {
  test('cost queries by depth, not by rows', async () => {
    await createDomain(project.ctx, { domain: 'acme.test' })
    const people = Array.from({ length: 12 }, (_, at) => ({ email: `p${at}@example.com` }))
    await ask(SendEmail, { input: { to: people, from: { email: 'a@acme.test' }, subject: 'Hi', body: '<p></p>' } })
    for (const { email } of people) await ask(TrackEvent, { input: { email, event: 'seen' } })
    const counted = await fewestQueriesOf(() => ask(Everything))
    expect(counted.reply.data?.contacts.nodes).toHaveLength(12)
    expect(counted.reply.data?.contacts.nodes[0]).toMatchObject({
      emails: { totalCount: 1, nodes: [{ subject: 'Hi' }] },
      events: { totalCount: 1, edges: [{ node: { name: 'seen' } }] },
    })
    expect(counted.queries).toBeLessThanOrEqual(6)
  })
})

describe('other projects', () => {
  test('are not visible by any id', async () => {
    const id = await upsert('ada@example.com')
    const stranger = asker(url, (await freshProject(world)).secret)
    const { data, errors } = await stranger(GetContact, { id })
    expect(data).toEqual({ contact: null })
    expect((await stranger(GetNode, { id })).data).toEqual({ node: null })
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['CONTACT_NOT_FOUND'])
    expect((await stranger(DeleteContact, { id })).errors[0]?.extensions.code).toBe('CONTACT_NOT_FOUND')
    expect((await stranger(`{ nodes(ids: ["${id}", "${project.projectId}"]) { id } }`)).data).toEqual({ nodes: [null, null] })
    expect(
      (
        await stranger(
          `{ events(filter: { contactId: "${id}" }) { nodes { id } } emails(filter: { contactId: "${id}" }) { nodes { id } }
            activity(filter: { contactId: "${id}" }) { nodes { id } } }`,
        )
      ).data,
    ).toEqual({
      events: { nodes: [] },
      emails: { nodes: [] },
      activity: { nodes: [] },
    })
    expect((await ask(GetContact, { id })).data?.contact).toEqual({ id, email: 'ada@example.com' })
  })

  test.each(['nonsense', 'usr_00000000000000000000000000'])('an id that is none (%s) is null as well', async (id) => {
    expect(await ask(`{ node(id: "${id}") { id } }`)).toMatchObject({ data: { node: null }, errors: [] })
  })

  test('a known kind of id that names nothing is null', async () => {
    const ids = (['contact', 'email', 'event', 'template'] as const).map((kind) => newId(kind, new Date()))
    expect((await ask('query($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids })).data).toEqual({ nodes: [null, null, null, null] })
  })
})

describe('keys', () => {
  test('a public key is refused with 401 INVALID_API_KEY', async () => {
    const { status, errors } = await asker(url, project.public)('{ project { id } }')
    expect([status, errors[0]?.extensions.code]).toEqual([401, 'INVALID_API_KEY'])
  })

  test('no key is refused with 401 MISSING_AUTH, but may look at the schema outside production', async () => {
    const nobody = asker(url)
    const { status, errors } = await nobody('{ project { id } }')
    expect([status, errors[0]?.extensions.code]).toEqual([401, 'MISSING_AUTH'])
    expect((await nobody('{ __schema { queryType { name } } }')).data).toEqual({ __schema: { queryType: { name: 'Query' } } })
    expect((await nobody('{ __typename ...Hidden } fragment Hidden on Query { project { id } }')).status).toBe(401)
  })

  test('rotated keys end at once', async () => {
    const { data } = await ask(RegenerateKeys)
    expect((await ask('{ project { id } }')).status).toBe(401)
    expect((await asker(url, data?.regenerateKeys.keys.secretKey ?? undefined)('{ project { id } }')).data).toEqual({
      project: { id: project.projectId },
    })
  })

  test('a suspended project can be read but not changed', async () => {
    await world.db.prisma.project.update({ where: { id: project.projectId }, data: { disabled: true } })
    const { status, errors } = await ask(UpsertContact, { input: { email: 'ada@example.com' } })
    expect([status, errors[0]?.extensions.code]).toEqual([403, 'PROJECT_DISABLED'])
    expect((await ask('{ project { disabled } }')).data).toEqual({ project: { disabled: true } })
  })
})
