import { expect, test } from 'vitest'
import { statement } from '../../../src/kit/postgres/db.ts'
import { asker } from '../../help/ask.ts'
import { queriesOf } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, world, call } = await testServer()

// As tracked events with so many characters of data.
const fill = statement<object>(
  'test_fill_events',
  `with made as (
     insert into contacts (project_id, id, email, subscribed, data, created_at, updated_at)
     select $1, 'cnt_' || lpad(n::text, 26, '0'), n || '@example.com', true, '{}', $2, $2 from generate_series(1, 2) n returning id)
   insert into events (project_id, id, name, contact_id, data, created_at)
   select $1, 'evt_' || lpad((row_number() over ())::text, 26, '0'), 'large', m.id, jsonb_build_object('text', repeat('x', $3::int)), $2
   from made m, generate_series(1, 20)`,
)

async function withEvents(length: number) {
  const project = await freshProject(world)
  await world.db.run(fill, [project.projectId, world.clock.now(), length])
  return { ...project, ask: asker(url, project.secret) }
}

const ofContacts = '{ contacts(first: 2) { nodes { events(first: 20) { nodes { data } } } } }'

test('the data of the events of contacts is read apart from them, in one statement that is bounded', async () => {
  const { ask } = await withEvents(1_000)
  await ask(ofContacts)
  const { reply, queries } = await queriesOf(() => ask(ofContacts), /'data'/)
  expect([reply.errors, queries]).toEqual([[], 0])
  const apart = await queriesOf(() => ask(ofContacts), /as body\s+from .* from events t/s)
  expect(apart.queries).toBe(1)
  expect(JSON.stringify(apart.reply.data).split('xxx').length).toBeGreaterThan(40)
})

test.each(['POST /v1/track', 'POST /events/track'])(
  '%s refuses more than 250 numbers that Postgres would print with hundreds of digits',
  async (route) => {
    const { secret } = await freshProject(world)
    const tracked = (count: number) => ({
      email: 'ada@example.com',
      event: 'numbers',
      data: { n: { value: Array(count).fill(1e308), persistent: false } },
    })
    const { status, body } = await call(route, tracked(260), { key: secret })
    expect([status, body.error?.errors?.[0]]).toMatchObject([
      422,
      {
        field: 'data',
        message: 'must be at most 1 MB as JSON, with the values that are not stored, and 4 KB for each number of more than 40 digits',
      },
    ])
    expect((await call(route, tracked(250), { key: secret })).status).toBe(200)
  },
)
