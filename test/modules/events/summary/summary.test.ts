import { beforeEach, describe, expect, test } from 'vitest'
import { beginning } from '../../../../src/kit/walk.ts'
import { deleteContact } from '../../../../src/modules/contacts/contacts.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { eraseContact } from '../../../../src/modules/emails/erasure/erase.ts'
import { eraseEventName } from '../../../../src/modules/events/erasure/erase.ts'
import { deleteEventName } from '../../../../src/modules/events/events.ts'
import { removeOldEvents } from '../../../../src/modules/events/retention/retention.ts'
import { summariseLog } from '../../../../src/modules/events/summary/summary.ts'
import { countWholeLog, summariseWholeLog } from '../../../help/counted.ts'
import { logEvents } from '../../../help/lines.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld({ env: { LOG_RETENTION_MONTHS: '2' } })
const other = await testWorld({ databaseUrl: world.databaseUrl })
const { prisma } = world.db
const dayMs = 86_400_000

let project: Awaited<ReturnType<typeof freshProject>>
beforeEach(async () => {
  project = await freshProject(world)
})

const track = async (who: string, event: string) => (await trackEvent(project.ctx, { email: `${who}@example.com`, event })).contact
const append = (contactId: string, name: string, data: object | null = null, daysAgo = 0) =>
  logEvents(world, project.projectId, [{ name, contactId, data }], new Date(world.clock.now().getTime() - daysAgo * dayMs))

/** What is summarised of the project: name, contact and how many days ago. */
async function summaries(): Promise<[string, string, number][]> {
  const rows = await prisma.contactEvent.findMany({
    where: { projectId: project.projectId },
    orderBy: [{ name: 'asc' }, { contactId: 'asc' }],
  })
  return rows.map(({ name, contactId, lastAt }) => [name, contactId, (world.clock.now().getTime() - lastAt.getTime()) / dayMs])
}

async function erasures() {
  const rows = await prisma.eventErasure.findMany({ where: { projectId: project.projectId } })
  return rows.map(({ id, contactId }) => ({ projectId: project.projectId, erasureId: id, contactId: contactId ?? '' }))
}

async function erase(run: typeof eraseEventName | typeof eraseContact): Promise<void> {
  await countWholeLog(world)
  await summariseWholeLog(world)
  for (const job of await erasures()) await run(world, job)
}

describe('the summary', () => {
  test('has one row per name and contact, with the time of the newest line, whatever the order of the lines', async () => {
    const [ada, bob] = [await track('ada', 'seen'), await track('bob', 'seen')]
    await append(ada, 'bought', null, 3)
    await summariseWholeLog(world)
    await append(ada, 'bought', null, 5)
    await append(ada, 'bought', null, 1)
    await append(ada, 'bought', null, 2)
    await logEvents(world, project.projectId, [{ name: 'of nobody' }])
    await Promise.all([summariseWholeLog(world), summariseWholeLog(other)])
    await summariseWholeLog(world)
    expect(await summaries()).toEqual([['bought', ada, 1], ...[ada, bob].sort().map((id) => ['seen', id, 0])])
  })

  test('leaves out what machines did from `email.opened` and `email.clicked`, and passing bounces from `email.bounced`', async () => {
    const ada = await track('ada', 'seen')
    await append(ada, 'email.open', { bot: true }, 1)
    await append(ada, 'email.open', { bot: false }, 2)
    await append(ada, 'email.click', { bot: true }, 3)
    await append(ada, 'email.bounce', { bounceType: 'Transient' }, 1)
    await summariseWholeLog(world)
    expect(await summaries()).toEqual([
      ['email.bounce', ada, 1],
      ['email.click', ada, 3],
      ['email.open', ada, 1],
      ['email.opened', ada, 2],
      ['seen', ada, 0],
    ])
    await append(ada, 'email.click', { bot: false }, 4)
    await append(ada, 'email.bounce', { bounceType: 'Permanent' }, 4)
    await summariseWholeLog(world)
    expect(await summaries()).toEqual(
      expect.arrayContaining([
        ['email.clicked', ada, 4],
        ['email.bounced', ada, 4],
      ]),
    )
  })
})

describe('a deleted contact', () => {
  test('is not summarised any more, and is gone from the summary once its lines are removed', async () => {
    const [ada, bob] = [await track('ada', 'seen'), await track('bob', 'seen')]
    await summariseWholeLog(world)
    await append(ada, 'late')
    await deleteContact(project.ctx, { id: ada })
    await summariseWholeLog(world)
    expect((await summaries()).map(([name]) => name)).not.toContain('late')
    await erase(eraseContact)
    expect([await summaries(), await erasures()]).toEqual([[['seen', bob, 0]], []])
  })

  test('is gone from the summary also when it was summarised while it was deleted', async () => {
    await summariseWholeLog(world)
    const ada = await track('ada', 'seen')
    await countWholeLog(world)
    await deleteContact(project.ctx, { id: ada })
    // As a batch of the reader does that began before.
    await prisma.contactEvent.create({ data: { projectId: project.projectId, name: 'seen', contactId: ada, lastAt: world.clock.now() } })
    await erase(eraseContact)
    expect([await summaries(), await erasures()]).toEqual([[], []])
  })
})

describe('a deleted event name', () => {
  test('is gone from the summary, except for contacts to whom it has happened since', async () => {
    const [ada, bob] = [await track('ada', 'gone'), await track('bob', 'gone')]
    await track('ada', 'kept')
    await summariseWholeLog(world)
    await deleteEventName(project.ctx, { eventName: 'gone' })
    world.clock.turn(dayMs)
    await append(bob, 'gone')
    await erase(eraseEventName)
    expect([await summaries(), await erasures()]).toEqual([
      [
        ['gone', bob, 0],
        ['kept', ada, 1],
      ],
      [],
    ])
  })

  test('is not summarised from lines that the reader had not handled before', async () => {
    await track('ada', 'gone')
    await deleteEventName(project.ctx, { eventName: 'gone' })
    await summariseWholeLog(world)
    expect(await summaries()).toEqual([])
  })

  test('is gone from the summary also when retention has removed all of its lines', async () => {
    const ada = await track('ada', 'kept')
    await append(ada, 'gone', null, 100)
    await countWholeLog(world)
    await summariseWholeLog(world)
    await removeOldEvents(world, beginning)
    expect(await summaries()).toEqual([
      ['gone', ada, 100],
      ['kept', ada, 0],
    ])
    expect(await deleteEventName(project.ctx, { eventName: 'gone' })).toEqual({ deletedCount: 0 })
    await erase(eraseEventName)
    expect([await summaries(), await erasures()]).toEqual([[['kept', ada, 0]], []])
  })
})

test('retention keeps what was summarised, and removes no line that is not summarised yet', async () => {
  const ada = await track('ada', 'seen')
  await append(ada, 'old', null, 100)
  await summariseWholeLog(world)
  await append(ada, 'older', null, 200)
  await countWholeLog(world)
  await removeOldEvents(world, beginning)
  const left = await prisma.event.findMany({ where: { projectId: project.projectId }, orderBy: { name: 'asc' }, select: { name: true } })
  expect(left.map(({ name }) => name)).toEqual(['older', 'seen'])
  await summariseLog(world)
  expect(await summaries()).toEqual([
    ['old', ada, 100],
    ['older', ada, 200],
    ['seen', ada, 0],
  ])
})
