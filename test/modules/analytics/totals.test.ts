import { expect, test } from 'vitest'
import type { LogLine } from '../../../src/modules/events/log.ts'
import { asker } from '../../help/ask.ts'
import { countWholeAnalytics, countWholeLog } from '../../help/counted.ts'
import { graphql } from '../../help/graphql/gql.ts'
import { logEvents } from '../../help/lines.ts'
import { queriesOf } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer()
const Totals = graphql(`
  query EmailTotals($startDate: Date, $endDate: Date, $timezone: String) {
    emailTotals(startDate: $startDate, endDate: $endDate, timezone: $timezone) {
      startDate endDate sent delivered opened clicked bounced complained failed unsubscribed
      deliveryRate openRate clickRate bounceRate complaintRate
      previous { startDate endDate sent openRate }
    }
  }
`)
const EventCounts = graphql(
  `query EventCounts($startDate: Date, $endDate: Date) { eventCounts(startDate: $startDate, endDate: $endDate) { name count } }`,
)
const Stats = graphql(
  `query ActivityStats($startDate: Date, $endDate: Date) { activityStats(startDate: $startDate, endDate: $endDate) { totalEvents } }`,
)

async function projectWithLog(): Promise<ReturnType<typeof asker>> {
  const { projectId, secret } = await freshProject(world)
  const at = (time: string, ...lines: LogLine[]) => logEvents(world, projectId, lines, new Date(time))
  const times = (count: number, line: LogLine): LogLine[] => Array.from({ length: count }, () => line)
  await at('2026-05-01T10:00:00Z', ...times(4, { name: 'email.sent' }), { name: 'email.open', data: { isFirstByPerson: true } })
  await at(
    '2026-05-03T10:00:00Z',
    ...times(8, { name: 'email.sent' }),
    ...times(7, { name: 'email.delivery', data: {} }),
    { name: 'email.open', data: { bot: true, replaces: 'FAILED' } },
    { name: 'email.click', data: { isFirstByPerson: true } },
    { name: 'email.complaint', data: {} },
    { name: 'email.failed', data: { status: 'FAILED' } },
    ...times(2, { name: 'email.failed', data: { status: 'REJECTED' } }),
    { name: 'email.failed', data: { status: 'SUPPRESSED' } },
    { name: 'contact.unsubscribed', data: { source: 'one_click' } },
    { name: 'contact.unsubscribed', data: { source: 'bulk' } },
  )
  await at('2026-05-04T23:30:00Z', ...times(2, { name: 'email.sent' }))
  await countWholeAnalytics(world)
  await countWholeLog(world)
  return asker(url, secret)
}

test('emailTotals sums up some days, with rates and as many days before', async () => {
  const ask = await projectWithLog()
  const { reply, queries } = await queriesOf(() => ask(Totals, { startDate: '2026-05-03', endDate: '2026-05-04' }), /email_quarters/)
  expect(reply.data?.emailTotals).toEqual({
    startDate: '2026-05-03',
    endDate: '2026-05-04',
    sent: 10,
    delivered: 7,
    opened: 0,
    clicked: 1,
    bounced: 0,
    complained: 1,
    failed: 2,
    unsubscribed: 1,
    deliveryRate: 70,
    openRate: 0,
    clickRate: 10,
    bounceRate: 0,
    complaintRate: 10,
    previous: {
      startDate: '2026-05-01',
      endDate: '2026-05-02',
      sent: 4,
      openRate: 25,
    },
  })
  expect(queries).toBe(2)
})

test('emailTotals counts days of a time zone, 30 of them by default, at most 366', async () => {
  const ask = await projectWithLog()
  const sent = async (variables: object) => (await ask(Totals, variables)).data?.emailTotals.sent
  expect(await sent({ startDate: '2026-05-03', endDate: '2026-05-04', timezone: 'Europe/Berlin' })).toBe(8)
  const { data } = await ask(Totals, { endDate: '2026-05-30' })
  expect([data?.emailTotals.startDate, data?.emailTotals.sent, data?.emailTotals.previous.endDate]).toEqual([
    '2026-05-01',
    14,
    '2026-04-30',
  ])
  expect(await sent({ startDate: '2020-01-01', endDate: '2020-01-02' })).toBe(0)
  const { errors } = await ask(Totals, { startDate: '2024-01-01', endDate: '2026-01-01' })
  expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'startDate' }] })
})

test('counts of events and of activity take days as well, the last 30 by default', async () => {
  const ask = await projectWithLog()
  const sent = async (variables: object) =>
    (await ask(EventCounts, variables)).data?.eventCounts.find(({ name }) => name === 'email.sent')?.count
  expect(await sent({ startDate: '2026-05-01', endDate: '2026-05-03' })).toBe(12)
  expect([await sent({ endDate: '2026-06-01' }), await sent({ endDate: '2026-06-04' })]).toEqual([10, undefined])
  const total = async (variables: object) => (await ask(Stats, variables)).data?.activityStats.totalEvents
  expect([await total({ startDate: '2026-05-04', endDate: '2026-05-04' }), await total({ endDate: '2026-06-02' })]).toEqual([2, 2])
})
