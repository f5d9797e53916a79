import { describe, expect, test, vi } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { listSegments } from '../../../src/modules/segments/lists.ts'
import { createSegment, deleteSegment, updateSegment } from '../../../src/modules/segments/segments.ts'
import { Segments } from '../../../src/modules/segments/shapes.ts'
import { meanwhile } from '../../help/meanwhile.ts'
import { testServer } from '../../help/server.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const { call, world } = await testServer()
const other = await testWorld({ databaseUrl: world.databaseUrl })
const kilobytes = 1024

/** A condition of so many bytes as JSON. */
function conditionOf(bytes: number) {
  const empty = { field: 'data.plan', operator: 'equals' as const, value: '' }
  return { ...empty, value: 'x'.repeat(bytes - JSON.stringify(empty).length) }
}

/** A project whose segments have so many bytes of conditions together. */
async function filled(bytes: number) {
  const project = await freshProject(world)
  const at = world.clock.now()
  const sizes = [...Array.from({ length: Math.floor(bytes / (64 * kilobytes)) }, () => 64 * kilobytes), bytes % (64 * kilobytes)]
  await world.db.prisma.segment.createMany({
    data: sizes
      .filter((size) => size > 0)
      .map((size, n) => ({
        projectId: project.projectId,
        id: `seg_${n}`,
        name: `Segment ${n}`,
        type: 'DYNAMIC' as const,
        condition: conditionOf(size),
        dueAt: at,
        createdAt: at,
        updatedAt: at,
      })),
  })
  return project
}

const full = 4 * 1024 * kilobytes
const limitReached = {
  error: {
    code: 'LIMIT_REACHED',
    message: "The conditions of this project's segments would have more than 4 MB together as JSON.",
    suggestion: expect.stringContaining('Delete segments'),
  },
}

describe('the list of segments', () => {
  /** How a list is read: what takes a turn among large values, and how many conditions are parsed. */
  async function reading(bytes: number) {
    const { ctx } = await filled(bytes)
    const turns = vi.fn(ctx.db.large.run)
    const parse = vi.spyOn(JSON, 'parse')
    const list = await listSegments({ ...ctx, db: { ...ctx.db, large: { run: turns as typeof ctx.db.large.run } } })
    const parsed = parse.mock.calls.filter(([text]) => text.includes('data.plan')).length
    parse.mockRestore()
    return { turns: turns.mock.calls.length, parsed, conditions: list.map(({ condition }) => JSON.parse(JSON.stringify(condition))) }
  }

  test('has its conditions as they were stored, without parsing them; many large ones take a turn', async () => {
    const size = 64 * kilobytes
    expect(await reading(4 * size)).toEqual({ turns: 0, parsed: 0, conditions: Array(4).fill(conditionOf(size)) })
    for (const count of [64, 66])
      expect(await reading(count * size)).toEqual({ turns: 1, parsed: 0, conditions: Array(count).fill(conditionOf(size)) })
  })

  test('has segments as they were when their conditions were read, and none that was deleted until then', async () => {
    const { ctx } = await filled(6 * 64 * kilobytes)
    const [, , second = { id: '' }, first = { id: '' }] = await listSegments(ctx)
    const changed = async () => {
      await updateSegment(ctx, { id: first.id, name: 'Renamed', condition: conditionOf(100) })
      await deleteSegment(ctx, { id: second.id })
    }
    const list = await listSegments(meanwhile(ctx, changed))
    expect(list.map(({ id }) => id)).not.toContain(second.id)
    expect(list.filter(({ condition }) => condition === null)).toEqual([])
    const found = list.find(({ id }) => id === first.id)
    expect([list.length, found?.name, JSON.parse(JSON.stringify(found?.condition))]).toEqual([5, 'Renamed', conditionOf(100)])
  })
})

describe('the conditions of a project, of 4 MB as JSON together', () => {
  test('409 for another one; a static segment has none', async () => {
    const { secret: key } = await filled(full - 100)
    const draft = { name: 'One more', condition: conditionOf(101) }
    expect(await call('POST /segments', draft, { key })).toMatchObject({ status: 409, body: limitReached })
    expect((await call('POST /segments', { ...draft, condition: conditionOf(100) }, { key })).status).toBe(201)
    expect((await call('POST /segments', { name: 'Static', type: 'STATIC' }, { key })).status).toBe(201)
    expect((await call('GET /segments', undefined, { key })).body).toHaveLength(66)
  })

  test('409 for a change that grows; a change of as many bytes or fewer, and of the name, is made also above the limit', async () => {
    const { secret: key } = await filled(full + 1000)
    const change = (condition: object) => call('PATCH /segments/seg_0', { name: 'Changed', condition }, { key })
    expect(await change({ ...conditionOf(64 * kilobytes - 9), field: 'data.plan_two' })).toMatchObject({ status: 200 })
    expect(await change(conditionOf(60 * kilobytes))).toMatchObject({ status: 200 })
    expect(await change(conditionOf(64 * kilobytes))).toMatchObject({ status: 409, body: limitReached })
    expect(await call('PATCH /segments/seg_0', { name: 'Again' }, { key })).toMatchObject({ status: 200, body: { name: 'Again' } })
    const rest = await call('PATCH /segments/seg_0', { condition: conditionOf(63 * kilobytes) }, { key })
    expect(rest.status).toBe(200)
  })

  test('holds for calls at once in two processes: those that fit are stored', async () => {
    const { projectId, ctx } = await filled(full - 1000)
    const elsewhere = callIn(other, { projectId, actor: ctx.actor })
    const drafts = Array.from({ length: 6 }, (_, n) => ({ name: `n${n}`, condition: conditionOf(400) }))
    const created = await Promise.allSettled(drafts.map((draft, n) => createSegment(n % 2 ? ctx : elsewhere, draft)))
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    const grown = await Promise.allSettled(
      created.flatMap((one, n) =>
        one.status === 'fulfilled' ? updateSegment(n % 2 ? ctx : elsewhere, { id: one.value.id, condition: conditionOf(550) }) : [],
      ),
    )
    expect(grown.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const rows = await world.db.prisma.segment.findMany({ where: { projectId } })
    expect(rows.reduce((sum, { condition }) => sum + JSON.stringify(condition).length, 0)).toBeLessThanOrEqual(full)
  })
})

test('an answer does not look through the conditions again, which are tens of thousands of filters', () => {
  const condition = conditionOf(100)
  const at = new Date()
  const segment = { id: 'seg_1', name: 'One', description: null, trackMembership: false, memberCount: 0, createdAt: at, updatedAt: at }
  expect(Segments.parse([{ ...segment, type: 'DYNAMIC', condition }])[0]?.condition).toBe(condition)
})

test('413 for a page of campaigns whose conditions have more than 4 MB together; a smaller page is answered', async () => {
  const { projectId, secret: key } = await freshProject(world)
  const at = world.clock.now()
  const campaign = {
    projectId,
    subject: 's',
    body: 'b',
    from: 'hello@demo.test',
    audienceType: 'FILTERED' as const,
    createdAt: at,
    updatedAt: at,
  }
  await world.db.prisma.campaign.createMany({
    data: Array.from({ length: 70 }, (_, n) => ({
      ...campaign,
      id: `cmp_${n}`,
      name: `${n}`,
      audienceFilter: conditionOf(63 * kilobytes),
    })),
  })
  expect((await call('GET /campaigns?limit=100', undefined, { key })).status).toBe(413)
  const { status, body } = await call('GET /campaigns?limit=60', undefined, { key })
  expect([status, body.data.length, body.data[0].audienceFilter]).toEqual([200, 60, conditionOf(63 * kilobytes)])
})
