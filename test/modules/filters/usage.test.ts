import { describe, expect, test } from 'vitest'
import { statement } from '../../../src/kit/postgres/db.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import type { Condition, FieldFilter } from '../../../src/modules/filters/shapes.ts'
import { listUsesOfEvent, listUsesOfField } from '../../../src/modules/filters/usage.ts'
import { createSegment, deleteSegment, updateSegment } from '../../../src/modules/segments/segments.ts'
import { findSegmentUses } from '../../../src/modules/segments/usage.ts'
import { drafted } from '../../help/campaigns.ts'
import { sendingProject } from '../../help/mails.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()

const asks = (field: string, value?: unknown): FieldFilter => ({ field, operator: 'exists', ...(value !== undefined && { value }) })
const copyCampaign = statement<object>(
  'test_copy_campaign',
  `insert into campaigns select c.* from campaigns k, generate_series(1, $3::int) n,
     jsonb_populate_record(k, jsonb_build_object('id', 'cmp_copy_' || lpad(n::text, 6, '0'))) c
   where k.project_id = $1 and k.id = $2`,
)
const inside = (condition: Condition): Condition => ({ logic: 'OR', groups: [{ filters: [], conditions: condition }] })
const group = (...filters: FieldFilter[]): Condition => ({ logic: 'AND', groups: [{ filters }] })

describe('what asks a field', () => {
  const decoys = [
    { field: 'data.plan' },
    [{ field: 'data.plan' }],
    { groups: [{ filters: [asks('data.plan')], conditions: asks('data.plan') }] },
    { filters: [asks('data.plan')], conditions: { field: 'data.plan' } },
    asks('data.plan'),
  ]
  test.each(decoys.map((value) => [value]))('is not a condition that has it in the value of a filter: %j', async (value) => {
    const { ctx } = await sendingProject(world)
    const filter = asks('data.other', value)
    for (const condition of [filter, group(filter), inside(filter), inside(group(filter))]) {
      await createSegment(ctx, { name: 'Other', condition })
      await drafted(ctx, { audienceType: 'FILTERED', audienceFilter: condition })
    }
    expect(await listUsesOfField(ctx, 'data.plan')).toEqual({ usedInSegments: [], usedInCampaigns: [], usedInWorkflows: [] })
    const { usedInSegments, usedInCampaigns } = await listUsesOfField(ctx, 'data.other')
    expect([usedInSegments.length, usedInCampaigns.length]).toEqual([4, 4])
  })

  test('is found at all levels, in single filters and in groups', async () => {
    const { ctx } = await sendingProject(world)
    let condition: Condition = asks('data.level10')
    for (let level = 9; level > 0; level--)
      condition = { logic: 'AND', groups: [{ filters: [asks(`data.level${level}`)] }, { filters: [], conditions: condition }] }
    const { id } = await createSegment(ctx, { name: 'Deep', condition })
    for (let level = 1; level <= 10; level++)
      expect((await listUsesOfField(ctx, `data.level${level}`)).usedInSegments).toEqual([{ id, name: 'Deep' }])
  })
})

test('of more than 500 campaigns with conditions, those that are scheduled and the newest drafts are looked at', async () => {
  const { ctx } = await sendingProject(world)
  const draft = { audienceType: 'FILTERED' as const, audienceFilter: asks('data.plan') }
  const [scheduled, old, copied] = [await drafted(ctx, draft), await drafted(ctx, draft), await drafted(ctx, draft)]
  await sendCampaign(ctx, { id: scheduled.id, scheduledFor: new Date(world.clock.now().getTime() + 3_600_000) })
  await world.db.run(copyCampaign, [ctx.projectId, copied.id, 498])
  const { usedInCampaigns } = await listUsesOfField(ctx, 'data.plan')
  expect([usedInCampaigns.length, usedInCampaigns[0]?.id, usedInCampaigns.at(-1)?.id]).toEqual([500, 'cmp_copy_000498', scheduled.id])
  expect(usedInCampaigns.map(({ id }) => id)).toContain(copied.id)
  expect(usedInCampaigns.map(({ id }) => id)).not.toContain(old.id)
})

