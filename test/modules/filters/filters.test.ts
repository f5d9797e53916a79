import { beforeEach, describe, expect, test } from 'vitest'
import { statement } from '../../../src/kit/postgres/db.ts'
import { deleteContact } from '../../../src/modules/contacts/contacts.ts'
import { trackEvent } from '../../../src/modules/contacts/track.ts'
import { deleteEventName } from '../../../src/modules/events/events.ts'
import type { Membership } from '../../../src/modules/filters/compile.ts'
import { countMatches, listMatchingIds } from '../../../src/modules/filters/filters.ts'
import type { Condition, FieldFilter } from '../../../src/modules/filters/shapes.ts'
import { summariseWholeLog } from '../../help/counted.ts'
import { batchesOf, matchesBothWays, noSegments, store } from '../../help/filters.ts'
import { logEvents } from '../../help/lines.ts'
import { until } from '../../help/until.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const dayMs = 86_400_000
const subscribed: FieldFilter = { field: 'subscribed', operator: 'equals', value: true }
const seen: FieldFilter = { field: 'event.seen', operator: 'triggered' }

let project: Awaited<ReturnType<typeof freshProject>>
beforeEach(async () => {
  project = await freshProject(world)
})

const track = async (who: string, event: string) => (await trackEvent(project.ctx, { email: `${who}@example.com`, event })).contact
const question = (condition: Condition, membership: (id: string) => Promise<Membership> = noSegments) => ({ condition, membership })
const member = (id: string): FieldFilter => ({ field: `segment.${id}`, operator: 'memberOfSegment' })
const either = (...filters: FieldFilter[]): Condition => ({ logic: 'OR', groups: filters.map((filter) => ({ filters: [filter] })) })

const fill = statement<object>(
  'test_fill',
  `insert into contacts (project_id, id, email, subscribed, data, created_at, updated_at)
   select $1, 'cnt_' || lpad(n::text, 26, '0'), n || '@example.com', true, jsonb_build_object('n', n), $2, $2 from generate_series(1, $3::int) n`,
)

describe('the contacts that match', () => {
  test('are those of the project, without deleted ones', async () => {
    const other = await freshProject(world)
    await store(world, other.projectId, { events: { seen: world.clock.now() } })
    const [ada, bob] = [await track('ada', 'seen'), await track('bob', 'seen')]
    await summariseWholeLog(world)
    await deleteContact(project.ctx, { id: bob })
    for (const condition of [seen, subscribed, either(seen, subscribed)]) expect(await matchesBothWays(project, condition)).toEqual([ada])
    expect(await matchesBothWays(other, { field: 'email', operator: 'contains', value: 'ada' })).toEqual([])
  })

  test('are listed newest first, page by page, and counted', async () => {
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.unshift(await store(world, project.projectId, { data: { n } }))
    for (const condition of [subscribed, either(subscribed, seen)]) {
      const first = await listMatchingIds(project.ctx, { ...question(condition), limit: 2 })
      const second = await listMatchingIds(project.ctx, { ...question(condition), limit: 3, before: first[1] })
      const third = await listMatchingIds(project.ctx, { ...question(condition), limit: 3, before: second[2] })
      expect([first, second, third]).toEqual([ids.slice(0, 2), ids.slice(2), []])
      expect(await countMatches(project.ctx, question(condition))).toBe(5)
    }
  })

  test('are found among many that do not match, in pages and in ranges that begin anywhere', async () => {
    await world.db.run(fill, [project.projectId, world.clock.now(), 12_000])
    const numbers = [3, 4_999, 5_000, 5_001, 11_999]
    const condition = either(...numbers.map((value): FieldFilter => ({ field: 'data.n', operator: 'equals', value })))
    const ids = numbers.map((n) => `cnt_${String(n).padStart(26, '0')}`)
    const page = (limit: number, before?: string) => listMatchingIds(project.ctx, { ...question(condition), limit, before })
    expect([await page(1), await page(3), await page(9)]).toEqual([[ids[4]], ids.slice(2).reverse(), ids.toReversed()])
    expect(await page(9, ids[2])).toEqual([ids[1], ids[0]])
    const batches = await Array.fromAsync(batchesOf(project.ctx, question(condition)))
    expect(batches).toEqual([ids.slice(0, 3), ids.slice(3, 4), ids.slice(4)])
    expect((await Array.fromAsync(batchesOf(project.ctx, question(condition), ids[1]))).flat()).toEqual(ids.slice(2))
  })

  test('of a deleted event name are gone at once, except those to whom it happens again', async () => {
    const [ada, bob] = [await track('ada', 'seen'), await track('bob', 'seen')]
    await summariseWholeLog(world)
    expect(await matchesBothWays(project, seen)).toEqual([ada, bob].sort().reverse())
    await deleteEventName(project.ctx, { eventName: 'seen' })
    expect(await matchesBothWays(project, seen)).toEqual([])
    expect(await matchesBothWays(project, either(seen, { ...seen, operator: 'notTriggered' }))).toHaveLength(2)
    world.clock.turn(1_000)
    await logEvents(world, project.projectId, [{ name: 'seen', contactId: bob }])
    await summariseWholeLog(world)
    expect(await matchesBothWays(project, seen)).toEqual([bob])
  })

  test('of an email activity are those that a person opened or clicked, and that bounced for good', async () => {
    const ids = await Promise.all(['machine', 'person', 'passing', 'lasting'].map((who) => track(who, 'seen')))
    const append = (at: number, name: string, data: object) =>
      logEvents(world, project.projectId, [{ name, contactId: ids[at] ?? null, data }])
    await append(0, 'email.open', { bot: true })
    await append(1, 'email.open', { bot: false })
    await append(2, 'email.bounce', { bounceType: 'Transient' })
    await append(3, 'email.bounce', { bounceType: 'Permanent' })
    await summariseWholeLog(world)
    for (const field of ['email.open', 'email.opened']) expect(await matchesBothWays(project, { ...seen, field })).toEqual([ids[1]])
    for (const field of ['email.bounce', 'email.bounced']) expect(await matchesBothWays(project, { ...seen, field })).toEqual([ids[3]])
    // Asked by its name, the event is any line of the log.
    expect(await matchesBothWays(project, { ...seen, field: 'event.email.open' })).toHaveLength(2)
  })
})

