import { expect, test } from 'vitest'
import { countAnalytics } from '../../src/modules/analytics/count.ts'
import { openBrowser } from '../help/browser.ts'
import { openWindow, settled } from '../help/dashboard.ts'
import { watching } from '../help/live.ts'
import { accept, sendingProject, turnAndSweep } from '../help/mails.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'

const server = await testServer({ running: true })
const { world } = server
const { projectId, ctx, secret } = await sendingProject(world)
const { cookie } = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
const browser = await openBrowser()

// No worker runs: what was counted is in the hands of the tests. The clock of a page stands still until it is turned.
async function openPage(path: string) {
  const opened = await openWindow(browser, server, { cookie })
  const now = Date.now()
  await opened.page.clock.install({ time: now - 60_000 })
  await opened.page.clock.pauseAt(now)
  const subscribers = await watching(world)
  await opened.page.goto(`${server.url}/app/${projectId}/${path}`)
  await settled(opened.page)
  await until(async () => (await watching(world)) > subscribers)
  return opened
}

const count = async () => {
  while (await countAnalytics(world));
}

test('a page that is opened before an event was counted shows the count without another event', async () => {
  await accept(ctx)
  await turnAndSweep(world, 0)
  const { page, context, trouble } = await openPage('')
  const sent = page.locator('.tile').filter({ hasText: 'Sent' }).locator('.tile-count')
  await expect.poll(() => sent.textContent()).toBe('0')
  await count()
  await page.clock.runFor(3_000)
  await expect.poll(() => sent.textContent()).toBe('1')
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})

test('a page that is turned to before an event was counted does as well', async () => {
  const { page, context } = await openPage('emails')
  // Long after the stream began.
  await page.clock.runFor(60_000)
  await server.call('POST /v1/track', { email: 'ada@example.com', event: 'signed up' }, { key: secret })
  await accept(ctx)
  await turnAndSweep(world, 0)
  await expect
    .poll(async () => {
      await page.clock.runFor(200)
      return page.getByRole('row').count()
    })
    .toBe(3)
  await page.getByRole('link', { name: 'Analytics' }).first().press('Enter')
  const sent = page.locator('.tile').filter({ hasText: 'Sent' }).locator('.tile-count')
  await expect.poll(() => sent.textContent()).toBe('1')
  await count()
  await page.clock.runFor(3_000)
  await expect.poll(() => sent.textContent()).toBe('2')
  await context.close()
})
