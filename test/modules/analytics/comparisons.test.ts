import { beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { newId } from '../../../src/kit/ids.ts'
import { deleteContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { eraseEventName } from '../../../src/modules/events/erasure/erase.ts'
import { deleteEventName } from '../../../src/modules/events/events.ts'
import { asker } from '../../help/ask.ts'
import { drafted } from '../../help/campaigns.ts'
import { countWholeLog } from '../../help/counted.ts'
import { graphql } from '../../help/graphql/gql.ts'
import { logEvents } from '../../help/lines.ts'
import { sendingProject } from '../../help/mails.ts'
import { queriesOf } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'

const { call, url, world } = await testServer()
const { prisma } = world.db

let project: Awaited<ReturnType<typeof sendingProject>>
beforeEach(async () => {
  project = await sendingProject(world)
})
const get = async (path: string, key = project.secret) => (await call(`GET /analytics/${path}`, undefined, { key })).body

interface Result {
  status?: 'DRAFT' | 'SCHEDULED' | 'SENDING' | 'SENT' | 'CANCELLED'
  sent: number
  opened: number
  clicked: number
}

/** A campaign with counts. */
async function campaign(
  { ctx, projectId }: { ctx: Ctx; projectId: string },
  name: string,
  { status = 'SENT', ...counts }: Result,
): Promise<string> {
  const { id } = await drafted(ctx, { name })
  const sentAt = status === 'SENT' ? world.clock.now() : null
  await prisma.campaign.update({ where: { projectId_id: { projectId, id } }, data: { status, sentAt, totalRecipients: counts.sent } })
  if (counts.sent > 0) await prisma.campaignCount.create({ data: { projectId, campaignId: id, ...counts, machineOpened: 7 } })
  return id
}

const Top = graphql(`
  query TopCampaigns($limit: Int, $metric: CampaignMetric, $startDate: Date, $endDate: Date, $timezone: String) {
    topCampaigns(limit: $limit, metric: $metric, startDate: $startDate, endDate: $endDate, timezone: $timezone) { id name stats { sentCount openRate machineOpens } }
  }
`)
const Summary = graphql(`
  query CampaignSummary {
    campaignSummary { total active completed averageOpenRate averageClickRate campaigns { id status stats { clickRate } } }
  }
`)
const Events = graphql(`
  query TopEvents($limit: Int, $startDate: Date, $endDate: Date, $tracked: Boolean) {
    topEvents(limit: $limit, startDate: $startDate, endDate: $endDate, tracked: $tracked) { name count trend }
  }
`)

describe('GET /analytics/top-campaigns', () => {
  async function three() {
    await campaign(project, 'Many', { sent: 1_000, opened: 300, clicked: 10 })
    await campaign(project, 'Few', { sent: 10, opened: 9, clicked: 1 })
    await campaign(project, 'Clicked', { sent: 100, opened: 50, clicked: 40 })
    await campaign(project, 'Empty', { sent: 0, opened: 0, clicked: 0 })
    await campaign(project, 'Under way', { status: 'SENDING', sent: 5_000, opened: 4_000, clicked: 3_000 })
  }
  const names = async (query: string) => (await get(`top-campaigns?${query}`)).map(({ name }: { name: string }) => name)

  test.each([
    ['', ['Many', 'Clicked', 'Few', 'Empty']],
    ['metric=opens', ['Many', 'Clicked', 'Few', 'Empty']],
    ['metric=clicks', ['Clicked', 'Many', 'Few', 'Empty']],
    ['metric=openRate', ['Few', 'Clicked', 'Many', 'Empty']],
    ['metric=clickRate', ['Clicked', 'Few', 'Many', 'Empty']],
    ['metric=sent&limit=2', ['Many', 'Clicked']],
  ])('?%s answers SENT campaigns, the best first', async (query, expected) => {
    await three()
    expect(await names(query)).toEqual(expected)
  })

  test('answers counts and rates in percent of what was sent, with opens of machines apart', async () => {
    const id = await campaign(project, 'News', { sent: 300, opened: 100, clicked: 1 })
    const [first, ...more] = await get('top-campaigns')
    expect([first, more]).toMatchObject([
      {
        ...{ id, name: 'News', subject: 'News for {{ name ?? "you" }}', status: 'SENT', sentAt: world.clock.now().toISOString() },
        ...{ sentCount: 300, openedCount: 100, clickedCount: 1, openRate: 33.33, clickRate: 0.33, machineOpens: 7 },
      },
      [],
    ])
  })

  test('leaves out deleted campaigns and those of other projects', async () => {
    const id = await campaign(project, 'Gone', { sent: 1, opened: 1, clicked: 1 })
    expect((await call(`DELETE /campaigns/${id}`, undefined, { key: project.secret })).status).toBe(204)
    await campaign(await sendingProject(world), 'Foreign', { sent: 1, opened: 1, clicked: 1 })
    expect(await get('top-campaigns')).toEqual([])
  })

  test('is a list of campaigns in GraphQL, in as many statements for ten as for one', async () => {
    const ask = asker(url, project.secret)
    await three()
    const { data, extensions } = await ask(Top, { metric: 'OPEN_RATE', limit: 2 })
    expect(data?.topCampaigns).toMatchObject([
      { name: 'Few', stats: { sentCount: 10, openRate: 90, machineOpens: 7 } },
      { name: 'Clicked', stats: { sentCount: 100, openRate: 50 } },
    ])
    expect(extensions.cost?.requested).toBe(4)
    const queries = async (limit: number) => (await queriesOf(() => ask(Top, { limit }), /campaign/)).queries
    expect(await queries(4)).toBe(await queries(1))
  })

  test('says which numbers are taken', async () => {
    for (const list of ['top-campaigns', 'top-events'])
      expect((await get(`${list}?limit=1e1`)).message).toBe('"limit" must be a whole number from 1 to 100.')
  })

  test.each(['limit=0', 'limit=101', 'limit=few', 'metric=fame'])('refuses ?%s with 400', async (query) => {
    expect((await get(`top-campaigns?${query}`)).error.code).toBe('BAD_REQUEST')
  })

  test('compares those that were sent on some days of a time zone, in GraphQL', async () => {
    const ask = asker(url, project.secret)
    for (const [name, sentAt] of [
      ['April', '2026-04-30T21:59:59Z'],
      ['May', '2026-04-30T22:00:00Z'],
      ['Late May', '2026-05-31T21:59:59Z'],
      ['June', '2026-05-31T22:00:00Z'],
    ] as const) {
      const id = await campaign(project, name, { sent: 100, opened: name.length, clicked: 1 })
      await prisma.campaign.update({ where: { projectId_id: { projectId: project.projectId, id } }, data: { sentAt } })
    }
    const names = async (days: object) => (await ask(Top, days)).data?.topCampaigns.map(({ name }) => name)
    const may = { startDate: '2026-05-01', endDate: '2026-05-31' }
    expect(await names({})).toEqual(['Late May', 'April', 'June', 'May'])
    expect(await names({ ...may, timezone: 'Europe/Berlin' })).toEqual(['Late May', 'May'])
    expect(await names(may)).toEqual(['Late May', 'June'])
    expect(await names({ endDate: '2026-05-01' })).toEqual(['April', 'May'])
    expect(await names({ ...may, limit: 1 })).toEqual(['Late May'])
    const { errors } = await ask(Top, { ...may, startDate: '2025-05-01' })
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'startDate' }] })
  })

  test('refuses wrong arguments in GraphQL', async () => {
    const { errors } = await asker(url, project.secret)(Top, { limit: 101 })
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'limit' }] })
  })
})

