import { beforeEach, describe, expect, test } from 'vitest'
import { statement } from '../../../../src/kit/postgres/db.ts'
import { beginning, type Place } from '../../../../src/kit/walk.ts'
import { changeSubscription, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { countEvents } from '../../../../src/modules/events/counter/names.ts'
import { eraseEventName } from '../../../../src/modules/events/erasure/erase.ts'
import { deleteEventName } from '../../../../src/modules/events/events.ts'
import { removeOldEvents } from '../../../../src/modules/events/retention/retention.ts'
import { getEventUsage } from '../../../../src/modules/events/usage.ts'
import { countWholeLog } from '../../../help/counted.ts'
import { logEvents } from '../../../help/lines.ts'
import { logOf } from '../../../help/mails.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const across = { allProjects: 'a test looks at the whole queue' }
const world = await testWorld({ env: { LOG_RETENTION_MONTHS: '2' } })
const queued = statement<{ data: Place }>('test_queued', `select data from pgboss.job where name = 'events-retention'`, across)
const placeBehind = statement<object>(
  'test_place_behind',
  `insert into log_readers (reader, epoch, xid, id) select 'slow', e.epoch, e.xid, e.id from events e where e.project_id = $1 and e.name = $2`,
)
const removeSlow = statement<object>('test_remove_slow', `delete from log_readers where reader = 'slow'`, across)

let project: Awaited<ReturnType<typeof freshProject>>
beforeEach(async () => {
  project = await freshProject(world)
})

const dayMs = 86_400_000
const ago = (days: number): Date => new Date(world.clock.now().getTime() - days * dayMs)
const append = (days: number, ...names: string[]) =>
  logEvents(
    world,
    project.projectId,
    names.map((name) => ({ name })),
    ago(days),
  )
const names = async () => (await logOf(project.ctx)).map(({ name }) => name)

describe('removeOldEvents', () => {
  test('removes the lines older than the setting, and the counters keep what was counted', async () => {
    const other = await freshProject(world)
    await append(70, 'old', 'old')
    await append(55, 'young')
    await logEvents(world, other.projectId, [{ name: 'theirs' }], ago(400))
    await countWholeLog(world)
    await removeOldEvents(world, beginning)
    expect([await names(), await logOf(other.ctx)]).toEqual([['young'], []])
    expect(await countEvents(project.ctx, {})).toEqual([
      { name: 'old', count: 2 },
      { name: 'young', count: 1 },
    ])
  })

  test('without the setting it removes nothing', async () => {
    await append(4_000, 'ancient')
    await countWholeLog(world)
    await removeOldEvents({ ...world, config: { ...world.config, LOG_RETENTION_MONTHS: undefined } }, beginning)
    expect(await names()).toEqual(['ancient'])
  })

  test('never removes a line that a reader of the log has not handled', async () => {
    await append(72, 'handled')
    await append(71, 'unhandled')
    await countWholeLog(world)
    await world.db.run(placeBehind, [project.projectId, 'handled'])
    await removeOldEvents(world, beginning)
    expect(await names()).toEqual(['unhandled'])
    await world.db.run(removeSlow, [])
    await removeOldEvents(world, beginning)
    expect(await names()).toEqual([])
  })

  test('keeps the line by which a contact has opted out, until the contact subscribes again', async () => {
    const { ctx } = project
    const { id } = await upsertContact(ctx, { email: 'ada@example.com', subscribed: true })
    await changeSubscription(ctx, { id, subscribed: false, source: 'page' })
    await countWholeLog(world)
    const later = { ...world, clock: { now: () => new Date(world.clock.now().getTime() + 100 * dayMs), aheadMs: 0 } }
    await removeOldEvents(later, beginning)
    expect(await names()).toEqual(['contact.unsubscribed'])
    await changeSubscription(ctx, { id, subscribed: true, source: 'page' })
    await countWholeLog(world)
    await removeOldEvents(later, beginning)
    expect(await names()).toEqual([])
  })

  test.each([
    ['together with the lines that are left', [70, 70, 1]],
    ['although no line is left', [70]],
  ])('what it removed leaves the counters when the name is deleted, %s', async (_which, days) => {
    const { ctx, projectId } = project
    for (const day of days) await append(day, 'seen')
    await append(70, 'other')
    await countWholeLog(world)
    await removeOldEvents(world, beginning)
    await deleteEventName(ctx, { eventName: 'seen' })
    const other = { name: 'other', count: 1 }
    expect(await countEvents(ctx, {})).toEqual([other])
    const { id } = await world.db.prisma.eventErasure.findFirstOrThrow({ where: { projectId } })
    await eraseEventName(world, { projectId, erasureId: id })
    expect(await countEvents(ctx, {})).toEqual([other])
    expect((await getEventUsage(ctx, { eventName: 'seen' })).totalCount).toBe(0)
    world.clock.turn(1_000)
    await append(0, 'seen')
    await countWholeLog(world)
    expect(await countEvents(ctx, {})).toEqual(expect.arrayContaining([other, { name: 'seen', count: 1 }]))
  })

  test('works in batches, and queues the rest of a large log', async () => {
    await append(90, ...Array.from({ length: 6_000 }, () => 'old'))
    await countWholeLog(world)
    const closing = new AbortController()
    const stopping = { ...world, closing: closing.signal, db: { ...world.db } }
    const { run } = world.db
    let batches = 0
    stopping.db.run = async (asked, values) => {
      if (asked.name === 'events_remove_old_lines' && ++batches === 2) closing.abort()
      return run(asked, values)
    }
    await removeOldEvents(stopping, { projectId: project.projectId, after: '' })
    expect(await names()).toEqual([])
    const [rest] = await world.db.run(queued, [])
    expect(rest?.data).toEqual({ projectId: project.projectId, after: expect.stringMatching(/^evt_/) })
    await removeOldEvents(world, rest?.data ?? beginning)
    expect(await world.db.run(queued, [])).toHaveLength(1)
  })
})
