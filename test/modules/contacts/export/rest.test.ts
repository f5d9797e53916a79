import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { deleteField } from '../../../../src/modules/contacts/fields/delete.ts'
import { createSegment } from '../../../../src/modules/segments/segments.ts'
import { holder } from '../../../help/holder.ts'
import { queriesOf } from '../../../help/queries.ts'
import { testServer } from '../../../help/server.ts'
import { until } from '../../../help/until.ts'
import { freshProject } from '../../../help/world.ts'

const { call, url, world } = await testServer()

describe('GET /contacts/export', () => {
  test('200 is a CSV file to be saved; HEAD answers the same headers alone', async () => {
    const { ctx, secret: key } = await freshProject(world)
    await upsertContact(ctx, { email: 'ada@example.com' })
    const { status, body, headers } = await call('GET /contacts/export?search=ada&subscribed=true', undefined, { key })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="contacts-\d{4}-\d\d-\d\d\.csv"$/)
    expect(body).toMatch(/^email,subscribed,createdAt,updatedAt\r\nada@example\.com,true,/)
    const head = await fetch(`${url}/contacts/export`, { method: 'HEAD', headers: { authorization: `Bearer ${key}` } })
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'text/csv; charset=utf-8', ''])
  })

  test('404 for a segment that does not exist', async () => {
    const { secret: key } = await freshProject(world)
    expect((await call('GET /contacts/export?segmentId=seg_x', undefined, { key })).body.error.code).toBe('SEGMENT_NOT_FOUND')
  })

  test('422 for a segment that asks for the absence of a field that was deleted since', async () => {
    const { ctx, secret: key } = await freshProject(world)
    await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro' } })
    const { id } = await createSegment(ctx, { name: 'Without', condition: { field: 'data.plan', operator: 'notExists' } })
    world.clock.turn(60_000)
    await deleteField(ctx, { field: 'plan' })
    world.clock.turn(60_000)
    const { status, body } = await call(`GET /contacts/export?segmentId=${id}`, undefined, { key })
    expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
  })

  test.each(['condition=%7B%7D', 'segment=seg_x', 'limit=5'])('400 for a parameter that is not known, as in ?%s', async (query) => {
    const { ctx, secret: key } = await freshProject(world)
    await upsertContact(ctx, { email: 'ada@example.com' })
    const { status, body } = await call(`GET /contacts/export?${query}`, undefined, { key })
    expect([status, body.error.errors]).toEqual([
      400,
      [{ field: query.split('=')[0], message: 'is not known here: use search, subscribed or segmentId', code: 'unrecognized_keys' }],
    ])
  })

  test('400 for a bad condition, 401 without a key and for the public key', async () => {
    const { secret, public: publicKey } = await freshProject(world)
    expect((await call('GET /contacts/export?subscribed=x', undefined, { key: secret })).status).toBe(400)
    expect((await call('GET /contacts/export')).status).toBe(401)
    expect((await call('GET /contacts/export', undefined, { key: publicKey })).status).toBe(401)
  })

  test('callers that go away before the first piece leave the places of the project to others', async () => {
    const { ctx, secret } = await freshProject(world)
    await upsertContact(ctx, { email: 'ada@example.com' })
    const lock = await holder(world)
    await lock.run('lock table contact_fields in access exclusive mode')
    // Two at a time of one caller ask the database, and the others wait for their turn.
    const given = Array.from({ length: 4 }, () => {
      const asked = request(`${url}/contacts/export`, { headers: { authorization: `Bearer ${secret}` } })
      asked.on('error', () => undefined).end()
      return asked
    })
    await lock.waitedFor()
    await until(async () => ((await lock.run('select count(*)::int as n from pg_locks where not granted')) as { n: number }[])[0]?.n === 2)
    for (const asked of given) asked.destroy()
    await lock.commit()
    await until(async () => (await call('GET /contacts/export', undefined, { key: secret })).status === 200)
  })

  test('a caller that stops reading holds no more than some batches, and one that goes away ends the work', async () => {
    const { projectId, secret } = await freshProject(world)
    await world.db.prisma.$executeRawUnsafe(
      `insert into contacts (project_id, id, email, data, created_at, updated_at)
       select '${projectId}', 'cnt_' || lpad(n::text, 26, '0'), 'user' || n || '@example.com', jsonb_build_object('text', repeat('x', 120000)), now(), now()
       from generate_series(1, 800) n`,
    )
    const batches = /from contacts where deleted_at is null/
    const asked = request(`${url}/contacts/export`, { headers: { authorization: `Bearer ${secret}` } })
    const { queries } = await queriesOf(async () => {
      const response = await new Promise<import('node:http').IncomingMessage>((resolve) => asked.once('response', resolve).end())
      response.pause()
      // Another call gets through meanwhile, several times.
      for (let n = 0; n < 20; n++) expect((await call('GET /contacts?limit=1', undefined, { key: secret })).status).toBe(200)
      asked.destroy()
    }, batches)
    // 800 contacts are 160 batches of about 600 KB, of which the connection takes some: Linux may hold 32 MB at the reader and 4 MB at the
    // sender. Each of the other calls has two queries, which also count.
    expect(queries).toBeLessThan(20 * 2 + 70)
    const free = async () =>
      (await Promise.all(Array.from({ length: 4 }, () => call('GET /contacts/export?search=user1', undefined, { key: secret })))).every(
        ({ status }) => status === 200,
      )
    await until(free)
  })
})

describe('GET /contacts/:id/export', () => {
  test('200 is a JSON file to be saved', async () => {
    const { ctx, secret: key } = await freshProject(world)
    const { id } = await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro' } })
    const { status, body, headers } = await call(`GET /contacts/${id}/export`, undefined, { key })
    expect([status, body.contact.data]).toEqual([200, { plan: 'pro' }])
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${id}.json"`)
  })

  test('404 for a contact of another project', async () => {
    const { ctx } = await freshProject(world)
    const { secret: key } = await freshProject(world)
    const { id } = await upsertContact(ctx, { email: 'ada@example.com' })
    expect((await call(`GET /contacts/${id}/export`, undefined, { key })).body.error.code).toBe('CONTACT_NOT_FOUND')
  })
})
