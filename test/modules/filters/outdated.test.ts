import { describe, expect, test } from 'vitest'
import { statement } from '../../../src/kit/postgres/db.ts'
import { explainSegment } from '../../../src/modules/segments/explain.ts'
import { listSegmentContacts } from '../../../src/modules/segments/members/list.ts'
import { createSegment, updateSegment } from '../../../src/modules/segments/segments.ts'
import { computeSegment } from '../../../src/modules/segments/tracking/compute.ts'
import { startWorkflowExecution } from '../../../src/modules/workflows/executions/start.ts'
import { matchesBothWays, store } from '../../help/filters.ts'
import { testServer } from '../../help/server.ts'
import { drawn, enable, lead, pathOf, runAll, step } from '../../help/workflows.ts'
import { freshProject } from '../../help/world.ts'

const { call, world } = await testServer()
const yes = { field: 'subscribed', operator: 'equals', value: true } as const
const sentence = 'must be true or false, or a list of 1 to 1,000 of them'

const storeCondition = statement<object>(
  'test_store_condition',
  'update segments set condition = $2::json, due_at = created_at where project_id = $1',
)
const storeConfig = statement<object>(
  'test_store_config',
  `with changed as (update workflow_steps set config = $2::json where project_id = $1 and type = 'CONDITION' returning workflow_id)
   select from changed`,
)

describe('422 for subscribed with anything but true and false, and nothing is stored', () => {
  const filter = { ...yes, value: 'true' }
  test.each([
    ['a segment', 'POST /segments', { name: 'Subscribed', condition: filter }, 'condition.value'],
    ['a bulk operation', 'POST /contacts/bulk-unsubscribe', { filter: { condition: filter } }, 'filter.condition.value'],
    [
      'an audience',
      'POST /campaigns',
      { name: 'News', subject: 'Hi', body: 'Hi', from: 'a@demo.test', audienceType: 'FILTERED', audienceFilter: filter },
      'audienceFilter.value',
    ],
  ])('%s', async (_what, row, body, field) => {
    const { secret: key, projectId } = await freshProject(world)
    const answer = await call(row, body, { key })
    expect([answer.status, answer.body.error.errors]).toEqual([422, [{ field, message: sentence, code: 'invalid_value' }]])
    const { segment, campaign, job } = world.db.prisma
    const where = { where: { projectId } }
    expect([await segment.count(where), await campaign.count(where), await job.count(where)]).toEqual([0, 0, 0])
  })

  test.each([
    [filter, 'config.value'],
    [{ condition: { logic: 'OR', groups: [{ filters: [yes, filter] }] } }, 'config.condition.groups.0.filters.1.value'],
    [{ mode: 'multi', field: 'contact.subscribed', branches: [{ id: 'a', operator: 'equals', value: 1 }] }, 'config.branches.0.value'],
  ])('a step of a workflow: %j', async (config, field) => {
    const { ctx, secret: key } = await freshProject(world)
    const { id } = await drawn(ctx)
    const answer = await call(`POST /workflows/${id}/steps`, { type: 'CONDITION', config }, { key })
    expect([answer.status, answer.body.error.errors]).toEqual([422, [{ field, message: sentence, code: 'invalid_value' }]])
  })
})

describe('what was stored before it was refused goes on working: all but true is false', () => {
  test.each<[unknown, 'ada' | 'bob' | 'nobody']>([
    ['true', 'bob'],
    ['yes', 'bob'],
    [1, 'bob'],
    [{}, 'bob'],
    [[true], 'ada'],
    [[], 'nobody'],
  ])('a segment that asks for %j', async (value, expected) => {
    const project = await freshProject(world)
    const { ctx, projectId } = project
    const ids: Record<string, string> = {
      ada: await store(world, projectId, { subscribed: true }),
      bob: await store(world, projectId, { subscribed: false }),
    }
    const members = expected === 'nobody' ? [] : [ids[expected] ?? '']
    const { id } = await createSegment(ctx, { name: 'Old', condition: yes, trackMembership: true })
    const condition = { ...yes, value }
    await world.db.run(storeCondition, [projectId, JSON.stringify(condition)])
    expect(await matchesBothWays(project, condition)).toEqual(members)
    expect(await updateSegment(ctx, { id, name: 'Older' })).toMatchObject({ name: 'Older', condition })
    expect(await computeSegment(ctx, { id })).toMatchObject({ total: members.length })
    expect((await listSegmentContacts(ctx, { id, page: 1, pageSize: 20 })).data.map((contact) => contact.id)).toEqual(members)
    for (const contactId of Object.values(ids))
      expect((await explainSegment(ctx, { id, contactId })).matches).toBe(members.includes(contactId))
  })

  test('a step of a workflow, also when that is enabled and its other parts are changed', async () => {
    const { ctx, projectId, secret: key } = await freshProject(world)
    const { id } = await drawn(ctx)
    const asks = await step(ctx, { id }, { type: 'CONDITION', config: { ...yes } })
    for (const branch of ['yes', 'no']) await lead(ctx, { id }, asks, await step(ctx, { id }), branch)
    await world.db.run(storeConfig, [projectId, JSON.stringify({ ...yes, value: 'true' })])
    expect((await call(`PATCH /workflows/${id}/steps/${asks.id}`, { name: 'Subscribed?' }, { key })).status).toBe(200)
    await enable(ctx, { id })
    const exits: string[] = []
    for (const subscribed of [true, false]) {
      const contactId = await store(world, projectId, { subscribed })
      const { id: executionId } = await startWorkflowExecution(ctx, { id, contactId })
      await runAll(world)
      exits.push((await pathOf(ctx, { id, executionId }))[0] ?? '')
    }
    expect(exits).toEqual(['CONDITION COMPLETED no', 'CONDITION COMPLETED yes'])
  })
})
