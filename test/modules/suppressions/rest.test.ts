import { describe, expect, test } from 'vitest'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { suppressAddress } from '../../../src/modules/suppressions/suppressions.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/gql.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, url, world } = await testServer()

async function projectWithCalls() {
  const project = await freshProject(world)
  const as = { key: project.secret }
  return {
    ...project,
    add: (emails: unknown, reason?: string) => call('POST /suppressions', { emails, reason }, as),
    list: (query = '') => call(`GET /suppressions?${query}`, undefined, as),
    remove: (email: string) => call(`DELETE /suppressions/${encodeURIComponent(email)}`, undefined, as),
  }
}

const emailsOf = ({ body }: { body: { data: { email: string }[] } }) => body.data.map(({ email }) => email)

describe('POST /suppressions', () => {
  test('200 puts addresses on the list, in any spelling, and says how many were there', async () => {
    const { add, list } = await projectWithCalls()
    expect(await add(['Bob@Example.com', 'ada@xn--bcher-kva.example', 'bob@example.com'])).toMatchObject({
      status: 200,
      body: { added: 2, alreadyThere: 0 },
    })
    expect((await add(['bob@example.com', 'eve@example.com'])).body).toEqual({ added: 1, alreadyThere: 1 })
    const { body } = await list()
    expect(body).toEqual({
      data: ['ada@bücher.example', 'bob@example.com', 'eve@example.com'].map((email) => ({
        email,
        reason: 'MANUAL',
        source: 'API',
        emailId: null,
        since: expect.any(String),
      })),
      cursor: null,
      hasMore: false,
      total: 3,
    })
  })

  test('a stronger reason replaces a weaker one, never the reverse', async () => {
    const { add, list, ctx } = await projectWithCalls()
    const reason = async () => (await list()).body.data[0].reason
    const reasons = ['UNSUBSCRIBED', 'MANUAL', 'BOUNCE', 'COMPLAINT']
    for (const each of reasons) {
      await add(['ada@example.com'], each)
      expect(await reason()).toBe(each)
    }
    for (const each of reasons) expect((await add(['ada@example.com'], each)).body).toEqual({ added: 0, alreadyThere: 1 })
    await suppressAddress(ctx, { email: 'ada@example.com', reason: 'BOUNCE' })
    expect(await reason()).toBe('COMPLAINT')
  })

  test('leaves the contact subscribed as it was', async () => {
    const { add, ctx } = await projectWithCalls()
    await upsertContact(ctx, { email: 'ada@example.com' })
    await add(['ada@example.com'])
    expect(await upsertContact(ctx, { email: 'ada@example.com' })).toMatchObject({ subscribed: true })
  })

  test.each([
    ['no addresses', [], undefined, 'emails'],
    ['1,001 addresses', Array.from({ length: 1_001 }, (_, at) => `c${at}@example.com`), undefined, 'emails'],
    ['what is not an address', ['ada@example.com', 'ada'], undefined, 'emails.1'],
    ['an unknown reason', ['ada@example.com'], 'SPITE', 'reason'],
  ])('422 for %s, and nothing is added', async (_what, emails, reason, field) => {
    const { add, list } = await projectWithCalls()
    const { status, body } = await add(emails, reason)
    expect([status, body.error.errors[0].field]).toEqual([422, field])
    expect((await list()).body.total).toBe(0)
  })
})

describe('GET /suppressions', () => {
  test('pages by address, filtered by a part of it and by reason', async () => {
    const { add, list } = await projectWithCalls()
    await add(['bob@example.com', 'ada@example.com', 'a_a@example.org'])
    await add(['eve@example.com'], 'UNSUBSCRIBED')
    const first = await list('limit=3')
    expect([emailsOf(first), first.body.total, first.body.hasMore]).toEqual([
      ['a_a@example.org', 'ada@example.com', 'bob@example.com'],
      4,
      true,
    ])
    const next = await list(`limit=3&cursor=${first.body.cursor}`)
    expect([emailsOf(next), next.body.cursor]).toEqual([['eve@example.com'], null])
    expect(emailsOf(await list('reason=UNSUBSCRIBED'))).toEqual(['eve@example.com'])
    expect(emailsOf(await list('search=A_'))).toEqual(['a_a@example.org'])
    expect((await list('search=example.com&reason=MANUAL')).body.total).toBe(2)
  })

  test('400 for an unknown reason and for a forged cursor', async () => {
    const { list } = await projectWithCalls()
    expect((await list('reason=SPITE')).status).toBe(400)
    expect((await list('cursor=forged')).status).toBe(400)
  })

  test('shows nothing of another project', async () => {
    await (await projectWithCalls()).add(['ada@example.com'])
    expect((await (await projectWithCalls()).list()).body).toMatchObject({ data: [], total: 0 })
  })
})

