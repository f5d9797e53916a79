import { describe, expect, test } from 'vitest'
import type { Membership } from '../../../src/modules/filters/compile.ts'
import { explainCondition } from '../../../src/modules/filters/evaluate.ts'
import { countMatches } from '../../../src/modules/filters/filters.ts'
import { membershipIn } from '../../../src/modules/filters/membership.ts'
import type { Condition, FieldFilter } from '../../../src/modules/filters/shapes.ts'
import { startWorkflowExecution } from '../../../src/modules/workflows/executions/start.ts'
import { noSegments, store } from '../../help/filters.ts'
import { sendingProject } from '../../help/mails.ts'
import { fewestQueriesOf, queriesOf } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'
import { turnsDuring } from '../../help/turns.ts'
import { drawn, enable, runAll, step } from '../../help/workflows.ts'

const { call, world } = await testServer()
const { ctx, projectId, secret: key } = await sendingProject(world)
const now = world.clock.now()
const contact = { id: 'cnt_1', email: 'ada@example.com', subscribed: true, data: {}, createdAt: now, updatedAt: now }

const either = (filters: FieldFilter[]): Condition => ({ logic: 'OR', groups: filters.map((filter) => ({ filters: [filter] })) })
const events = (from: number, count: number) =>
  Array.from({ length: count }, (_, at): FieldFilter => ({ field: `event.e${from + at}`, operator: 'triggered' }))
const memberOf = (id: string): FieldFilter => ({ field: `segment.${id}`, operator: 'memberOfSegment' })
const addresses = (count: number) => Array.from({ length: count }, (_, at) => `a${at}@${'éß'.repeat(9)}${at}.dé`)

async function segment(condition?: Condition): Promise<string> {
  const draft = { name: 'Segment', type: condition ? 'DYNAMIC' : 'STATIC', ...(condition && { condition }) }
  const { status, body } = await call('POST /segments', draft, { key })
  expect([status, body.error]).toEqual([201, undefined])
  return body.id
}

