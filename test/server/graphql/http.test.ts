import { serverAudits } from 'graphql-http'
import { expect, test } from 'vitest'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer()
const { secret } = await freshProject(world)

const fetchFn = (input: string, init: RequestInit = {}) =>
  fetch(input, { ...init, headers: { ...init.headers, authorization: `Bearer ${secret}` } })

// The conformance suite of the GraphQL over HTTP specification, run against the real listener.
for (const audit of serverAudits({ url: `${url}/graphql`, fetchFn })) {
  test(`${audit.id} ${audit.name}`, async () => {
    const result = await audit.fn()
    expect(result.status, 'reason' in result ? String(result.reason) : '').toBe('ok')
  })
}

test('a caller who accepts thousands of media types that nothing has gets 406 with a short answer', async () => {
  const ask = (accept: string) =>
    fetchFn(`${url}/graphql`, {
      method: 'POST',
      headers: { accept, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ __typename }' }),
    })
  const refused = await ask('a,'.repeat(6_000))
  expect(refused.status).toBe(406)
  expect(JSON.stringify([...refused.headers]).length).toBeLessThan(4_000)
  expect((await ask(`text/html,${'a,'.repeat(6_000)}application/json`)).status).toBe(406)
  expect((await ask('text/html, image/png;q=0.9, application/json;q=0.8')).status).toBe(200)
})
