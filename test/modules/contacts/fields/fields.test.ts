import { describe, expect, test } from 'vitest'
import { encodeCursor } from '../../../../src/kit/paging.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { readFilter } from '../../../../src/modules/filters/language.ts'
import { FilterOperator } from '../../../../src/modules/filters/shapes.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/gql.ts'
import type { FilterOperator as GraphqlOperator } from '../../../help/graphql/graphql.ts'
import { queriesOf } from '../../../help/queries.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject, type TestWorld } from '../../../help/world.ts'

const { call, url, world } = await testServer()

async function fieldsOf(project: { secret: string }) {
  const { status, body } = await call('GET /contacts/fields', undefined, { key: project.secret })
  expect([status, body.count]).toEqual([200, body.fields.length])
  return Object.fromEntries(
    body.fields.map(({ field, type, isCustom, coverage }: Record<string, unknown>) => [field, [type, isCustom, coverage]]),
  )
}

const standard = {
  createdAt: ['date', false, 1],
  email: ['string', false, 1],
  subscribed: ['boolean', false, 1],
  updatedAt: ['date', false, 1],
}

/** Adds contacts with data { bulk: number } without calls, so that a test has many. */
async function addContacts({ db }: TestWorld, projectId: string, count: number): Promise<void> {
  await db.prisma.$executeRawUnsafe(
    `insert into contacts (project_id, id, email, data, created_at, updated_at)
     select $1, 'cnt_bulk' || n, 'bulk' || n || '@example.com', jsonb_build_object('bulk', n), now(), now() from generate_series(1, $2::int) n`,
    projectId,
    count,
  )
  await db.prisma.contactCount.create({ data: { projectId, slot: 0, count } })
}

describe('GET /contacts/fields', () => {
  test('lists the standard fields of a project without contacts', async () => {
    expect(await fieldsOf(await freshProject(world))).toEqual(standard)
  })

  test('lists custom fields with the prefix data., their first type and the share of contacts that have them, sorted by name', async () => {
    const project = await freshProject(world)
    const { ctx } = project
    await upsertContact(ctx, { email: 'a@example.com', data: { plan: 'pro', seats: 3, born: '2001-01-01', vip: true, tags: ['x'] } })
    await upsertContact(ctx, { email: 'b@example.com', data: { plan: 7, Zeta: 1 } })
    await upsertContact(ctx, { email: 'c@example.com', data: { vip: false } })
    await upsertContact(ctx, { email: 'd@example.com' })
    const fields = await fieldsOf(project)
    expect(Object.keys(fields)).toEqual([
      'createdAt',
      'data.Zeta',
      'data.born',
      'data.plan',
      'data.seats',
      'data.tags',
      'data.vip',
      'email',
      'subscribed',
      'updatedAt',
    ])
    expect(fields).toEqual({
      ...standard,
      'data.Zeta': ['number', true, 0.25],
      'data.born': ['date', true, 0.25],
      'data.plan': ['string', true, 0.5],
      'data.seats': ['number', true, 0.25],
      'data.tags': ['string', true, 0.25],
      'data.vip': ['boolean', true, 0.5],
    })
  })

  test('is exact after every change, up to 10,000 contacts', async () => {
    const project = await freshProject(world)
    await upsertContact(project.ctx, { email: 'a@example.com', data: { plan: 'pro' } })
    expect((await fieldsOf(project))['data.plan']).toEqual(['string', true, 1])
    await upsertContact(project.ctx, { email: 'b@example.com' })
    expect((await fieldsOf(project))['data.plan']).toEqual(['string', true, 0.5])
    await upsertContact(project.ctx, { email: 'a@example.com', data: { plan: null } })
    expect((await fieldsOf(project))['data.plan']).toEqual(['string', true, 0])
  })

  test('does not list the fields of another project', async () => {
    await upsertContact((await freshProject(world)).ctx, { email: 'a@example.com', data: { theirs: 1 } })
    expect(await fieldsOf(await freshProject(world))).toEqual(standard)
  })

  test('above 10,000 contacts counts once a minute, lists a new field at once, and is at most 60 seconds old', async () => {
    const project = await freshProject(world)
    await addContacts(world, project.projectId, 10_001)
    await upsertContact(project.ctx, { email: 'a@example.com', data: { bulk: 0 } })
    expect((await fieldsOf(project))['data.bulk']).toEqual(['number', true, 1])
    await upsertContact(project.ctx, { email: 'a@example.com', data: { bulk: null, fresh: 1 } })
    const scans = await queriesOf(() => Promise.all(Array.from({ length: 10 }, () => fieldsOf(project))), /jsonb_object_keys/)
    expect(scans.queries).toBe(0)
    for (const fields of scans.reply)
      expect([fields['data.bulk'], fields['data.fresh']]).toEqual([
        ['number', true, 1],
        ['number', true, 0],
      ])
    world.clock.turn(60_000)
    const later = await queriesOf(() => Promise.all(Array.from({ length: 10 }, () => fieldsOf(project))), /jsonb_object_keys/)
    expect(later.queries).toBe(1)
    for (const fields of later.reply) expect(fields['data.fresh']).toEqual(['number', true, 1 / 10_002])
  })

  test('is counted again ahead of its end while it is asked for, so that nobody waits', async () => {
    const project = await freshProject(world)
    await addContacts(world, project.projectId, 10_001)
    await upsertContact(project.ctx, { email: 'a@example.com', data: { fresh: 1 } })
    await fieldsOf(project)
    await upsertContact(project.ctx, { email: 'a@example.com', data: { fresh: null } })
    world.clock.turn(31_000)
    expect((await fieldsOf(project))['data.fresh']).toEqual(['number', true, 1 / 10_002])
    await expect.poll(async () => (await fieldsOf(project))['data.fresh']).toEqual(['number', true, 0])
  })
})