describe('DELETE /suppressions/:email', () => {
  test('204 takes an address off the list, in any spelling; 404 the second time and for what is not an address', async () => {
    const { add, list, remove } = await projectWithCalls()
    await add(['ada@bücher.example', 'bob@example.com'])
    expect((await remove('ADA@xn--bcher-kva.example')).status).toBe(204)
    expect(emailsOf(await list())).toEqual(['bob@example.com'])
    expect((await remove('ada@bücher.example')).body.error.code).toBe('RESOURCE_NOT_FOUND')
    expect((await remove('bob')).status).toBe(404)
  })

  test('does not touch the list of another project', async () => {
    const ours = await projectWithCalls()
    await ours.add(['ada@example.com'])
    expect((await (await projectWithCalls()).remove('ada@example.com')).status).toBe(404)
    expect((await ours.list()).body.total).toBe(1)
  })
})

describe('GraphQL', () => {
  test('suppresses, lists, shows it on the contact, and takes it off the list', async () => {
    const { ctx, secret } = await freshProject(world)
    const ask = asker(url, secret)
    const { id } = await upsertContact(ctx, { email: 'ada@example.com' })
    await upsertContact(ctx, { email: 'eve@example.com' })
    const suppress = graphql(`
      mutation Suppress($input: SuppressAddressesInput!) { suppressAddresses(input: $input) { added alreadyThere suppressions { email reason } } }
    `)
    const added = await ask(suppress, { input: { emails: ['ADA@example.com', 'bob@example.com'], reason: 'BOUNCE' } })
    expect(added.data?.suppressAddresses).toEqual({
      added: 2,
      alreadyThere: 0,
      suppressions: [
        { email: 'ada@example.com', reason: 'BOUNCE' },
        { email: 'bob@example.com', reason: 'BOUNCE' },
      ],
    })
    const list = graphql(`
      query Suppressed($id: ID!, $filter: SuppressionFilter, $after: String) {
        contact(id: $id) { suppression { reason } }
        contacts(orderBy: { by: EMAIL }) { nodes { suppression { email } } }
        suppressions(filter: $filter, first: 1, after: $after) {
          totalCount
          nodes { email reason source emailId since contact { id } causedBy { id } }
          pageInfo { hasNextPage endCursor }
        }
      }
    `)
    const { data } = await ask(list, { id, filter: { reasons: ['BOUNCE'] } })
    expect(data?.contact?.suppression).toEqual({ reason: 'BOUNCE' })
    expect(data?.contacts.nodes).toEqual([{ suppression: { email: 'ada@example.com' } }, { suppression: null }])
    expect(data?.suppressions).toMatchObject({
      totalCount: 2,
      nodes: [{ email: 'ada@example.com', reason: 'BOUNCE', source: 'API', emailId: null, contact: { id }, causedBy: null }],
      pageInfo: { hasNextPage: true },
    })
    const next = await ask(list, { id, after: data?.suppressions.pageInfo.endCursor ?? null })
    expect(next.data?.suppressions.nodes).toMatchObject([{ email: 'bob@example.com', contact: null }])
    const remove = graphql(`
      mutation Unsuppress($input: DeleteSuppressionInput!) { deleteSuppression(input: $input) { deletedEmail } }
    `)
    expect((await ask(remove, { input: { email: 'bob@example.com' } })).data?.deleteSuppression).toEqual({
      deletedEmail: 'bob@example.com',
    })
    expect((await ask(remove, { input: { email: 'bob@example.com' } })).errors[0]?.extensions.code).toBe('RESOURCE_NOT_FOUND')
  })
})