test('what stands in the value of a filter does not make a segment too large for what it refers to', async () => {
  const { ctx } = await sendingProject(world)
  const inner = await createSegment(ctx, { name: 'Inner', condition: asks('data.a') })
  const refers: FieldFilter = { field: `segment.${inner.id}`, operator: 'memberOfSegment' }
  const many = Array.from({ length: 950 }, () => ({ field: 'x' }))
  await createSegment(ctx, { name: 'Outer', condition: group(refers, asks('data.b', many)) })
  await createSegment(ctx, { name: 'Listed', condition: group(refers, asks('data.c', { value: Array(4_500).fill(1) })) })
  const condition = group(...Array.from({ length: 60 }, () => asks('data.d')), {
    field: 'data.e',
    operator: 'equals',
    value: Array.from({ length: 600 }, (_, at) => at),
  })
  expect(await updateSegment(ctx, { id: inner.id, condition })).toMatchObject({ condition })
})

test('a segment whose id a scheduled campaign only compares a value with can be deleted', async () => {
  const { ctx } = await sendingProject(world)
  const condition = { field: 'data.a', operator: 'exists' } as const
  const [named, asked] = [await createSegment(ctx, { name: 'Named', condition }), await createSegment(ctx, { name: 'Asked', condition })]
  const audienceFilter: Condition = group(
    { field: 'data.segment', operator: 'equals', value: `segment.${named.id}` },
    asks('data.b', { field: `segment.${named.id}` }),
    { field: `segment.${asked.id}`, operator: 'memberOfSegment' },
  )
  const { id } = await drafted(ctx, { audienceType: 'FILTERED', audienceFilter })
  const scheduledFor = new Date(world.clock.now().getTime() + 86_400_000)
  const key = { projectId_id: { projectId: ctx.projectId, id } }
  await world.db.prisma.campaign.update({ where: key, data: { status: 'SCHEDULED', scheduledFor } })
  expect((await findSegmentUses(ctx, asked)).canDelete).toBe(false)
  await expect(deleteSegment(ctx, asked)).rejects.toMatchObject({ code: 'SEGMENT_IN_USE' })
  expect(await findSegmentUses(ctx, named)).toMatchObject({ usedInCampaigns: [], canDelete: true })
  await deleteSegment(ctx, named)
})

test('only what asks the fields in question leaves the database, however much a project asks', async () => {
  const { ctx } = await sendingProject(world)
  const many = Array.from({ length: 90 }, (_, n) => asks(`data.field${n}`))
  const { id } = await createSegment(ctx, {
    name: 'Many',
    condition: group(...many, asks('data.plan.kind'), { field: 'email.opened', operator: 'triggered' }),
  })
  await createSegment(ctx, { name: 'Others', condition: group(...many) })
  const rows: unknown[] = []
  const run: typeof world.db.lists.run = async <Row>(...given: Parameters<typeof world.db.lists.run<Row>>) => {
    const found = await world.db.lists.run<Row>(...given)
    rows.push(...found)
    return found
  }
  const noting = { ...world, db: { ...world.db, lists: { run } } }
  const call = { world: noting, projectId: ctx.projectId }
  const found = await Promise.all([
    listUsesOfField(call, 'data.plan'),
    listUsesOfEvent(call, 'email.open'),
    listUsesOfField(call, 'data.pl'),
  ])
  const user = { id, name: 'Many' }
  expect(found.map(({ usedInSegments }) => usedInSegments)).toEqual([[user], [user], []])
  expect(rows).toEqual([
    { kind: 'segment', ...user, fields: expect.toSatisfy((all: string[]) => all.toSorted().join() === 'data.plan.kind,email.opened') },
  ])
})
