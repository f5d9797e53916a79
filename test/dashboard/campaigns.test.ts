import { expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { accessibilityProblems, openWindow, press } from '../help/dashboard.ts'
import { sendingProject } from '../help/mails.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'

const server = await testServer({ running: true, worker: true })
const { projectId, secret } = await sendingProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
const browser = await openBrowser()
const call = (route: string, body?: unknown) => server.call(route, body, { key: secret })
for (const name of ['ada', 'grace', 'joan']) await call('POST /contacts', { email: `${name}@example.com`, subscribed: name !== 'joan' })

test('a campaign is written, sent with its number typed, watched, and copied for those who have not opened it', async () => {
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  await page.goto(`${server.url}/app/${projectId}/campaigns`)
  await press(page.getByRole('button', { name: 'New campaign' }))
  await page.getByLabel('Name').fill('Spring news')
  await page.getByLabel('Subject').fill('News')
  await page.getByLabel('Written as').selectOption('HTML')
  await press(page.getByRole('button', { name: 'Create a draft' }))
  await page.getByText('Have unsubscribed').waitFor()
  await press(page.getByRole('button', { name: 'Continue' }))
  await page.getByRole('textbox', { name: 'HTML' }).waitFor()
  await page.frameLocator('iframe').getByText('Write your email here').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByLabel('Preview text').fill('What is new')
  await press(page.getByRole('button', { name: 'Save and continue' }))
  await page.getByText('Have unsubscribed').waitFor()
  await press(page.getByRole('button', { name: 'Send now…', disabled: false }))
  const confirmation = page.getByRole('button', { name: 'Send to 2' })
  expect(await confirmation.isDisabled()).toBe(true)
  await page.getByLabel('Type “2” to confirm').fill('2')
  await press(confirmation)
  await page.getByText('Sent', { exact: true }).first().waitFor()
  await page.getByRole('definition').filter({ hasText: /^2/ }).first().waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('link', { name: 'Recipients' }).press('Enter')
  await page.getByRole('link', { name: 'ada@example.com' }).waitFor()
  await page.getByLabel('What became of them').selectOption('EXCLUDED')
  await page.getByText('joan@example.com').waitFor()
  await press(page.getByRole('button', { name: 'More' }))
  await press(page.getByRole('menuitem', { name: 'Duplicate for those who have not opened it' }))
  await page.getByRole('heading', { name: 'Spring news (Copy)' }).waitFor()
  await page.getByText('who have not opened it').waitFor()
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})

test('a campaign that is being sent is paused, slowed down and cancelled, and what a program does to it is shown', async () => {
  const draft = { name: 'Slow news', subject: 'News', body: '<p>Hi</p>', from: 'hi@demo.test', audienceType: 'ALL', maxPerHour: 1 }
  const { id } = (await call('POST /campaigns', draft)).body.data
  await call(`POST /campaigns/${id}/send`, {})
  const { page, context } = await openWindow(browser, server, { cookie })
  await page.goto(`${server.url}/app/${projectId}/campaigns/${id}`)
  await press(page.getByRole('button', { name: 'Pause' }))
  await page.getByText('Paused').first().waitFor()
  expect((await call(`GET /campaigns/${id}`)).body.paused).toBe(true)
  await call(`POST /campaigns/${id}/resume`)
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await page.getByLabel('Emails per hour at most').fill('2')
  await press(page.getByRole('button', { name: 'Apply' }))
  await page.getByText('At most 2 emails per hour').waitFor()
  expect((await call(`GET /campaigns/${id}`)).body.maxPerHour).toBe(2)
  expect(await accessibilityProblems(page)).toEqual([])
  await press(page.getByRole('button', { name: 'Cancel…' }))
  await page.getByLabel('Type “Slow news” to confirm').fill('Slow news')
  await press(page.getByRole('button', { name: 'Cancel the campaign' }))
  await page
    .getByText(/^(Cancelled|Draft)$/)
    .first()
    .waitFor()
  await context.close()
})

test('a campaign is scheduled in another time zone, and a time that does not exist there is refused', async () => {
  const draft = { name: 'Later', subject: 'News', body: '<p>Hi</p>', from: 'hi@demo.test', audienceType: 'ALL' }
  const { id } = (await call('POST /campaigns', draft)).body.data
  const { page, context } = await openWindow(browser, server, { cookie })
  await page.goto(`${server.url}/app/${projectId}/campaigns/${id}?tab=review`)
  await press(page.getByRole('button', { name: 'Schedule…', disabled: false }))
  await page.getByLabel('Time zone').selectOption('Europe/Berlin')
  await page.getByLabel('Day and time').fill('2031-03-30T02:30')
  await page.getByText('This time does not exist in that time zone.').waitFor()
  await page.getByLabel('Day and time').fill('2031-07-01T09:00')
  await press(page.getByRole('button', { name: 'Schedule', exact: true }))
  await page.getByText(/It leaves on 1 Jul 2031, 07:00:00/).waitFor()
  expect((await call(`GET /campaigns/${id}`)).body.scheduledAt).toBe('2031-07-01T07:00:00.000Z')
  await page.getByRole('link', { name: 'Campaigns' }).first().press('Enter')
  await page.getByText('Leaves 1 Jul 2031').waitFor()
  await context.close()
})
