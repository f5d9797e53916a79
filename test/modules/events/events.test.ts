import { describe, expect, test } from 'vitest'
import { deleteContact } from '../../../src/modules/contacts/contacts.ts'
import { trackEvent } from '../../../src/modules/contacts/track.ts'
import { eraseContact } from '../../../src/modules/emails/erasure/erase.ts'
import { countLog } from '../../../src/modules/events/counter/counter.ts'
import { countEvents, listEventNames } from '../../../src/modules/events/counter/names.ts'
import { eraseEventName } from '../../../src/modules/events/erasure/erase.ts'
import { compareEvents, deleteEventName, isReservedEventName, listContactEvents, listEvents } from '../../../src/modules/events/events.ts'
import { appendEvents } from '../../../src/modules/events/log.ts'
import { getEventUsage } from '../../../src/modules/events/usage.ts'
import { countWholeLog } from '../../help/counted.ts'
import { queriesOf } from '../../help/queries.ts'
import { runsOf } from '../../help/runs.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()

type Project = Awaited<ReturnType<typeof freshProject>>

const track = ({ ctx }: Project, email: string, event: string, data?: Record<string, string>) => trackEvent(ctx, { email, event, data })
const countAll = () => countWholeLog(world)

/** Runs the pending erasures, as the background job does. */
async function eraseAll({ projectId }: Project): Promise<void> {
  for (const { id, contactId } of await world.db.prisma.eventErasure.findMany({ where: { projectId } })) {
    if (contactId) await eraseContact(world, { projectId, contactId, erasureId: id })
    else await eraseEventName(world, { projectId, erasureId: id })
  }
}

describe('listEvents', () => {
  test('lists newest first, filtered by name, contact and time, in pages', async () => {
    const project = await freshProject(world)
    const start = world.clock.now()
    const { contact } = await track(project, 'ada@example.com', 'signed-up', { plan: 'pro' })
    await track(project, 'bob@example.com', 'signed-up')
    world.clock.turn(60_000)
    await track(project, 'ada@example.com', 'paid')
    const list = async (search: object) => (await listEvents(project.ctx, { limit: 20, ...search })).data.map(({ name }) => name)
    expect(await list({})).toEqual(['paid', 'signed-up', 'signed-up'])
    expect(await list({ eventName: 'signed-up' })).toHaveLength(2)
    expect(await list({ contactId: contact })).toEqual(['paid', 'signed-up'])
    expect(await list({ contactId: contact, eventName: 'paid' })).toEqual(['paid'])
    expect(await list({ from: new Date(start.getTime() + 1_000) })).toEqual(['paid'])
    expect(await list({ to: new Date(start.getTime() + 1_000) })).toHaveLength(2)
    const page = await listEvents(project.ctx, { limit: 2 })
    expect(page).toMatchObject({ total: 3, hasMore: true })
    expect(page.events).toEqual(page.data)
    expect(await list({ cursor: page.cursor })).toEqual(['signed-up'])
  })

  test('shows nothing of another project', async () => {
    const project = await freshProject(world)
    const other = await freshProject(world)
    const { contact } = await track(project, 'ada@example.com', 'signed-up')
    expect((await listEvents(other.ctx, { limit: 20 })).data).toEqual([])
    await expect(listContactEvents(other.ctx, { contactId: contact, limit: 20 })).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' })
  })
})

describe('countEvents', () => {
  test('counts exactly by name and UTC day, as the log grows', async () => {
    const project = await freshProject(world)
    for (let at = 0; at < 3; at++) await track(project, 'ada@example.com', 'seen')
    await track(project, 'ada@example.com', 'paid')
    await countAll()
    await countAll()
    expect(await countEvents(project.ctx, {})).toEqual([
      { name: 'seen', count: 3 },
      { name: 'paid', count: 1 },
    ])
    const tomorrow = new Date(world.clock.now().getTime() + 86_400_000)
    expect(await countEvents(project.ctx, { startDate: tomorrow })).toEqual([])
    expect(await listEventNames(project.ctx)).toEqual({ eventNames: ['seen', 'paid'], data: ['seen', 'paid'] })
  })

  test('does not count lines of an open transaction until it has ended', async () => {
    const project = await freshProject(world)
    await world.db.transaction(async (tx) => {
      await appendEvents(tx, world, { projectId: project.projectId, at: world.clock.now(), lines: [{ name: 'late' }] })
      await track(project, 'ada@example.com', 'early')
      while (await countLog(world));
    })
    await countAll()
    expect(await countEvents(project.ctx, {})).toEqual([
      { name: 'early', count: 1 },
      { name: 'late', count: 1 },
    ])
  })
})

