import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../src/kit/ids.ts'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { countWholeLog } from '../../help/counted.ts'
import { logEvents } from '../../help/lines.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, world } = await testServer()
const minute = 60_000

let project: Awaited<ReturnType<typeof freshProject>>
let contactId: string

beforeEach(async () => {
  project = await freshProject(world)
  contactId = (await upsertContact(project.ctx, { email: 'ada@example.com' })).id
})

const get = async (path: string, key = project.secret) => call(`GET ${path}`, undefined, { key })
const types = async (query = '') => (await get(`/activity${query}`)).body.data.map(({ type }: { type: string }) => type)

/** Appends one line of each name, a minute apart. */
async function happen(...names: string[]): Promise<void> {
  for (const name of names) {
    world.clock.turn(minute)
    const emailId = name.startsWith('email.') ? newId('email', world.clock.now()) : null
    await logEvents(world, project.projectId, [{ name, contactId, emailId, data: { about: name } }])
  }
}

describe('GET /activity', () => {
  test('lists the log newest first, with types of activity', async () => {
    await happen('signed-up', 'email.open')
    const { status, body } = await get('/activity')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        {
          id: expect.stringMatching(/^evt_/),
          type: 'email.opened',
          timestamp: world.clock.now().toISOString(),
          contactId,
          contactEmail: 'ada@example.com',
          metadata: { about: 'email.open', emailId: expect.stringMatching(/^eml_/) },
        },
        {
          id: expect.stringMatching(/^evt_/),
          type: 'event.triggered',
          timestamp: expect.any(String),
          contactId,
          contactEmail: 'ada@example.com',
          metadata: { eventName: 'signed-up', eventData: { about: 'signed-up' } },
        },
      ],
      cursor: null,
      hasMore: false,
      total: 2,
    })
  })

  test('filters by type, in either spelling', async () => {
    await happen('tracked', 'email.sent', 'email.open', 'email.click', 'segment.vip.entry')
    expect(await types('?types=email.opened,email.sent')).toEqual(['email.opened', 'email.sent'])
    expect(await types('?types=email.open,%20email.click')).toEqual(['email.clicked', 'email.opened'])
    expect(await types('?types=event.triggered')).toEqual(['event.triggered', 'event.triggered'])
    expect(await types('?types=event.triggered,email.sent')).toEqual(['event.triggered', 'email.sent', 'event.triggered'])
    expect(await types('?types=')).toHaveLength(5)
  })

  test('filters by contact and by a range of time', async () => {
    await happen('first', 'second', 'third')
    const at = (ago: number) => new Date(world.clock.now().getTime() - ago * minute).toISOString()
    expect(
      (await get(`/activity?startDate=${at(1)}`)).body.data.map((one: { metadata: { eventName: string } }) => one.metadata.eventName),
    ).toEqual(['third', 'second'])
    expect(
      (await get(`/activity?endDate=${at(1)}`)).body.data.map((one: { metadata: { eventName: string } }) => one.metadata.eventName),
    ).toEqual(['first'])
    expect((await get(`/activity?contactId=${contactId}&startDate=${at(0)}`)).body.total).toBe(1)
    expect(await types(`?contactId=${newId('contact', new Date())}`)).toEqual([])
  })

  test('pages by cursor, with and without a filter by type', async () => {
    await happen('a', 'email.sent', 'b', 'email.open', 'c')
    for (const query of ['', '&types=email.sent,email.open', '&types=event.triggered']) {
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const { body }: { body: { data: { id: string }[]; cursor: string | null; total: number } } = await get(
          `/activity?limit=2${query}${cursor && `&cursor=${cursor}`}`,
        )
        expect(body.total > 0).toBe(cursor === '')
        seen.push(...body.data.map(({ id }) => id))
        cursor = body.cursor
      }
      const all = (await get(`/activity?limit=100${query}`)).body.data.map(({ id }: { id: string }) => id)
      expect(seen).toEqual(all)
    }
  })

  test.each(['types=nonsense', 'limit=0', 'limit=101', 'cursor=forged', 'startDate=yesterday', 'endDate=1'])(
    'refuses ?%s with 400',
    async (query) => {
      expect((await get(`/activity?${query}`)).body.error.code).toBe('BAD_REQUEST')
    },
  )

  test('shows nothing of another project', async () => {
    await happen('mine')
    const { secret } = await freshProject(world)
    expect((await get('/activity', secret)).body).toEqual({ data: [], cursor: null, hasMore: false, total: 0 })
  })
})

describe('the figures', () => {
  test('GET /activity/recent-count counts the last minutes', async () => {
    await happen('a', 'b', 'c')
    expect((await get('/activity/recent-count')).body).toEqual({ count: 3, minutes: 5 })
    expect((await get('/activity/recent-count?minutes=1')).body).toEqual({ count: 2, minutes: 1 })
    expect((await get('/activity/recent-count?minutes=61')).status).toBe(400)
    const { status, body } = await get('/activity/recent-count?minutes=0.5')
    expect([status, body.message]).toEqual([400, '"minutes" must be a whole number from 1 to 60.'])
  })

  test('GET /activity/stats sums up counters and emails, with rates in percent', async () => {
    await happen('tracked', 'email.sent', 'email.sent', 'email.sent')
    await mails(3)
    await countWholeLog(world)
    expect((await get('/activity/stats')).body).toEqual({
      totalEvents: 4,
      totalEmailsSent: 3,
      totalEmailsOpened: 2,
      totalEmailsClicked: 1,
      totalWorkflowsStarted: 0,
      openRate: 66.7,
      clickRate: 33.3,
    })
    expect((await get('/activity/stats?startDate=2020-01-01&endDate=2020-01-31')).body).toMatchObject({ totalEvents: 0, openRate: 0 })
  })

  test('GET /activity/types lists them all', async () => {
    const { body } = await get('/activity/types')
    expect(body.types).toEqual(
      expect.arrayContaining(['event.triggered', 'email.sent', 'email.opened', 'contact.unsubscribed', 'email.failed']),
    )
    expect(body.data).toEqual(body.types)
  })
})

/** Emails that were sent: the first two were opened, the first was clicked. */
async function mails(count: number): Promise<void> {
  const now = world.clock.now()
  const { projectId } = project
  const contentId = newId('content', now)
  await world.db.prisma.emailContent.create({
    data: { projectId, id: contentId, type: 'TRANSACTIONAL', subject: 'Hi', html: '', fromAddress: 'a@acme.test', createdAt: now },
  })
  await world.db.prisma.email.createMany({
    data: Array.from({ length: count }, (_, at) => ({
      projectId,
      id: newId('email', now),
      contactId,
      contentId,
      status: 'SENT' as const,
      toAddress: 'ada@example.com',
      subject: 'Hi',
      sentAt: now,
      ...(at < 2 && { openedAt: now }),
      ...(at < 1 && { clickedAt: now }),
      createdAt: now,
      updatedAt: now,
    })),
  })
}
