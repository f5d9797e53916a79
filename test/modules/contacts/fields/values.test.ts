import { describe, expect, test } from 'vitest'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/gql.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject } from '../../../help/world.ts'

const { call, url, world } = await testServer()

async function projectWith(...data: Record<string, unknown>[]) {
  const project = await freshProject(world)
  for (const [at, each] of data.entries()) await upsertContact(project.ctx, { email: `c${at}@example.com`, data: each })
  const values = (path: string) => call(`GET /contacts/fields/${path}`, undefined, { key: project.secret })
  return { ...project, values }
}

describe('GET /contacts/fields/:field/values', () => {
  test('200 lists distinct values sorted as text, with their types, by either spelling of the field', async () => {
    const { values } = await projectWith(
      { plan: 'pro' },
      { plan: 10 },
      { plan: 9 },
      { plan: true },
      { plan: 'pro' },
      { plan: '10' },
      { plan: 'Basic' },
    )
    const expected = [10, '10', 9, 'Basic', 'pro', true]
    const { status, body } = await values('data.plan/values')
    expect(status).toBe(200)
    expect(body).toEqual({ field: 'data.plan', values: expect.any(Array), count: 6, limit: 100 })
    expect(body.values.map(String)).toEqual(expected.map(String))
    expect(new Set(body.values)).toEqual(new Set(expected))
    expect((await values('plan/values')).body).toEqual({ ...body, field: 'plan' })
  })

  test('leaves out objects, lists and strings of more than 1,000 characters', async () => {
    const { values } = await projectWith(
      { f: { a: 1 } },
      { f: [1] },
      { f: 'x'.repeat(1_001) },
      { f: 'é'.repeat(1_000) },
      { f: 0 },
      { f: false },
    )
    expect((await values('f/values')).body.values).toEqual([0, false, 'é'.repeat(1_000)])
  })

  test('subscribed has true and false, the other standard fields and unknown ones none', async () => {
    const { values } = await projectWith({ createdAt: 'mine' })
    expect((await values('subscribed/values')).body).toEqual({ field: 'subscribed', values: [true, false], count: 2, limit: 100 })
    for (const field of ['email', 'createdAt', 'updatedAt', 'data.unknown', 'data.'])
      expect((await values(`${field}/values`)).body).toMatchObject({ values: [], count: 0 })
    expect((await values('data.createdAt/values')).body.values).toEqual(['mine'])
  })

  test('a key may have any characters', async () => {
    const { values } = await projectWith({ 'it\'s a.b/ü "%': 'yes' })
    expect((await values(`${encodeURIComponent('data.it\'s a.b/ü "%')}/values`)).body.values).toEqual(['yes'])
  })

  test('answers at most limit values: 100, or up to 200; 400 for another limit', async () => {
    const { values, ctx } = await projectWith()
    const all = Array.from({ length: 205 }, (_, at) => 1000 + at)
    await Promise.all(all.map((n) => upsertContact(ctx, { email: `n${n}@example.com`, data: { n } })))
    expect((await values('n/values')).body).toMatchObject({ values: all.slice(0, 100), count: 100, limit: 100 })
    expect((await values('n/values?limit=200')).body).toMatchObject({ values: all.slice(0, 200), count: 200, limit: 200 })
    expect((await values('n/values?limit=1')).body).toMatchObject({ values: [1000], count: 1 })
    for (const limit of ['0', '201', 'x', '1.5']) expect((await values(`n/values?limit=${limit}`)).status).toBe(400)
  })

  test('sees only the contacts of its project', async () => {
    await projectWith({ plan: 'theirs' })
    const { values } = await projectWith({ plan: 'ours' })
    expect((await values('plan/values')).body.values).toEqual(['ours'])
  })
})

test('the query contactFieldValues answers the same', async () => {
  const { secret } = await projectWith({ plan: 'pro' }, { plan: 1 })
  const query = graphql(`
    query Values($field: String!, $limit: Int) { contactFieldValues(field: $field, limit: $limit) }
  `)
  const ask = asker(url, secret)
  expect((await ask(query, { field: 'data.plan' })).data?.contactFieldValues).toEqual([1, 'pro'])
  expect((await ask(query, { field: 'plan', limit: 1 })).data?.contactFieldValues).toEqual([1])
  expect((await ask(query, { field: 'plan', limit: 201 })).errors[0]?.extensions.code).toBe('VALIDATION_ERROR')
})