describe('the counts of many names', () => {
  test('are read once by calls at the same time and kept for 10 s, but not past the deletion of a name', async () => {
    const project = await freshProject(world)
    const { ctx, projectId } = project
    await world.db.prisma.$executeRaw`insert into event_counts (project_id, name, day, count)
      select ${projectId}, 'name' || n % 101, date '2020-01-01' + n / 101, 1 from generate_series(0, 10099) n`
    await track(project, 'ada@example.com', 'gone')
    await countAll()
    const scan = /from event_counts c/
    const atOnce = () => queriesOf(() => Promise.all(Array.from({ length: 12 }, () => countEvents(ctx, {}))), scan)
    const first = await atOnce()
    expect([first.queries, first.reply[11]?.length, first.reply[0]?.[0]]).toEqual([1, 102, { name: 'name0', count: 100 }])
    expect((await queriesOf(() => listEventNames(ctx), scan)).queries).toBe(0)
    expect((await queriesOf(() => countEvents(ctx, { endDate: new Date('2020-01-01') }), scan)).queries).toBe(1)
    expect((await listEventNames(ctx)).eventNames).toContain('gone')
    await deleteEventName(ctx, { eventName: 'gone' })
    expect((await listEventNames(ctx)).eventNames).not.toContain('gone')
    world.clock.turn(10_000)
    expect((await atOnce()).queries).toBe(1)
  })

  test('take the turns of scans, so that other statements find connections', async () => {
    const { ctx } = await freshProject(world)
    const ran = runsOf(ctx)
    await countEvents(ran.ctx, {})
    await compareEvents(ran.ctx, { dayBefore: '2026-01-01', firstDay: '2026-01-02', lastDay: '2026-01-03', tracked: true, limit: 5 })
    await getEventUsage(ran.ctx, { eventName: 'seen' })
    expect(ran.seen.sort()).toEqual([
      'lists events_contacts_count_0',
      'lists events_count_visible_of_name',
      'scans events_compare_names',
      'scans events_count_names',
    ])
  })
})

describe('deleteEventName', () => {
  test('hides every event with the name from reads and counters at once, and removes them', async () => {
    const project = await freshProject(world)
    for (let at = 0; at < 3; at++) await track(project, 'ada@example.com', 'gone')
    await track(project, 'ada@example.com', 'kept')
    await countAll()
    expect(await deleteEventName(project.ctx, { eventName: 'gone' })).toEqual({ deletedCount: 3 })
    expect((await listEvents(project.ctx, { limit: 20 })).data.map(({ name }) => name)).toEqual(['kept'])
    expect(await listEventNames(project.ctx)).toMatchObject({ eventNames: ['kept'] })
    await eraseAll(project)
    expect(await world.db.prisma.event.count({ where: { projectId: project.projectId } })).toBe(1)
    await track(project, 'ada@example.com', 'gone')
    await countAll()
    expect(await countEvents(project.ctx, {})).toEqual([
      { name: 'gone', count: 1 },
      { name: 'kept', count: 1 },
    ])
  })

  test('subtracts only counted events from the counters', async () => {
    const project = await freshProject(world)
    await track(project, 'ada@example.com', 'gone')
    await countAll()
    await track(project, 'ada@example.com', 'gone')
    await deleteEventName(project.ctx, { eventName: 'gone' })
    await eraseAll(project)
    await track(project, 'ada@example.com', 'gone')
    await countAll()
    await eraseAll(project)
    expect(await countEvents(project.ctx, {})).toEqual([{ name: 'gone', count: 1 }])
  })

  test('refuses names that the platform writes itself', async () => {
    const { ctx } = await freshProject(world)
    await expect(deleteEventName(ctx, { eventName: 'email.sent' })).rejects.toMatchObject({ errors: [{ code: 'reserved_event' }] })
  })
})

describe('eraseContact', () => {
  test('removes the contact’s lines from the log and the counters, and its row', async () => {
    const project = await freshProject(world)
    const { contact: id } = await track(project, 'ada@example.com', 'seen')
    await track(project, 'bob@example.com', 'seen')
    await countAll()
    await deleteContact(project.ctx, { id })
    await eraseAll(project)
    expect(await countEvents(project.ctx, {})).toEqual([{ name: 'seen', count: 1 }])
    expect(await world.db.prisma.contact.count({ where: { projectId: project.projectId } })).toBe(1)
    expect(await world.db.prisma.eventErasure.count({ where: { projectId: project.projectId } })).toBe(0)
  })
})

describe('isReservedEventName', () => {
  test.each([
    'email.sent',
    'email.anything',
    'contact.subscribed',
    'contact.unsubscribed',
    'segment.vip.entry',
    'segment.a.b.exit',
    'campaign.sent',
    'workflow.started',
  ])('%s is reserved', (name) => expect(isReservedEventName(name)).toBe(true))

  test.each(['emailed', 'contact.created', 'segment.entry', 'signed-up', 'Email.sent'])('%s may be tracked', (name) =>
    expect(isReservedEventName(name)).toBe(false),
  )
})
