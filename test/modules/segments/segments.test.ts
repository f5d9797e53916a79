import { describe, expect, test } from 'vitest'
import { SuspensionDraft } from '../../../src/modules/security/shapes.ts'
import { suspendProject } from '../../../src/modules/security/suspensions.ts'
import { updateSegment } from '../../../src/modules/segments/segments.ts'
import { SegmentChange } from '../../../src/modules/segments/shapes.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, world } = await testServer()
const pro = { field: 'data.plan', operator: 'equals', value: 'pro' }
const memberOf = (id: string) => ({ field: `segment.${id}`, operator: 'memberOfSegment' })

async function projectWithContacts() {
  const project = await freshProject(world)
  const key = project.secret
  for (const [email, plan] of [
    ['ada@example.com', 'pro'],
    ['bob@example.com', 'free'],
    ['eve@example.com', 'pro'],
  ])
    await call('POST /contacts', { email, data: { plan } }, { key })
  const create = async (draft: object) => (await call('POST /segments', { name: 'Pro', condition: pro, ...draft }, { key })).body
  return { ...project, key, create }
}

describe('POST /segments', () => {
  test('201 returns the segment, dynamic by default, with its members counted and its condition as it was sent', async () => {
    const { key } = await projectWithContacts()
    const condition = { logic: 'OR', groups: [{ filters: [pro] }] }
    const { status, body } = await call('POST /segments', { name: ' VIP ', condition, unknown: 1 }, { key })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^seg_/),
        name: 'VIP',
        description: null,
        type: 'DYNAMIC',
        condition,
        trackMembership: false,
        memberCount: 2,
        createdAt: body.createdAt,
        updatedAt: body.createdAt,
      },
    ])
    expect((await call(`GET /segments/${body.id}`, undefined, { key })).body).toEqual(body)
    const single = await call('POST /segments', { name: 'One', description: 'x', condition: pro, trackMembership: true }, { key })
    expect(single.body).toMatchObject({ condition: pro, description: 'x', trackMembership: true })
    expect((await call('GET /segments', undefined, { key })).body).toEqual([single.body, body])
  })

  test.each([
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: ' ' }, 'name'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['a description of 501 characters', { description: 'x'.repeat(501) }, 'description'],
    ['a dynamic segment without a condition', { condition: undefined }, 'condition'],
    ['a condition on a static segment', { type: 'STATIC' }, 'condition'],
    ['an unknown type', { type: 'X' }, 'type'],
    ['an unknown field', { condition: { ...pro, field: 'plan' } }, 'condition.field'],
    [
      'a reference to no segment',
      { condition: { logic: 'AND', groups: [{ filters: [pro, memberOf('seg_x')] }] } },
      'condition.groups.0.filters.1.field',
    ],
  ])('422 for %s, and nothing is created', async (_what, change, field) => {
    const { secret: key } = await freshProject(world)
    const { status, body } = await call('POST /segments', { name: 'Pro', condition: pro, ...change }, { key })
    expect([status, body.error.errors[0].field]).toEqual([422, field])
    expect((await call('GET /segments', undefined, { key })).body).toEqual([])
  })

  test('409 LIMIT_REACHED beyond 500 segments, however many calls come at once', async () => {
    const { projectId, ctx, secret: key } = await freshProject(world)
    const now = world.clock.now()
    const rows = Array.from({ length: 498 }, (_, at) => ({
      projectId,
      id: `seg_${at}`,
      name: 'S',
      type: 'STATIC' as const,
      dueAt: now,
      createdAt: now,
      updatedAt: now,
    }))
    await ctx.db.prisma.segment.createMany({ data: rows })
    const answers = await Promise.all(Array.from({ length: 6 }, () => call('POST /segments', { name: 'More', type: 'STATIC' }, { key })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('LIMIT_REACHED')
    expect((await call('GET /segments', undefined, { key })).body).toHaveLength(500)
  })
})