describe('GET /analytics/campaign-stats', () => {
  test('is zero in an empty project', async () => {
    const empty = { total: 0, active: 0, completed: 0, averageOpenRate: 0, averageClickRate: 0, campaigns: [] }
    expect(await get('campaign-stats')).toEqual(empty)
    expect((await asker(url, project.secret)(Summary)).data?.campaignSummary).toEqual(empty)
  })

  test('counts campaigns by state, with the mean of the rates of those that were sent', async () => {
    const none = { sent: 0, opened: 0, clicked: 0 }
    await campaign(project, 'A', { sent: 1_000, opened: 100, clicked: 10 })
    await campaign(project, 'B', { sent: 3, opened: 1, clicked: 1 })
    await campaign(project, 'Empty', none)
    for (const status of ['DRAFT', 'SCHEDULED', 'SENDING'] as const) await campaign(project, status, { status, ...none })
    const newest = await campaign(project, 'Cancelled', { status: 'CANCELLED', sent: 2, opened: 2, clicked: 2 })
    const { campaigns, ...summary } = await get('campaign-stats')
    expect(summary).toEqual({ total: 7, active: 3, completed: 3, averageOpenRate: 21.7, averageClickRate: 17.2 })
    expect(campaigns.map(({ name }: { name: string }) => name)).toEqual(['Cancelled', 'SENDING', 'SCHEDULED', 'DRAFT', 'Empty', 'B', 'A'])
    expect(campaigns[0]).toMatchObject({ id: newest, status: 'CANCELLED', sentAt: null, sentCount: 2, clickRate: 100 })
    const { data } = await asker(url, project.secret)(Summary)
    expect(data?.campaignSummary).toMatchObject({ ...summary, campaigns: { length: 7, 0: { id: newest, stats: { clickRate: 100 } } } })
  })

  test('lists the newest 100', async () => {
    const { projectId } = project
    const id = await campaign(project, 'First', { sent: 0, opened: 0, clicked: 0 })
    const row = await prisma.campaign.findUniqueOrThrow({ where: { projectId_id: { projectId, id } } })
    const later = new Date(world.clock.now().getTime() + 1_000)
    const copies = Array.from({ length: 100 }, () => ({
      ...row,
      audienceFilter: undefined,
      document: undefined,
      segments: undefined,
      id: newId('campaign', later),
    }))
    await prisma.campaign.createMany({ data: copies })
    const { total, campaigns } = await get('campaign-stats')
    expect([total, campaigns.length]).toEqual([101, 100])
    expect(campaigns.some((one: { id: string }) => one.id === id)).toBe(false)
  })
})