describe('windows', () => {
  test('turn with the clock, to the millisecond', async () => {
    const id = await store(world, project.projectId, { events: { seen: world.clock.now() } })
    const within: FieldFilter = { ...seen, operator: 'triggeredWithin', value: 2, unit: 'days' }
    world.clock.turn(2 * dayMs)
    expect(await matchesBothWays(project, within)).toEqual([id])
    expect(await matchesBothWays(project, { ...within, operator: 'triggeredOlderThan' })).toEqual([])
    expect(await matchesBothWays(project, { ...within, operator: 'notTriggeredWithin' })).toEqual([])
    world.clock.turn(1)
    expect(await matchesBothWays(project, within)).toEqual([])
    expect(await matchesBothWays(project, { ...within, operator: 'triggeredOlderThan' })).toEqual([id])
    expect(await matchesBothWays(project, { ...within, operator: 'notTriggeredWithin' })).toEqual([id])
  })
})

describe('a segment in a condition', () => {
  const segments: Record<string, Membership> = {
    pro: { kind: 'condition', since: new Date(0), condition: { field: 'data.plan', operator: 'equals', value: 'pro' } },
    picked: {
      kind: 'members',
      sql: ({ bind }, is) => `c.email ${is ? '' : 'not '}like ${bind('ada%')}`,
      has: async (id) =>
        (await world.db.prisma.contact.count({ where: { projectId: project.projectId, id, email: { startsWith: 'ada' } } })) > 0,
    },
    both: { kind: 'condition', since: new Date(0), condition: { logic: 'AND', groups: [{ filters: [member('pro'), member('picked')] }] } },
    circle: { kind: 'condition', since: new Date(0), condition: either(member('pro'), member('round')) },
    round: { kind: 'condition', since: new Date(0), condition: member('circle') },
    large: { kind: 'condition', since: new Date(0), condition: either(...Array<FieldFilter>(100).fill(subscribed)) },
    larger: { kind: 'condition', since: new Date(0), condition: either(...Array<FieldFilter>(11).fill(member('large'))) },
  }
  const membership = async (id: string): Promise<Membership> => segments[id] ?? { kind: 'nobody' }

  test('is looked up in its members, or stands for its own condition; a deleted one has no members', async () => {
    const ada = await store(world, project.projectId, { email: 'ada@example.com', data: { plan: 'pro' } })
    const bob = await store(world, project.projectId, { email: 'bob@example.com', data: { plan: 'pro' } })
    const eve = await store(world, project.projectId, { email: 'eve@example.com' })
    const matching = (filter: FieldFilter) => matchesBothWays(project, filter, membership)
    const not = (id: string): FieldFilter => ({ ...member(id), operator: 'notMemberOfSegment' })
    expect([await matching(member('pro')), await matching(not('pro'))]).toEqual([[bob, ada], [eve]])
    expect([await matching(member('picked')), await matching(not('picked'))]).toEqual([[ada], [eve, bob]])
    expect([await matching(member('both')), await matching(not('both'))]).toEqual([[ada], [eve, bob]])
    expect([await matching(member('deleted')), await matching(not('deleted'))]).toEqual([[], [eve, bob, ada]])
  })

  test.each([
    ['circle', 'refers to segments that refer to each other in a circle'],
    ['larger', 'has more than 1000 filters with those of the segments it refers to'],
  ])('that cannot be compiled is refused: %s', async (id, message) => {
    await expect(countMatches(project.ctx, question(member(id), membership))).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message })
  })
})

describe('a condition that takes too long', () => {
  test('fails with a sentence and when to try again, not as a bug', async () => {
    await store(world, project.projectId, {})
    // As the timeout of the pool does it.
    const running = countMatches(
      project.ctx,
      question(member('slow'), async () => ({ kind: 'members', sql: () => '(select pg_sleep(60)) is not null', has: async () => false })),
    )
    const cancelled = expect(running).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503, headers: { 'Retry-After': '5' } })
    const cancel = statement<{ done: boolean }>(
      'test_cancel',
      `select pg_cancel_backend(pid) as done from pg_stat_activity where datname = current_database() and query like '%pg_sleep(60)%' and pid <> pg_backend_pid() and state = 'active'`,
      { allProjects: 'a test cancels its own statement' },
    )
    await until(async () => (await world.db.run(cancel, [])).some(({ done }) => done))
    await cancelled
  })
})

test('scans have plans for their own values, memory for hash tables, and a limit of time', async () => {
  const settings = statement<{ plans: string; memory: string; limit: string }>(
    '',
    `select current_setting('plan_cache_mode') as plans, current_setting('work_mem') as memory, current_setting('statement_timeout') as limit`,
    { allProjects: 'asks for the settings of the connection' },
  )
  expect(await world.db.scans.run(settings, [])).toEqual([{ plans: 'force_custom_plan', memory: '32MB', limit: '15s' }])
})