describe('PATCH /segments/:id', () => {
  test('200 with nothing new leaves the segment as it is, also the time of its last change', async () => {
    const { key, create } = await projectWithContacts()
    const segment = await create({ description: 'x' })
    world.clock.turn(1_000)
    for (const change of [{}, { name: segment.name, description: 'x', condition: segment.condition, trackMembership: false }]) {
      const { status, body } = await call(`PATCH /segments/${segment.id}`, change, { key })
      expect([status, body]).toEqual([200, segment])
    }
  })

  test('200 changes only what is sent, counts another condition at once, and never changes the type', async () => {
    const { key, create } = await projectWithContacts()
    const segment = await create({ description: 'x' })
    const renamed = await call(`PATCH /segments/${segment.id}`, { name: 'New', description: null, type: 'STATIC' }, { key })
    expect([renamed.status, renamed.body]).toEqual([200, { ...segment, name: 'New', description: null, updatedAt: renamed.body.updatedAt }])
    const free = { ...pro, value: 'free' }
    const changed = await call(`PATCH /segments/${segment.id}`, { condition: free, trackMembership: true }, { key })
    expect(changed.body).toMatchObject({ condition: free, trackMembership: true, memberCount: 1, name: 'New' })
  })

  test('422 for a condition on a static segment and for null as a condition', async () => {
    const { key, create } = await projectWithContacts()
    const segment = await create({ type: 'STATIC', condition: undefined })
    expect((await call(`PATCH /segments/${segment.id}`, { condition: pro }, { key })).status).toBe(422)
    const dynamic = await create({})
    expect((await call(`PATCH /segments/${dynamic.id}`, { condition: null }, { key })).status).toBe(422)
  })

  test('422 for a condition that gives a segment which refers to this one more than 1,000 filters', async () => {
    const { key, create } = await projectWithContacts()
    const times = (filter: object, count: number) => ({ logic: 'AND', groups: [{ filters: Array(count).fill(filter) }] })
    const base = await create({ name: 'Base' })
    const middle = await create({ condition: memberOf(base.id) })
    const top = await create({ name: 'Top', condition: times(memberOf(middle.id), 50) })
    const { status, body } = await call(`PATCH /segments/${base.id}`, { condition: times(pro, 19) }, { key })
    expect([status, body.error.errors]).toEqual([422, [expect.objectContaining({ field: 'condition', code: 'too_big' })]])
    expect(body.error.message).toContain('"Top"')
    expect((await call(`PATCH /segments/${base.id}`, { condition: times(pro, 18) }, { key })).status).toBe(200)
    expect((await call(`GET /segments/${top.id}/contacts`, undefined, { key })).status).toBe(200)
  })

  test('422 for a segment that refers to itself, directly or through others', async () => {
    const { key, create } = await projectWithContacts()
    const one = await create({})
    const two = await create({ condition: memberOf(one.id) })
    const three = await create({ condition: memberOf(two.id) })
    for (const id of [one.id, two.id, three.id]) {
      const { status, body } = await call(`PATCH /segments/${one.id}`, { condition: memberOf(id) }, { key })
      expect([status, body.error.errors]).toEqual([422, [expect.objectContaining({ field: 'condition', code: 'circular' })]])
    }
    expect((await call(`GET /segments/${one.id}`, undefined, { key })).body).toEqual(one)
  })

  test('two changes at once cannot make a circle', async () => {
    const { ctx, key, create } = await projectWithContacts()
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await create({}), await create({})]
      const outcomes = await Promise.allSettled([
        updateSegment(ctx, SegmentChange.parse({ id: one.id, condition: memberOf(two.id) })),
        updateSegment(ctx, SegmentChange.parse({ id: two.id, condition: memberOf(one.id) })),
      ])
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect((await call(`GET /segments/${one.id}/contacts`, undefined, { key })).status).toBe(200)
    }
  })
})

describe('DELETE /segments/:id', () => {
  test('204, then 404; a condition that refers to it matches nobody there', async () => {
    const { key, create } = await projectWithContacts()
    const base = await create({})
    const inside = await create({ condition: memberOf(base.id) })
    const outside = await create({ condition: { ...memberOf(base.id), operator: 'notMemberOfSegment' } })
    expect([inside.memberCount, outside.memberCount]).toEqual([2, 1])
    expect(await call(`DELETE /segments/${base.id}`, undefined, { key })).toMatchObject({ status: 204, body: '' })
    expect((await call(`GET /segments/${base.id}`, undefined, { key })).status).toBe(404)
    expect((await call(`DELETE /segments/${base.id}`, undefined, { key })).status).toBe(404)
    expect((await call(`POST /segments/${inside.id}/refresh`, undefined, { key })).body).toEqual({ memberCount: 0 })
    expect((await call(`POST /segments/${outside.id}/refresh`, undefined, { key })).body).toEqual({ memberCount: 3 })
    expect((await call(`GET /segments/${inside.id}`, undefined, { key })).body).toMatchObject({
      memberCount: 0,
      updatedAt: inside.updatedAt,
    })
  })
})

test('a suspended project is read but not changed', async () => {
  const { ctx, key, create } = await projectWithContacts()
  const segment = await create({})
  await suspendProject(ctx, SuspensionDraft.parse({ reason: 'MANUAL', detail: 'Why.' }))
  const answers = await Promise.all([
    call(`GET /segments/${segment.id}/contacts`, undefined, { key }),
    call('POST /segments', { name: 'X', type: 'STATIC' }, { key }),
    call(`DELETE /segments/${segment.id}/members`, { emails: ['ada@example.com'] }, { key }),
    call(`POST /segments/${segment.id}/compute`, undefined, { key }),
  ])
  expect(answers.map(({ status }) => status).slice(1)).toEqual([403, 403, 403])
  expect(answers[0]?.status).toBe(200)
})