describe('GET /analytics/top-events', () => {
  const dayMs = 86_400_000
  async function happen(name: string, times: number, daysAgo = 0, contactId: string | null = null): Promise<void> {
    const at = new Date(world.clock.now().getTime() - daysAgo * dayMs)
    await logEvents(
      world,
      project.projectId,
      Array.from({ length: times }, () => ({ name, contactId })),
      at,
    )
  }

  test('answers the most frequent events of the last 30 days, with the change against the 30 before', async () => {
    for (const [name, times, ago] of [
      ['bought', 3, 0],
      ['bought', 4, 29],
      ['bought', 5, 30],
      ['seen', 8, 1],
      ['seen', 12, 59],
      ['left', 1, 0],
      ['old', 9, 60],
    ] as const)
      await happen(name, times, ago)
    await countWholeLog(world)
    const expected = [
      { name: 'seen', count: 8, trend: -33.3 },
      { name: 'bought', count: 7, trend: 40 },
      { name: 'left', count: 1, trend: 100 },
    ]
    expect(await get('top-events')).toEqual(expected)
    expect(await get('top-events?limit=1')).toEqual(expected.slice(0, 1))
    expect((await asker(url, project.secret)(Events, { limit: 2 })).data?.topEvents).toEqual(expected.slice(0, 2))
  })

  test('takes other days, and leaves out what the platform writes where only tracked events are asked for', async () => {
    await happen('email.sent', 5, 3)
    await happen('segment.vip.entry', 4, 3)
    await happen('bought', 2, 3)
    await happen('bought', 1, 5)
    await countWholeLog(world)
    const day = (ago: number) => new Date(world.clock.now().getTime() - ago * dayMs).toISOString().slice(0, 10)
    const [first, last] = [day(4), day(3)]
    const names = async (query: string) =>
      (await get(`top-events?startDate=${first}&endDate=${last}${query}`)).map(({ name }: { name: string }) => name)
    expect(await names('')).toEqual(['email.sent', 'segment.vip.entry', 'bought'])
    expect(await names('&tracked=true')).toEqual(['bought'])
    const { data } = await asker(url, project.secret)(Events, { startDate: first, endDate: last, tracked: true })
    expect(data?.topEvents).toEqual([{ name: 'bought', count: 2, trend: 100 }])
  })

  test('forgets deleted names and the events of deleted contacts', async () => {
    const { id } = await upsertContact(project.ctx, { email: 'ada@example.com' })
    await happen('gone', 5)
    await happen('seen', 2)
    await happen('seen', 3, 0, id)
    await countWholeLog(world)
    await deleteEventName(project.ctx, { eventName: 'gone' })
    await deleteContact(project.ctx, { id })
    const [erasure] = await prisma.eventErasure.findMany({ where: { projectId: project.projectId, name: 'gone' } })
    expect(await get('top-events')).toEqual([{ name: 'seen', count: 2, trend: 100 }])
    await eraseEventName(world, { projectId: project.projectId, erasureId: erasure?.id ?? '' })
    expect(await get('top-events')).toEqual([{ name: 'seen', count: 2, trend: 100 }])
    expect(await prisma.eventCount.aggregate({ where: { projectId: project.projectId, name: 'gone' }, _sum: { count: true } })).toEqual({
      _sum: { count: 0n },
    })
  })

  test('is empty in a project without events, and of another project', async () => {
    expect(await get('top-events')).toEqual([])
    await happen('seen', 1)
    await countWholeLog(world)
    expect(await get('top-events', (await sendingProject(world)).secret)).toEqual([])
  })

  test.each(['limit=0', 'limit=101', 'tracked=perhaps', 'startDate=2020-01-01', 'startDate=soon'])(
    'refuses ?%s with 400',
    async (query) => {
      expect((await get(`top-events?${query}`)).error.code).toBe('BAD_REQUEST')
    },
  )
})
