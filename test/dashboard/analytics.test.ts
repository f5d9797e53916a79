import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { statement } from '../../src/kit/postgres/db.ts'
import { openBrowser } from '../help/browser.ts'
import { drafted } from '../help/campaigns.ts'
import { accessibilityProblems, openWindow, press, settled } from '../help/dashboard.ts'
import { sendingProject } from '../help/mails.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'
import { freshProject } from '../help/world.ts'

const server = await testServer({ running: true, worker: true })
const { projectId, secret } = await freshProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
const browser = await openBrowser()

const count = statement<object>(
  'test_count_quarter',
  `insert into email_quarters (project_id, at, sent, delivered, opened, clicked, machine_opened, machine_clicked, bounced, complained, failed, unsubscribed)
   values ($1, $2, $3, $3, 4, 1, 7, 2, 3, 0, 0, 1)`,
)
await server.world.db.run(count, [projectId, new Date('2026-03-01T20:00:00Z'), 25])
await server.world.db.run(count, [projectId, new Date('2026-03-04T08:00:00Z'), 1_000])

async function saved(page: Page, name: string): Promise<string[]> {
  const download = page.waitForEvent('download')
  await press(page.getByRole('button', { name }))
  return (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
}

test('the days of the viewer’s time zone are a chart that is read by keyboard, a table and a file, and machines stand apart', async () => {
  const { page, context, trouble } = await openWindow(browser, server, { cookie, timezone: 'Asia/Tokyo' })
  await page.goto(`${server.url}/app/${projectId}/analytics?period=custom&from=2026-03-01&to=2026-03-05`)
  await settled(page)
  await page.getByText('Time zone: Asia/Tokyo').waitFor()
  const chart = page.getByRole('slider', { name: 'Emails over time' })
  await chart.press('Home')
  expect(await chart.getAttribute('aria-valuetext')).toBe('Sun, 1 Mar 2026: Sent 0, Delivered 0, Opened 0, Clicked 0')
  await chart.press('ArrowRight')
  expect(await chart.getAttribute('aria-valuetext')).toBe('Mon, 2 Mar 2026: Sent 25, Delivered 25, Opened 4, Clicked 1')
  const emails = page.getByRole('region', { name: 'Emails over time', exact: true })
  await emails.getByText('The figures as a table').press('Enter')
  await emails.getByRole('row', { name: 'Wed, 4 Mar 2026 1,000 1,000 4 1' }).waitFor()
  expect(await saved(page, 'Save as CSV: Emails over time')).toEqual([
    'Begins,Day,Sent,Delivered,Opened,Clicked',
    '2026-02-28T15:00:00.000Z,2026-03-01,0,0,0,0',
    '2026-03-01T15:00:00.000Z,2026-03-02,25,25,4,1',
    '2026-03-02T15:00:00.000Z,2026-03-03,0,0,0,0',
    '2026-03-03T15:00:00.000Z,2026-03-04,1000,1000,4,1',
    '2026-03-04T15:00:00.000Z,2026-03-05,0,0,0,0',
  ])
  const machines = page.getByRole('region', { name: 'By machines', exact: true })
  await machines.getByRole('definition').filter({ hasText: '14' }).waitFor()
  await page.getByRole('radio', { name: 'Hour' }).press('Space')
  await page.waitForURL(/interval=HOUR/)
  await emails.getByRole('row', { name: '2 Mar 2026, 05:00 25 25 4 1' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})

test('a period without email says so, days in the wrong order are refused, and events are listed with their change', async () => {
  await server.call('POST /v1/track', { email: 'ada@example.com', event: '=signed up' }, { key: secret })
  // Counts follow the log within two seconds.
  await until(async () =>
    JSON.stringify((await server.call('GET /analytics/top-events', undefined, { key: secret })).body).includes('=signed up'),
  )
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  await page.goto(`${server.url}/app/${projectId}/analytics`)
  await page.getByText('No email was sent in these days').waitFor()
  await page.getByText('No campaign was sent in these days').waitFor()
  await page.getByRole('row', { name: /=signed up 1/ }).waitFor()
  expect(await saved(page, 'Save as CSV: Top events')).toEqual(['Event,Count,Change in percent', "'=signed up,1,100"])
  await page.getByRole('combobox', { name: 'Period' }).selectOption('Other days')
  await page.getByLabel('Last day').fill('2026-03-05')
  await page.getByText('The first day is after the last one.').waitFor()
  await page.getByLabel('First day').fill('2026-03-04')
  await page.getByText('1k', { exact: true }).first().waitFor()
  expect(page.url()).toContain('from=2026-03-04')
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})

test('the best campaigns are those sent in the days that are chosen, in the time zone of the viewer', async () => {
  const { projectId, ctx } = await sendingProject(server.world)
  const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
  for (const [name, sentAt] of [
    ['Spring', '2026-03-01T20:00:00Z'],
    ['Summer', '2026-06-01T08:00:00Z'],
  ] as const) {
    const { id } = await drafted(ctx, { name })
    const data = { status: 'SENT', sentAt: new Date(sentAt), totalRecipients: 10 } as const
    await server.world.db.prisma.campaign.update({ where: { projectId_id: { projectId, id } }, data })
    await server.world.db.prisma.campaignCount.create({ data: { projectId, campaignId: id, sent: 10, opened: 5 } })
  }
  const { page, context, trouble } = await openWindow(browser, server, { cookie, timezone: 'Asia/Tokyo' })
  const campaigns = page.getByRole('region', { name: 'Top campaigns' })
  await page.goto(`${server.url}/app/${projectId}/analytics?period=custom&from=2026-03-02&to=2026-03-31`)
  await campaigns.getByRole('row', { name: /^Spring 2 Mar 2026 10 5 50 %/ }).waitFor()
  expect(await campaigns.getByText('Summer').count()).toBe(0)
  expect((await saved(page, 'Save as CSV: Top campaigns')).map((line) => line.split(',')[0])).toEqual(['Campaign', 'Spring'])
  // In Tokyo it was sent on the next day.
  await page.getByLabel('First day').fill('2026-03-01')
  await page.getByLabel('Last day').fill('2026-03-01')
  await campaigns.getByText('No campaign was sent in these days').waitFor()
  await page.getByLabel('Last day').fill('2026-06-30')
  await campaigns.getByText('Summer').waitFor()
  await campaigns.getByText('Spring').waitFor()
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})
