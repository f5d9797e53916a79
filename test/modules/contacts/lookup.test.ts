import { describe, expect, test } from 'vitest'
import { deleteContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { createSegment } from '../../../src/modules/segments/segments.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/gql.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, url, world } = await testServer()

async function projectWith(...emails: string[]) {
  const project = await freshProject(world)
  for (const email of emails) await upsertContact(project.ctx, { email })
  const lookup = (asked: unknown) => call('POST /contacts/lookup', { emails: asked }, { key: project.secret })
  return { ...project, lookup }
}

describe('POST /contacts/lookup', () => {
  test('200 says which addresses have a contact, in the caller’s spelling and order', async () => {
    const { lookup } = await projectWith('ada@example.com', 'eve@example.com')
    const { status, body } = await lookup([' Ada@Example.COM ', 'bob@example.com', 'eve@example.com', 'Bob@example.com'])
    expect(status).toBe(200)
    expect(body).toEqual({ found: [' Ada@Example.COM ', 'eve@example.com'], notFound: ['bob@example.com', 'Bob@example.com'] })
  })

  test('finds an international domain in its Unicode and its ASCII spelling', async () => {
    const { lookup } = await projectWith('ada@bücher.example')
    const spellings = ['ada@xn--bcher-kva.example', 'ada@BÜCHER.example']
    expect((await lookup(spellings)).body).toEqual({ found: spellings, notFound: [] })
  })

  test('does not find what is not an address, and returns a repeated spelling once', async () => {
    const { lookup } = await projectWith('ada@example.com')
    const { body } = await lookup(['ada', '', 'ada@example.com', '%@example.com', 'ada@example.com', 'ada'])
    expect(body).toEqual({ found: ['ada@example.com'], notFound: ['ada', '', '%@example.com'] })
  })

  test('does not find deleted contacts, also not by their id, nor those of another project', async () => {
    const { lookup, ctx } = await projectWith('ada@example.com', 'bob@example.com')
    await projectWith('eve@example.com')
    const { id } = await upsertContact(ctx, { email: 'ada@example.com' })
    await deleteContact(ctx, { id })
    expect((await lookup(['ada@example.com', id, 'eve@example.com', 'bob@example.com'])).body).toEqual({
      found: ['bob@example.com'],
      notFound: ['ada@example.com', id, 'eve@example.com'],
    })
  })

  test.each([
    ['no list', undefined],
    ['an empty list', []],
    ['501 addresses', Array.from({ length: 501 }, (_, at) => `c${at}@example.com`)],
    ['a number', [7]],
  ])('422 for %s', async (_what, emails) => {
    const { lookup } = await projectWith()
    const { status, body } = await lookup(emails)
    expect([status, body.error.code, body.error.errors[0].field]).toEqual([422, 'VALIDATION_ERROR', expect.stringMatching(/^emails/)])
  })

  test('takes 500 addresses', async () => {
    const { lookup } = await projectWith('c7@example.com')
    const { body } = await lookup(Array.from({ length: 500 }, (_, at) => `c${at}@example.com`))
    expect([body.found, body.notFound.length]).toEqual([['c7@example.com'], 499])
  })
})

test('the query contactLookup answers the same and leads to the contacts', async () => {
  const { ctx, secret } = await projectWith('ada@example.com')
  const { id } = await upsertContact(ctx, { email: 'ada@example.com' })
  const query = graphql(`
    query Lookup($emails: [String!]!) {
      contactLookup(emails: $emails) { found { email contact { id } } notFound }
    }
  `)
  const { data } = await asker(url, secret)(query, { emails: ['ADA@example.com', 'bob@example.com'] })
  expect(data?.contactLookup).toEqual({ found: [{ email: 'ADA@example.com', contact: { id } }], notFound: ['bob@example.com'] })
  const refused = await asker(url, secret)(query, { emails: [] })
  expect(refused.errors[0]?.extensions).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'emails' }] })
})

describe('a part of an international address', () => {
  test.each(['@bücher.example', '@xn--bcher-kva.example', '@BÜCHER.example', '@bu\u0308cher.EX', 'z@XN--bcher-kva'])(
    'is found as %s, in lists and in conditions',
    async (part) => {
      const { ctx, secret: key } = await projectWith('z@bücher.example', 'ada@example.com')
      await call('POST /suppressions', { emails: ['z@bücher.example', 'ada@example.com'] }, { key })
      const emailsOf = (body: { data: { email: string }[] }) => body.data.map(({ email }) => email)
      for (const path of ['/contacts', '/suppressions'])
        expect(emailsOf((await call(`GET ${path}?search=${encodeURIComponent(part)}`, undefined, { key })).body)).toEqual([
          'z@bücher.example',
        ])
      const without = { field: 'email', operator: 'notContains' as const, value: part }
      const { id } = await createSegment(ctx, { name: 'Others', type: 'DYNAMIC', condition: without })
      expect(emailsOf((await call(`GET /segments/${id}/contacts`, undefined, { key })).body)).toEqual(['ada@example.com'])
    },
  )
})
