import { describe, expect, test } from 'vitest'
import { deleteContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/gql.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, url, world } = await testServer()

// In the order of their creation.
const created = ['dora', 'ada', 'eve', 'bob', 'cleo'].map((name) => `${name}@example.com`)

async function projectWithContacts() {
  const project = await freshProject(world)
  for (const email of created) await upsertContact(project.ctx, { email, subscribed: email !== 'eve@example.com' })
  const list = async (query: string) => call(`GET /contacts?${query}`, undefined, { key: project.secret })
  return { ...project, list }
}

const orders: [string, string[]][] = [
  ['', created.toReversed()],
  ['sort=createdAt', created.toReversed()],
  ['dir=desc', created.toReversed()],
  ['sort=createdAt&dir=asc', created],
  ['sort=email', created.toSorted()],
  ['sort=email&dir=asc', created.toSorted()],
  ['sort=email&dir=desc', created.toSorted().reverse()],
]

describe('GET /contacts', () => {
  test.each(orders)('with "%s" pages through all contacts in that order, without gaps or duplicates', async (query, expected) => {
    const { list } = await projectWithContacts()
    const seen: string[] = []
    let cursor = ''
    for (let more = true; more; ) {
      const { status, body } = await list(`limit=2&${query}${cursor}`)
      expect([status, body.total]).toEqual([200, cursor === '' ? 5 : 0])
      seen.push(...body.data.map(({ email }: { email: string }) => email))
      more = body.hasMore
      cursor = `&cursor=${body.cursor}`
    }
    expect(seen).toEqual(expected)
  })

  test('orders what a search and a subscription select, and leaves out deleted contacts', async () => {
    const { list, ctx } = await projectWithContacts()
    const { id } = await upsertContact(ctx, { email: 'bob@example.com' })
    await deleteContact(ctx, { id })
    const { body } = await list('sort=email&search=example&subscribed=true&limit=2')
    expect(body).toMatchObject({ data: [{ email: 'ada@example.com' }, { email: 'cleo@example.com' }], total: 3, hasMore: true })
    const next = await list(`sort=email&search=example&subscribed=true&limit=2&cursor=${body.cursor}`)
    expect(next.body).toMatchObject({ data: [{ email: 'dora@example.com' }], hasMore: false, cursor: null })
  })

  test('400 for the cursor of another order, also of the other direction, and for a forged one', async () => {
    const { list } = await projectWithContacts()
    const cursors = new Map<string, string>()
    for (const query of ['sort=createdAt', 'sort=createdAt&dir=asc', 'sort=email', 'sort=email&dir=desc'])
      cursors.set(query, (await list(`${query}&limit=1`)).body.cursor)
    for (const query of cursors.keys()) {
      for (const [of, cursor] of cursors) {
        const { status, body } = await list(`${query}&cursor=${cursor}`)
        if (of === query) expect(status).toBe(200)
        else expect([status, body.message]).toEqual([400, 'The cursor is not one of this list in this order.'])
      }
    }
    const forged = Buffer.from('["email","asc","a\\u0000"]').toString('base64url')
    expect((await list(`sort=email&cursor=${forged}`)).status).toBe(400)
  })

  test.each(['sort=name', 'sort=', 'dir=down'])('400 for %s', async (query) => {
    const { list } = await projectWithContacts()
    const { status, body } = await list(query)
    expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
  })
})

describe('the connection contacts', () => {
  const query = graphql(`
    query Ordered($orderBy: ContactOrder, $first: Int, $after: String, $last: Int, $before: String) {
      contacts(orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) {
        nodes { email }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  `)

  test('takes orderBy, pages forwards and backwards in it, and refuses the cursor of another order', async () => {
    const { secret } = await projectWithContacts()
    const ask = asker(url, secret)
    const orderBy = { by: 'EMAIL' as const }
    const first = (await ask(query, { orderBy, first: 3 })).data?.contacts
    expect(first?.nodes.map(({ email }) => email)).toEqual(created.toSorted().slice(0, 3))
    const next = (await ask(query, { orderBy, first: 3, after: first?.pageInfo.endCursor ?? null })).data?.contacts
    expect(next?.nodes.map(({ email }) => email)).toEqual(created.toSorted().slice(3))
    const back = (await ask(query, { orderBy, last: 2, before: next?.pageInfo.startCursor ?? null })).data?.contacts
    expect(back?.nodes.map(({ email }) => email)).toEqual(created.toSorted().slice(1, 3))
    expect(back?.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true })
    const other = await ask(query, { orderBy: { by: 'EMAIL', direction: 'DESC' }, after: first?.pageInfo.endCursor ?? null })
    expect(other.errors[0]?.extensions.code).toBe('BAD_REQUEST')
  })

  test('without orderBy is newest first; oldest first on request', async () => {
    const { secret } = await projectWithContacts()
    const ask = asker(url, secret)
    expect((await ask(query, {})).data?.contacts.nodes.map(({ email }) => email)).toEqual(created.toReversed())
    const oldest = await ask(query, { orderBy: { by: 'CREATED_AT', direction: 'ASC' } })
    expect(oldest.data?.contacts.nodes.map(({ email }) => email)).toEqual(created)
  })
})
