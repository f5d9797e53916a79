import { describe, expect, test } from 'vitest'
import type { Membership } from '../../../src/modules/filters/compile.ts'
import { explainCondition, matchesCondition } from '../../../src/modules/filters/evaluate.ts'
import type { Condition } from '../../../src/modules/filters/shapes.ts'
import { noSegments, store } from '../../help/filters.ts'
import { ofReads, queriesOf } from '../../help/queries.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const { ctx, projectId } = await freshProject(world)
const now = world.clock.now()
const seenAt = new Date(now.getTime() - 3 * 86_400_000)
const id = await store(world, projectId, { email: 'ada@example.com', data: { plan: 'pro', seats: 3 }, events: { seen: seenAt } })
const contact = { id, email: 'ada@example.com', subscribed: true, data: { plan: 'pro', seats: 3 }, createdAt: now, updatedAt: now }
const context = { amount: 50, order: { country: 'NL' }, note: null }

const holds = (condition: Condition, given: object = {}) =>
  matchesCondition(ctx, { condition, membership: noSegments, contact, context, ...given })

describe('a condition about one contact', () => {
  test.each<[Condition, boolean]>([
    [{ field: 'event.amount', operator: 'greaterThan', value: 49 }, true],
    [{ field: 'event.amount', operator: 'equals', value: '50' }, false],
    [{ field: 'event.order.country', operator: 'contains', value: 'N' }, true],
    [{ field: 'event.note', operator: 'notExists' }, true],
    [{ field: 'event.missing', operator: 'notEquals', value: 1 }, false],
    [{ field: 'event.__proto__', operator: 'exists' }, false],
  ])('asks the context of the execution by event fields without a trigger: %j', async (condition, expected) => {
    expect(await holds(condition)).toBe(expected)
  })

  test('asks the history by event fields with a trigger, whatever the context says', async () => {
    expect(await holds({ field: 'event.seen', operator: 'triggeredWithin', value: 4, unit: 'days' })).toBe(true)
    expect(await holds({ field: 'event.seen', operator: 'triggeredWithin', value: 2, unit: 'days' })).toBe(false)
    expect(await holds({ field: 'event.amount', operator: 'triggered' })).toBe(false)
  })

  test('reads the contact as it is given, and nothing from the database unless it asks for events or segments', async () => {
    const condition: Condition = { field: 'data.plan', operator: 'equals', value: 'free' }
    const { reply, queries } = await queriesOf(() => holds(condition, { contact: { ...contact, data: { plan: 'free' } } }), ofReads)
    expect([reply, queries]).toEqual([true, 0])
  })

  test('does not see what happened to a contact of another project', async () => {
    const other = await freshProject(world)
    const condition: Condition = { field: 'event.seen', operator: 'triggered' }
    expect(await matchesCondition(other.ctx, { condition, membership: noSegments, contact })).toBe(false)
  })

  test('joins groups by its logic, and the filters and the condition of a group by AND', async () => {
    const yes = { field: 'subscribed', operator: 'equals', value: true } as const
    const no = { ...yes, value: false } as const
    const tree = (logic: 'AND' | 'OR', ...groups: Extract<Condition, { groups: object[] }>['groups']): Condition => ({ logic, groups })
    expect(await holds(tree('AND', { filters: [yes] }, { filters: [no] }))).toBe(false)
    expect(await holds(tree('OR', { filters: [no] }, { filters: [yes] }))).toBe(true)
    expect(await holds(tree('OR', { filters: [yes, no] }))).toBe(false)
    expect(await holds(tree('OR', { filters: [yes], conditions: tree('AND', { filters: [no] }) }))).toBe(false)
    expect(await holds(tree('OR', { filters: [], conditions: yes }))).toBe(true)
  })
})

test('why a contact matches or not is explained filter by filter, with the value it has', async () => {
  const membership = async (segment: string): Promise<Membership> =>
    segment === 'seg_pro'
      ? { kind: 'condition', since: new Date(0), condition: { field: 'data.plan', operator: 'equals', value: 'pro' } }
      : { kind: 'nobody' }
  const condition: Condition = {
    logic: 'OR',
    groups: [
      {
        filters: [
          { field: 'data.seats', operator: 'greaterThan', value: 5 },
          { field: 'data.city', operator: 'exists' },
        ],
      },
      {
        filters: [{ field: 'event.seen', operator: 'triggeredWithin', value: 7, unit: 'days' }],
        conditions: {
          logic: 'AND',
          groups: [
            {
              filters: [
                { field: 'segment.seg_pro', operator: 'memberOfSegment' },
                { field: 'segment.seg_gone', operator: 'memberOfSegment' },
              ],
            },
          ],
        },
      },
    ],
  }
  const { matches, leaves } = await explainCondition(ctx, { condition, membership, contact })
  expect(matches).toBe(false)
  expect(leaves.map(({ path, field, actual, matches: one }) => [path, field, actual, one])).toEqual([
    ['groups.0.filters.0', 'data.seats', 3, false],
    ['groups.0.filters.1', 'data.city', null, false],
    ['groups.1.filters.0', 'event.seen', seenAt, true],
    ['groups.1.conditions.groups.0.filters.0', 'segment.seg_pro', true, true],
    ['groups.1.conditions.groups.0.filters.1', 'segment.seg_gone', false, false],
  ])
  expect(leaves[2]).toMatchObject({ operator: 'triggeredWithin', value: 7, unit: 'days' })
  const single = await explainCondition(ctx, { condition: { field: 'email', operator: 'contains', value: 'ADA' }, membership, contact })
  expect(single).toEqual({
    matches: true,
    leaves: [{ path: '', field: 'email', operator: 'contains', value: 'ADA', unit: null, actual: 'ada@example.com', matches: true }],
  })
})
