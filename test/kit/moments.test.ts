import { expect, test } from 'vitest'
import { asker } from '../help/ask.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const { url, call, world } = await testServer()
const { secret } = await freshProject(world)

test.each(['9999-12-31T23:59:59-14:00', '9999-12-31T23:59:59.999Z', '9999-01-01', '0000-01-01', '0001-01-01T00:00:00+14:00', '9998-12-31'])(
  'a moment has a year of four digits in every zone: %s is refused with this sentence',
  async (at) => {
    const listed = await call(`GET /events?from=${encodeURIComponent(at)}`, undefined, { key: secret })
    expect([listed.status, listed.body.error?.errors]).toMatchObject([
      400,
      [{ field: 'from', message: 'must be after 0001-01-01 and before 9998-12-31' }],
    ])
    const sent = await call('POST /campaigns/cmp_1/send', { scheduledFor: at }, { key: secret })
    expect([sent.status, sent.body.error?.errors]).toMatchObject([
      422,
      [{ field: 'scheduledFor', message: 'must be after 0001-01-01 and before 9998-12-31' }],
    ])
    const { errors } = await asker(url, secret)('query ($at: DateTime) { events(filter: { createdFrom: $at }) { totalCount } }', { at })
    expect(errors[0]?.message).toContain('must be after 0001-01-01 and before 9998-12-31')
  },
)

test.each(['9998-12-30T23:59:59.999-14:00', '0001-01-02T00:00:00+14:00', '2026-01-31T09:30:00+14:00'])('%s is taken', async (at) => {
  expect((await call(`GET /events?from=${encodeURIComponent(at)}`, undefined, { key: secret })).status).toBe(200)
  const { errors } = await asker(url, secret)('query ($at: DateTime) { events(filter: { createdFrom: $at }) { totalCount } }', { at })
  expect(errors).toEqual([])
})

test('answers are stored by no cache, over REST and GraphQL, errors included', async () => {
  const graphql = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify({ query: '{ viewer { id } }' }),
  })
  const answers = [await call('GET /contacts', undefined, { key: secret }), await call('GET /contacts'), graphql]
  expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(Array(3).fill('no-store'))
})

test.each(['2026-02-30', '2026-01-31T24:00:00Z', '2026-01-31T09:30:00'])('%s is no DateTime', async (at) => {
  const { errors } = await asker(url, secret)('query ($at: DateTime) { events(filter: { createdFrom: $at }) { totalCount } }', { at })
  expect(errors[0]?.message).toContain('A DateTime must be an ISO 8601 date')
})