describe('one contact and a condition that leads to many segments', () => {
  test('is asked in a few statements, whatever they are, none of which is made of the condition', async () => {
    const id = await store(world, projectId, { email: 'eve@example.com', events: { e350: now } })
    const ids = await Promise.all([0, 100, 200, 300].map((from) => segment(either(events(from, 100)))))
    const picked = await segment()
    await call(`POST /segments/${picked}/members`, { emails: ['eve@example.com'] }, { key })
    const condition = either([...ids, await segment(memberOf(picked)), await segment(memberOf(ids[0] ?? ''))].map(memberOf))
    const question = { condition, membership: membershipIn(ctx), contact: { ...contact, id } }
    const { reply, queries } = await fewestQueriesOf(() => explainCondition(ctx, question), /segment|contact|event/)
    expect([reply.matches, reply.leaves.map(({ matches }) => matches)]).toEqual([true, [false, false, false, true, true, false]])
    // Two levels of segments, which are looked up twice, members and events.
    expect(queries).toBeLessThanOrEqual(6)
    expect((await queriesOf(() => explainCondition(ctx, question), /exists \(select from contact_events/)).queries).toBe(0)
  })

  test('is refused with more than 1,000 filters together, also where each segment has fewer, and where they are few with many references', async () => {
    const large: Membership = { kind: 'condition', since: new Date(0), condition: either(events(0, 100)) }
    const many = either(Array.from({ length: 10 }, (_, at) => memberOf(`s${at}`)))
    const again = either(Array.from({ length: 10 }, () => memberOf('s')))
    for (const condition of [many, again]) {
      const question = { condition, membership: async () => large }
      const refused = { code: 'VALIDATION_ERROR', message: expect.stringContaining('has more than 1000 filters') }
      await expect(explainCondition(ctx, { ...question, contact })).rejects.toMatchObject(refused)
      await expect(countMatches(ctx, question)).rejects.toMatchObject(refused)
    }
  })

  test('is refused with more than 5,000 values in lists together', async () => {
    const large: Membership = {
      kind: 'condition',
      since: new Date(0),
      condition: { field: 'email', operator: 'equals', value: addresses(1_000) },
    }
    const times = (count: number) => either(Array.from({ length: count }, (_, at) => memberOf(`s${at}`)))
    const ask = (count: number) => explainCondition(ctx, { condition: times(count), membership: async () => large, contact })
    expect((await ask(5)).matches).toBe(false)
    await expect(ask(6)).rejects.toMatchObject({ message: expect.stringContaining('has more than 5000 values in lists') })
  })
})

describe('422 for a condition that is too large with those of the segments it leads to', () => {
  const tooBig = (field: string) => [422, [expect.objectContaining({ field, code: 'too_big' })]]
  const errors = ({ status, body }: { status: number; body: { error?: { errors: unknown } } }) => [status, body.error?.errors]

  test('of a step, with all of its branches, of a segment, and of a campaign', async () => {
    const full = await segment(either(events(0, 90)))
    const nearly = await segment(either(Array<FieldFilter>(10).fill(memberOf(full))))
    const workflow = await drawn(ctx)
    const add = (config: object) => call(`POST /workflows/${workflow.id}/steps`, { type: 'CONDITION', config }, { key })
    expect(errors(await add({ condition: either([memberOf(nearly), memberOf(nearly)]) }))).toEqual(tooBig('config.condition'))
    const branches = ['a', 'b'].map((id) => ({ id, operator: id === 'a' ? 'memberOfSegment' : 'notMemberOfSegment' }))
    expect(errors(await add({ mode: 'multi', field: `segment.${nearly}`, branches }))).toEqual(tooBig('config'))
    const draft = { name: 'Large', type: 'DYNAMIC', condition: either([memberOf(nearly), memberOf(full)]) }
    expect(errors(await call('POST /segments', draft, { key }))).toEqual(tooBig('condition'))
    const audience = { audienceType: 'FILTERED', audienceFilter: draft.condition }
    const campaign = { name: 'C', subject: 'Hi', body: '<p>Hi</p>', from: 'hello@demo.test', ...audience }
    expect(errors(await call('POST /campaigns', campaign, { key }))).toEqual(tooBig('audienceFilter'))
    const filter = { mode: 'query', filter: { condition: draft.condition } }
    expect(errors(await call('POST /contacts/bulk-subscribe', filter, { key }))).toEqual(tooBig('filter.condition'))
  })

  test('by the values of its lists, and of one that others refer to', async () => {
    const values = (count: number): FieldFilter => ({
      field: 'data.n',
      operator: 'equals',
      value: Array.from({ length: count }, (_, at) => at),
    })
    expect(errors(await call('POST /segments', { name: 'L', condition: either(Array(6).fill(values(1_000))) }, { key }))).toEqual(
      tooBig('condition'),
    )
    const inner = await segment(values(900))
    await segment(either(Array(5).fill(memberOf(inner))))
    const { status, body } = await call(`PATCH /segments/${inner}`, { condition: either([values(600), values(600)]) }, { key })
    expect([status, body.error.message]).toEqual([422, expect.stringContaining('has more than 5000 values in lists')])
  })
})

test('a step that is too large since it was saved fails with a sentence', async () => {
  const inner = await segment(either(events(0, 90)))
  const { id } = await drawn(ctx)
  await step(ctx, { id }, { type: 'CONDITION', config: { condition: either(Array(10).fill(memberOf(inner))) } })
  await enable(ctx, { id })
  expect((await call(`PATCH /segments/${inner}`, { condition: either(events(0, 100)) }, { key })).status).toBe(200)
  const contactId = await store(world, projectId, {})
  const { id: executionId } = await startWorkflowExecution(ctx, { id, contactId })
  await runAll(world)
  const ended = await world.db.prisma.workflowExecution.findFirst({ where: { projectId, id: executionId } })
  expect(ended).toMatchObject({ status: 'FAILED', reason: expect.stringContaining('has more than 1000 filters') })
})

describe('a condition is prepared once', () => {
  test('as long as its object is cached, lists included', async () => {
    const list = ['eve@example.com']
    const condition: Condition = { field: 'email', operator: 'equals', value: list }
    const ask = () => explainCondition(ctx, { condition, membership: noSegments, contact })
    expect((await ask()).matches).toBe(false)
    // Nobody changes a condition: this shows that the list is not read again.
    list[0] = contact.email
    expect((await ask()).matches).toBe(false)
  })

  test('that of a segment until it changes', async () => {
    const id = await segment({ field: 'email', operator: 'equals', value: 'eve@example.com' })
    const read = async () => {
      const found = await membershipIn(ctx)(id)
      return found.kind === 'condition' ? found.condition : null
    }
    const first = await read()
    expect(await read()).toBe(first)
    await call(`PATCH /segments/${id}`, { condition: { field: 'email', operator: 'equals', value: 'ada@example.com' } }, { key })
    expect(await read()).toMatchObject({ value: 'ada@example.com' })
  })

  test('and each filter is tested once', async () => {
    let reads = 0
    const data = {
      get plan() {
        reads++
        return 'pro'
      },
    }
    const condition = either([{ field: 'data.plan', operator: 'equals', value: 'free' }])
    await explainCondition(ctx, { condition, membership: noSegments, contact: { ...contact, data } })
    expect(reads).toBe(1)
  })
})

test('others are answered while a large condition is evaluated', async () => {
  const filters = Array.from({ length: 5 }, (): FieldFilter => ({ field: 'email', operator: 'notEquals', value: addresses(1_000) }))
  const condition: Condition = { logic: 'AND', groups: [{ filters }] }
  const turns = await turnsDuring(async () => {
    expect((await explainCondition(ctx, { condition, membership: noSegments, contact })).matches).toBe(true)
  })
  expect(turns).toBeGreaterThan(2)
})

// Longer runs of one letter than a text has: what a search that begins anew after each mismatch takes longest for.
const periodic = Array.from(
  { length: 7 },
  (_, nth): FieldFilter => ({ field: 'event.big', operator: 'contains', value: `ab${'a'.repeat(8_000 + nth)}` }),
)
const context = { big: `${'a'.repeat(7_999)}b`.repeat(110) }

test('others are answered while a long text is looked through, however many conditions are evaluated at the same time', async () => {
  const ask = () => explainCondition(ctx, { condition: either(periodic), membership: noSegments, contact, context })
  const units = periodic.length * context.big.length
  const perTurn = 2 ** 19
  const turnsOfOne = await turnsDuring(async () => expect((await ask()).matches).toBe(false))
  expect(turnsOfOne).toBeGreaterThan(units / perTurn)
  const turnsOfFour = await turnsDuring(() => Promise.all([ask(), ask(), ask(), ask()]))
  expect(turnsOfFour).toBeGreaterThan((4 * units) / perTurn)
})
