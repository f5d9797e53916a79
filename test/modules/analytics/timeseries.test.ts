import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../src/kit/ids.ts'
import { analyticsReader, countAnalytics, removeOldCounts } from '../../../src/modules/analytics/count.ts'
import { deleteContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import type { LogLine } from '../../../src/modules/events/log.ts'
import { advanceReader } from '../../../src/modules/events/reader/reader.ts'
import { asker } from '../../help/ask.ts'
import { countWholeAnalytics } from '../../help/counted.ts'
import { graphql } from '../../help/graphql/gql.ts'
import { logEvents } from '../../help/lines.ts'
import { testServer } from '../../help/server.ts'
import { freshProject, logSettled, testWorld } from '../../help/world.ts'

const { call, url, world } = await testServer()
const other = await testWorld({ databaseUrl: world.databaseUrl })

let project: Awaited<ReturnType<typeof freshProject>>
beforeEach(async () => {
  project = await freshProject(world)
})

interface Point {
  date: string
  day: string
  emails: number
  opens: number
}
const get = async (query = '', key = project.secret) => (await call(`GET /analytics/timeseries?${query}`, undefined, { key })).body
const points = async (query: string): Promise<Point[]> => get(query)

/** Logs lines at a time. */
async function at(time: string, ...lines: LogLine[]): Promise<void> {
  await logEvents(world, project.projectId, lines, new Date(time))
}
const sent: LogLine = { name: 'email.sent' }
const by = (name: string, data: object): LogLine => ({ name, data })
const outcomes = { complained: 0, failed: 0, unsubscribed: 0 }
const none = { emails: 0, delivered: 0, opens: 0, clicks: 0, bounces: 0, machineOpens: 0, machineClicks: 0, ...outcomes }

// Some counts have other names in GraphQL.
const asInGraphql = (point: object) => {
  const { date, emails, opens, clicks, bounces, machineOpens, machineClicks, ...rest } = point as typeof none & { date: string }
  return {
    ...rest,
    start: date,
    sent: emails,
    opened: opens,
    clicked: clicks,
    bounced: bounces,
    machineOpened: machineOpens,
    machineClicked: machineClicks,
  }
}

const Series = graphql(`
  query Series($startDate: Date, $endDate: Date, $timezone: String, $interval: TimeseriesInterval) {
    timeseries(startDate: $startDate, endDate: $endDate, timezone: $timezone, interval: $interval) {
      start day sent delivered opened clicked bounced machineOpened machineClicked complained failed unsubscribed
    }
  }
`)

describe('GET /analytics/timeseries', () => {
  test('counts what became of emails by day, with what machines did apart and nothing but what people did first', async () => {
    await at('2026-05-01T10:00:00Z', sent, sent, sent, by('email.delivery', {}), by('email.delivery', {}), { name: 'signed-up' })
    await at(
      '2026-05-01T23:59:59.999Z',
      by('email.open', { bot: false, isFirstByPerson: true }),
      by('email.open', { bot: false, isFirstByPerson: false }),
      by('email.open', { bot: true, isFirstByPerson: false }),
    )
    await at(
      '2026-05-03T00:00:00Z',
      by('email.click', { bot: false, isFirstByPerson: true }),
      by('email.click', { bot: true, isFirstByPerson: false }),
      by('email.click', { bot: true, isFirstByPerson: false }),
      by('email.bounce', { bounceType: 'Permanent' }),
      by('email.bounce', { bounceType: 'Transient' }),
    )
    await countWholeAnalytics(world)
    const expected = [
      { date: '2026-05-01T00:00:00.000Z', day: '2026-05-01', ...none, emails: 3, delivered: 2, opens: 1, machineOpens: 1 },
      { date: '2026-05-02T00:00:00.000Z', day: '2026-05-02', ...none },
      { date: '2026-05-03T00:00:00.000Z', day: '2026-05-03', ...none, clicks: 1, machineClicks: 2, bounces: 1 },
    ]
    expect(await get('startDate=2026-05-01&endDate=2026-05-03')).toEqual(expected)
    const { data } = await asker(url, project.secret)(Series, { startDate: '2026-05-01', endDate: '2026-05-03' })
    expect(data?.timeseries).toEqual(expected.map(asInGraphql))
  })

  test('counts an email that was refused at once because of its address as sent, also by a version that did not say so', async () => {
    const { projectId, ctx } = project
    const time = new Date('2026-05-01T10:00:00Z')
    const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
    const contentId = newId('content', time)
    await world.db.prisma.emailContent.create({
      data: { projectId, id: contentId, type: 'MARKETING', subject: 'Hi', html: '', fromAddress: 'a@acme.test', createdAt: time },
    })
    const row = { projectId, contactId, contentId, toAddress: 'ada@example.com', subject: 'Hi', createdAt: time, updatedAt: time }
    const [atOnce = '', before = '', later = '', early = ''] = Array.from({ length: 4 }, () => newId('email', time))
    await world.db.prisma.email.create({ data: { ...row, id: atOnce, status: 'BOUNCED' } })
    await world.db.prisma.email.create({ data: { ...row, id: before, status: 'BOUNCED' } })
    await world.db.prisma.email.create({ data: { ...row, id: later, status: 'BOUNCED', sentAt: time } })
    // Reported before its worker knows that the mail server has accepted it.
    await world.db.prisma.email.create({ data: { ...row, id: early, status: 'BOUNCED' } })
    await at(
      time.toISOString(),
      { ...sent, emailId: later },
      { name: 'email.bounce', emailId: later },
      { name: 'email.bounce', emailId: atOnce, data: { refused: true } },
      { name: 'email.bounce', emailId: before, data: { bounceType: 'Permanent', bouncedAt: time, reason: '550 5.1.1 No such user' } },
      { name: 'email.bounce', emailId: early, data: { refused: false, early: true } },
    )
    await countWholeAnalytics(world)
    await at(time.toISOString(), { ...sent, emailId: early, data: { bounced: true } })
    await countWholeAnalytics(world)
    expect(await get('startDate=2026-05-01&endDate=2026-05-01')).toMatchObject([{ emails: 4, bounces: 4 }])
  })

  test('has the last 30 days by default, today included, without gaps in a project without emails', async () => {
    const series = await points('')
    const today = world.clock.now().toISOString().slice(0, 10)
    expect(series).toHaveLength(30)
    expect(series.at(-1)).toEqual({ date: `${today}T00:00:00.000Z`, day: today, ...none })
    const { data } = await asker(url, project.secret)(Series, { startDate: null })
    expect(data?.timeseries).toEqual(series.map(asInGraphql))
    expect(await get(`endDate=${today}`)).toEqual(series)
  })

  test('has days of the time zone: of 23 and 25 hours where clocks change', async () => {
    // The last quarter of 28 March, the first and the last one of 29 March, and the first one of 30 March in Berlin.
    for (const time of ['2026-03-28T22:45:00Z', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z'])
      await at(time, sent)
    for (const time of ['2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z', '2026-10-25T23:00:00Z']) await at(time, sent)
    await countWholeAnalytics(world)
    const emails = async (query: string) => (await points(`timezone=Europe/Berlin&${query}`)).map(({ date, emails }) => [date, emails])
    expect(await emails('startDate=2026-03-28&endDate=2026-03-30')).toEqual([
      ['2026-03-27T23:00:00.000Z', 1],
      ['2026-03-28T23:00:00.000Z', 2],
      ['2026-03-29T22:00:00.000Z', 1],
    ])
    expect(await emails('startDate=2026-10-25&endDate=2026-10-26')).toEqual([
      ['2026-10-24T22:00:00.000Z', 2],
      ['2026-10-25T23:00:00.000Z', 1],
    ])
    const hours = async (day: string) => points(`timezone=Europe/Berlin&interval=HOUR&startDate=${day}&endDate=${day}`)
    expect([(await hours('2026-03-29')).length, (await hours('2026-10-25')).length]).toEqual([23, 25])
    expect((await hours('2026-10-25')).flatMap(({ date, emails: count }) => (count ? [date] : []))).toEqual([
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T22:00:00.000Z',
    ])
  })

  test('is exact in zones whose offset is no whole hour', async () => {
    await at('2026-05-01T18:14:59.999Z', sent)
    await at('2026-05-01T18:15:00.000Z', sent, sent)
    await countWholeAnalytics(world)
    const series = await points('timezone=Asia/Kathmandu&startDate=2026-05-01&endDate=2026-05-02')
    expect(series.map(({ day, emails }) => [day, emails])).toEqual([
      ['2026-05-01', 1],
      ['2026-05-02', 2],
    ])
  })

  test('takes a moment for the day that it belongs to in the time zone', async () => {
    const [point, ...more] = await points('timezone=America/New_York&startDate=2026-05-02T03:00:00Z&endDate=2026-05-01T23:00:00-04:00')
    expect([point?.day, more]).toEqual(['2026-05-01', []])
  })

  test('has weeks from Monday on and months, cut off by the range', async () => {
    for (const day of ['04-30', '05-01', '05-03', '05-04', '05-31', '06-01', '06-02']) await at(`2026-${day}T12:00:00Z`, sent)
    await countWholeAnalytics(world)
    const parts = async (interval: string) =>
      (await points(`startDate=2026-05-01&endDate=2026-06-01&interval=${interval}`)).map(({ day, emails }) => [day, emails])
    expect(await parts('MONTH')).toEqual([
      ['2026-05-01', 4],
      ['2026-06-01', 1],
    ])
    expect(await parts('WEEK')).toEqual([
      ['2026-05-01', 2],
      ['2026-05-04', 1],
      ['2026-05-11', 0],
      ['2026-05-18', 0],
      ['2026-05-25', 1],
      ['2026-06-01', 1],
    ])
  })

  test.each([
    ['timezone=Mars/Olympus', '"timezone" must be the IANA name of a time zone, such as Europe/Berlin.'],
    ['timezone=%2B02:00', '"timezone" must be the IANA name of a time zone, such as Europe/Berlin.'],
    ['startDate=yesterday', '"startDate" must be a day such as 2026-01-31, or a moment such as 2026-01-31T09:30:00Z.'],
    ['endDate=2026-02-30', '"endDate" must be a day such as 2026-01-31, or a moment such as 2026-01-31T09:30:00Z.'],
    ['endDate=1999-12-31', '"endDate" must be in the years 2000 to 2999.'],
    ['endDate=9999-12-31', '"endDate" must be in the years 2000 to 2999.'],
    ['startDate=2026-05-02&endDate=2026-05-01', '"startDate" must not be after endDate, which is 2026-05-01.'],
    ['startDate=2025-05-01&endDate=2026-05-02', '"startDate" must be at most 366 days before the end: these are 367 days.'],
    ['startDate=2026-05-01&endDate=2026-06-01&interval=HOUR', '"startDate" must be at most 31 days before the end: these are 32 days.'],
    ['interval=MINUTE', '"interval" must be one of HOUR, DAY, WEEK, MONTH.'],
  ])('refuses ?%s with 400', async (query, message) => {
    const { error } = await get(query)
    expect([error.code, error.message]).toEqual(['BAD_REQUEST', message])
  })

  test('refuses the same in GraphQL, naming the argument', async () => {
    const ask = asker(url, project.secret)
    const refused = async (variables: object) => (await ask(Series, variables)).errors[0]?.extensions.errors
    expect(await refused({ timezone: 'Mars/Olympus' })).toMatchObject([{ field: 'timezone' }])
    expect(await refused({ startDate: '2024-01-01', endDate: '2026-01-01' })).toMatchObject([{ field: 'startDate' }])
    expect((await ask(Series, { startDate: '2026-02-30' })).errors[0]?.message).toContain('A Date must be a day of the calendar')
    expect((await ask(Series, {})).extensions.cost?.requested).toBe(75)
  })

  test('shows nothing of another project', async () => {
    await at('2026-05-01T10:00:00Z', sent)
    await countWholeAnalytics(world)
    const { secret } = await freshProject(world)
    expect(await get('startDate=2026-05-01&endDate=2026-05-01', secret)).toMatchObject([none])
  })
})

describe('the counts', () => {
  const today = async () => get('startDate=2026-05-01&endDate=2026-05-01')

  test('are the same after a crash in the middle of a batch, and when two processes count', async () => {
    await at('2026-05-01T10:00:00Z', ...Array<LogLine>(5).fill(sent))
    await logSettled(world)
    const crashing: typeof analyticsReader = {
      ...analyticsReader,
      async handle(...args) {
        await analyticsReader.handle(...args)
        throw new Error('crashed after counting')
      },
    }
    expect(await advanceReader(world, crashing)).toBe(true)
    expect(await today()).toMatchObject([none])
    await Promise.all([countAnalytics(world), countAnalytics(other)])
    await countWholeAnalytics(world)
    expect(await today()).toMatchObject([{ emails: 5 }])
    expect(await countAnalytics(world)).toBe(false)
    expect(await today()).toMatchObject([{ emails: 5 }])
  })

  test('stay when the contact is deleted', async () => {
    const { id } = await upsertContact(project.ctx, { email: 'ada@example.com' })
    await at('2026-05-01T10:00:00Z', { ...sent, contactId: id })
    await countWholeAnalytics(world)
    await deleteContact(project.ctx, { id })
    await countWholeAnalytics(world)
    expect(await today()).toMatchObject([{ emails: 1 }])
  })

  test('are removed after 25 months', async () => {
    const monthsAgo = (months: number) => {
      const time = world.clock.now()
      time.setUTCMonth(time.getUTCMonth() - months, 15)
      return time
    }
    const day = (time: Date) => time.toISOString().slice(0, 10)
    for (const months of [24, 27]) await at(monthsAgo(months).toISOString(), sent)
    await countWholeAnalytics(world)
    expect(await removeOldCounts(world)).toBe(false)
    const counted = async (time: Date) => (await points(`startDate=${day(time)}&endDate=${day(time)}`))[0]?.emails
    expect([await counted(monthsAgo(24)), await counted(monthsAgo(27))]).toEqual([1, 0])
  })
})