test('the query contactFields answers the same, with the number of contacts', async () => {
  const { ctx, secret } = await freshProject(world)
  await upsertContact(ctx, { email: 'a@example.com', data: { plan: 'pro' } })
  await upsertContact(ctx, { email: 'b@example.com' })
  const query = graphql(`
    query Fields { contactFields { totalCount nodes { field type isCustom coverage contactCount } } }
  `)
  const { data } = await asker(url, secret)(query)
  expect(data?.contactFields.totalCount).toBe(5)
  expect(data?.contactFields.nodes).toEqual([
    { field: 'createdAt', type: 'DATE', isCustom: false, coverage: 1, contactCount: 2 },
    { field: 'data.plan', type: 'STRING', isCustom: true, coverage: 0.5, contactCount: 1 },
    { field: 'email', type: 'STRING', isCustom: false, coverage: 1, contactCount: 2 },
    { field: 'subscribed', type: 'BOOLEAN', isCustom: false, coverage: 1, contactCount: 2 },
    { field: 'updatedAt', type: 'DATE', isCustom: false, coverage: 1, contactCount: 2 },
  ])
})

test('a field says which operators filters can use with it, and these are the ones that conditions accept', async () => {
  const { ctx, secret } = await freshProject(world)
  await upsertContact(ctx, { email: 'a@example.com', data: { plan: 'pro' } })
  const query = graphql(`
    query Operators { contactFields { nodes { field operators } } workflowFields { nodes { field operators } } }
  `)
  const { data, errors } = await asker(url, secret)(query)
  expect(errors).toEqual([])
  const operators = Object.fromEntries((data?.contactFields.nodes ?? []).map((node) => [node.field, node.operators]))
  expect(operators.email).toEqual(['EQUALS', 'NOT_EQUALS', 'CONTAINS', 'NOT_CONTAINS'])
  expect(operators.subscribed).toEqual(['EQUALS', 'NOT_EQUALS'])
  expect(operators['data.plan']).toEqual(expect.arrayContaining(['EXISTS', 'GREATER_THAN', 'WITHIN']))
  const ofWorkflows = Object.fromEntries((data?.workflowFields.nodes ?? []).map((node) => [node.field, node.operators]))
  expect(ofWorkflows['contact.data.plan']).toEqual(operators['data.plan'])
  for (const [field, accepted] of Object.entries(operators))
    for (const operator of FilterOperator.options) {
      const read = readFilter({ field, operator, value: 'x' }, 'audience')
      const isRefused = 'problems' in read && read.problems.some(({ code }) => code === 'unsupported_operator')
      expect([field, operator, !isRefused]).toEqual([field, operator, accepted.includes(screaming(operator))])
    }
})

const screaming = (operator: string) => operator.replace(/[A-Z]/g, '_$&').toUpperCase() as GraphqlOperator

test('contactFields is paged by name in both directions, and costs what a page can have', async () => {
  const { ctx, secret } = await freshProject(world)
  await upsertContact(ctx, { email: 'a@example.com', data: { plan: 'pro', city: 'Paris' } })
  const ask = asker(url, secret)
  const query = graphql(`
    query FieldPage($first: Int, $after: String, $last: Int, $before: String) {
      contactFields(first: $first, after: $after, last: $last, before: $before) {
        nodes { field usage { isUsed } } pageInfo { hasNextPage endCursor startCursor }
      }
    }
  `)
  const page = async (args: object) => {
    const { data, errors, extensions } = await ask(query, args)
    expect(errors).toEqual([])
    const { nodes, pageInfo } = data?.contactFields ?? { nodes: [], pageInfo: null }
    return { fields: nodes.map(({ field }) => field), pageInfo, cost: extensions.cost?.requested ?? 0 }
  }
  const first = await page({ first: 4 })
  expect([first.fields, first.pageInfo?.hasNextPage]).toEqual([['createdAt', 'data.city', 'data.plan', 'email'], true])
  const rest = await page({ first: 4, after: first.pageInfo?.endCursor })
  expect([rest.fields, rest.pageInfo?.hasNextPage]).toEqual([['subscribed', 'updatedAt'], false])
  expect((await page({ last: 2, before: rest.pageInfo?.startCursor })).fields).toEqual(['data.plan', 'email'])
  expect((await page({ first: 100 })).cost - (await page({ first: 50 })).cost).toBe(100)
})

test('contactFields and workflowFields refuse cursors of other lists', async () => {
  const { ctx, secret } = await freshProject(world)
  const { id } = await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro' } })
  const ask = asker(url, secret)
  const after = encodeCursor(['createdAt'])
  expect((await ask('query ($after: String) { contactFields(after: $after) { nodes { field } } }', { after })).errors).toEqual([])
  for (const list of ['contactFields', 'workflowFields']) {
    const { errors } = await ask(`query ($after: String) { ${list}(after: $after) { nodes { field } } }`, { after: encodeCursor([id]) })
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_REQUEST'])
  }
})
