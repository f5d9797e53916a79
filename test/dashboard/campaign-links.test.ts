import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { recordEngaged } from '../../src/modules/emails/tracking/record.ts'
import { openBrowser } from '../help/browser.ts'
import { accessibilityProblems, openWindow, press } from '../help/dashboard.ts'
import { sendingProject } from '../help/mails.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'

const server = await testServer({ running: true, worker: true, env: { EMAIL_TRANSPORT: 'capture' } })
const { projectId, secret } = await sendingProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
const browser = await openBrowser()
const call = (route: string, body?: unknown) => server.call(route, body, { key: secret })
const person = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15'

test('the report of a campaign shows its links as they are followed, with people apart from programs, and as a file', async () => {
  await call('POST /contacts', { email: 'ada@example.com', subscribed: true })
  const draft = { name: 'News', subject: 'News', body: '<p>Hi</p>', from: 'hi@demo.test', audienceType: 'ALL' }
  const { id } = (await call('POST /campaigns', draft)).body.data
  await call(`POST /campaigns/${id}/send`, {})
  const sent = async () => (await call(`GET /campaigns/${id}`)).body.status === 'SENT'
  await until(sent)
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  await page.goto(`${server.url}/app/${projectId}/campaigns/${id}`)
  await page.getByRole('link', { name: 'Links' }).press('Enter')
  await page.getByText('No link has been followed yet').waitFor()
  const [email] = await server.world.db.prisma.email.findMany({ where: { projectId } })
  // What follows sending at once is a program's.
  server.world.clock.turn(70_000)
  const link = 'https://example.com/pricing'
  await recordEngaged(server.world, { projectId, id: email?.id ?? '', link, userAgent: person })
  await recordEngaged(server.world, { projectId, id: email?.id ?? '', link, userAgent: 'Googlebot/2.1' })
  await page.getByRole('row', { name: 'https://example.com/pricing 1 1 1' }).waitFor()
  expect(await page.getByRole('link', { name: link }).getAttribute('rel')).toContain('noreferrer')
  const download = page.waitForEvent('download')
  await press(page.getByRole('button', { name: 'Save as CSV: Links' }))
  expect(await readFile(await (await download).path(), 'utf8')).toBe(
    'Link,People,Clicks by people,Clicks by programs\r\nhttps://example.com/pricing,1,1,1\r\n',
  )
  expect(await accessibilityProblems(page)).toEqual([])
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})
