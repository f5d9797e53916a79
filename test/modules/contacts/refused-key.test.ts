import { expect, test } from 'vitest'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { asker } from '../../help/ask.ts'
import { contactsOf } from '../../help/imports.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, url, world } = await testServer()
// An own key, as in a body that is parsed from JSON.
const data: object = JSON.parse('{"__proto__":{"plan":"pro"},"seats":3}')
const email = 'ada@example.com'
const problem = { field: 'data.__proto__', message: 'must not be a key of custom data', code: 'invalid_key' }

test.each<[string, object]>([
  ['POST /contacts', { email, data }],
  ['PATCH /contacts/:id', { data }],
  ['POST /v1/track', { email, event: 'signed-up', data }],
  ['POST /events/track', { email, event: 'signed-up', data }],
  ['POST /events/track', { name: 'signed-up', data }],
  ['POST /v1/send', { to: email, subject: 'Hello', body: 'Hello', data }],
])('%s refuses the key __proto__ in data, and stores nothing', async (row, body) => {
  const { ctx, secret: key } = await freshProject(world)
  const { id } = await upsertContact(ctx, { email, data: { plan: 'free' } })
  const answer = await call(row.replace(':id', id), body, { key })
  expect([answer.status, answer.body.error.errors]).toEqual([422, [problem]])
  expect(await contactsOf(ctx)).toEqual({ [email]: { subscribed: true, data: { plan: 'free' } } })
})

test.each<[string, string, object | undefined]>([
  ['a variable', 'mutation ($data: JSON) { upsertContact(input: { email: "ada@example.com", data: $data }) { created } }', { data }],
  ['a literal', 'mutation { upsertContact(input: { email: "ada@example.com", data: { __proto__: "x" } }) { created } }', undefined],
])('GraphQL refuses it in %s as well', async (_what, document, variables) => {
  const { ctx, secret } = await freshProject(world)
  const { errors } = await asker(url, secret)(document, variables)
  expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_ERROR', errors: [problem] } }])
  expect(await contactsOf(ctx)).toEqual({})
})
