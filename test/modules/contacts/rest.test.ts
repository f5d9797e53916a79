import { describe, expect, test } from 'vitest'
import { getContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/gql.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, url, world } = await testServer()
const Update = graphql(
  `mutation ChangeContact($input: UpdateContactInput!) { updateContact(input: $input) { contact { id email subscribed data } } }`,
)

async function projectWithAda() {
  const project = await freshProject(world)
  const { id } = await upsertContact(project.ctx, { email: 'ada@example.com', data: { plan: 'free', seats: 3, old: 'x' } })
  const patch = (body: object, of = id) => call(`PATCH /contacts/${of}`, body, { key: project.secret })
  return { ...project, id, patch }
}

describe('PATCH /contacts/:id', () => {
  test('200 with the contact as it is from then on: only what is sent changes', async () => {
    const { ctx, id, patch } = await projectWithAda()
    world.clock.turn(60_000)
    const { status, body } = await patch({ email: ' Ada@Example.org ', subscribed: false, data: { plan: 'pro', old: null, seats: '' } })
    expect([status, body]).toEqual([
      200,
      {
        id,
        email: 'ada@example.org',
        subscribed: false,
        data: { plan: 'pro', seats: 3 },
        createdAt: expect.any(String),
        updatedAt: world.clock.now().toISOString(),
      },
    ])
    expect(JSON.parse(JSON.stringify(await getContact(ctx, { id })))).toEqual(body)
    expect((await patch({})).body).toEqual(body)
    expect((await patch({ subscribed: true })).body).toEqual({ ...body, subscribed: true })
  })

  test('409 for the address of another contact, 422 for what is no address, 404 for a contact of another project: nothing changes', async () => {
    const { ctx, id, patch } = await projectWithAda()
    await upsertContact(ctx, { email: 'bob@example.com' })
    const before = await getContact(ctx, { id })
    const taken = await patch({ email: 'BOB@example.com', data: { plan: 'pro' } })
    expect([taken.status, taken.body.error]).toMatchObject([409, { code: 'CONFLICT' }])
    expect((await patch({ email: 'nobody', data: { plan: 'pro' } })).body.error.errors[0].field).toBe('email')
    const other = await projectWithAda()
    const foreign = await other.patch({ data: { plan: 'pro' } }, id)
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'CONTACT_NOT_FOUND'])
    expect(await getContact(ctx, { id })).toEqual(before)
  })
})

test('updateContact in GraphQL changes the contact as PATCH does', async () => {
  const { ctx, id, secret } = await projectWithAda()
  const ask = asker(url, secret)
  const { data, errors } = await ask(Update, {
    input: { id, email: 'ada@example.org', subscribed: false, data: { plan: 'pro', old: null } },
  })
  const contact = { id, email: 'ada@example.org', subscribed: false, data: { plan: 'pro', seats: 3 } }
  expect([errors, data]).toEqual([[], { updateContact: { contact } }])
  expect(await getContact(ctx, { id })).toMatchObject(contact)
})
