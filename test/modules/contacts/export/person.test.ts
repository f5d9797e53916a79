import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { newId } from '../../../../src/kit/ids.ts'
import { deleteContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { exportContact } from '../../../../src/modules/contacts/export/person.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const { ctx, projectId } = await freshProject(world)
const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
const client = new pg.Client({ connectionString: world.databaseUrl })
await client.connect()
afterAll(() => client.end())

test('an export of a person with long events reads and passes on a few at a time', async () => {
  const ids = Array.from({ length: 40 }, () => newId('event', world.clock.now()))
  await client.query(
    `insert into events (project_id, id, name, contact_id, created_at, data)
     select $1, id, 'long', $2, now(), jsonb_build_object('text', repeat('x', 200000)) from unnest($3::text[]) id`,
    [projectId, contactId, ids],
  )
  const pieces: string[] = []
  for await (const piece of (await exportContact(ctx, { id: contactId })).pieces) pieces.push(String(piece))
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(300_000)
  const { events } = JSON.parse(pieces.join('')) as { events: object[] }
  expect([events.length, Object.keys(events[0] ?? {}).toSorted()]).toEqual([40, ['createdAt', 'data', 'emailId', 'id', 'name']])
})

test('an export of a person who is deleted meanwhile ends with a failure, and is no complete JSON', async () => {
  const { id } = await upsertContact(ctx, { email: 'grace@example.com' })
  await trackEvent(ctx, { email: 'grace@example.com', event: 'signed up' })
  const pieces = (await exportContact(ctx, { id })).pieces[Symbol.asyncIterator]()
  const texts = [String((await pieces.next()).value)]
  await deleteContact(ctx, { id })
  const rest = (async () => {
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) texts.push(String(next.value))
  })()
  await expect(rest).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND', message: expect.stringContaining('was deleted while') })
  expect(() => JSON.parse(texts.join(''))).toThrow(SyntaxError)
})
