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
