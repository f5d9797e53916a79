import { afterAll, beforeAll, expect, test } from 'vitest'
import { liftSuspension, suspendProject } from '../../src/modules/security/suspensions.ts'
import { openBrowser } from '../help/browser.ts'
import { goTo, openWindow, press, settled } from '../help/dashboard.ts'
import { watching } from '../help/live.ts'
import { freshUser } from '../help/people.ts'
import { proxyTo } from '../help/proxy.ts'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'
import { freshProject } from '../help/world.ts'

const server = await testServer({ running: true })
const { world, call } = server
const browser = await openBrowser()
const { projectId, secret, ctx } = await freshProject(world)
const { cookie, userId } = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
// The browser goes through it, so that its connections can be cut.
const proxy = await proxyTo(server.url)
const url = proxy.url.replace(/\/$/, '')

const track = (event: string) => call('POST /v1/track', { email: 'ada@example.com', event }, { key: secret })

let opened: Awaited<ReturnType<typeof openWindow>>
beforeAll(async () => {
  opened = await openWindow(browser, { url }, { cookie })
  await opened.page.goto(`${url}/app/${projectId}/activity`)
  await settled(opened.page)
  await until(async () => (await watching(world)) === 1)
})
afterAll(() => opened.context.close())

/** Whether a list has drawn what is in sight of it, which it does a moment after it was scrolled. */
function isDrawn(list: Element): boolean {
  const { top, bottom } = list.getBoundingClientRect()
  const lines = [...list.querySelectorAll('li')]
  const covers = (y: number) => lines.some((line) => line.getBoundingClientRect().top <= y && line.getBoundingClientRect().bottom >= y)
  const end = Math.max(...lines.map((line) => Number(line.ariaPosInSet)))
  return covers(top + 2) && (covers(bottom - 2) || String(end) === lines[0]?.ariaSetSize)
}

const row = (event: string) => opened.page.getByRole('link', { name: event })

test('an event that is tracked over REST appears in the feed by itself', async () => {
  await opened.page.getByText('Nothing has happened yet').waitFor()
  await track('signed up')
  await row('signed up').waitFor()
})

test('while it is paused, what arrives is counted and held back, until it goes on', async () => {
  const { page } = opened
  await page.getByRole('button', { name: 'Pause' }).click()
  await track('held back one')
  await track('held back two')
  await page.getByRole('button', { name: '2 new' }).waitFor()
  expect(await row('held back').count()).toBe(0)
  await page.getByRole('button', { name: 'Go on' }).click()
  await row('held back two').waitFor()
  expect(await row('held back').count()).toBe(2)
})

test('after the connection was cut, what happened meanwhile is shown, each once', async () => {
  const { page } = opened
  await track('before the cut')
  await row('before the cut').waitFor()
  const feed = page.getByRole('region', { name: /newest first/ })
  const length = async () => Number(await feed.locator('li').first().getAttribute('aria-setsize'))
  const before = await length()
  proxy.cut()
  await page.getByText('The connection is lost').waitFor()
  const names = Array.from({ length: 50 }, (_, at) => `missed-${String(at).padStart(2, '0')}`)
  await Promise.all(names.map(track))
  proxy.restore()
  // Only what is in sight is drawn: the list says how long it is.
  await expect.poll(length, { timeout: 40_000 }).toBe(before + 50)
  const seen = new Set<string>()
  await feed.focus()
  for (let top = 0; top <= (before + 50) * 40; top += 400) {
    await feed.evaluate((element, y) => element.scrollTo({ top: y }), top)
    await expect.poll(() => feed.evaluate(isDrawn)).toBe(true)
    // All that is drawn at one moment: rows are replaced while the list moves.
    const lines = await feed
      .locator('li')
      .evaluateAll((all) => all.map((li) => `${/missed-\d\d/.exec(li.textContent)} ${li.querySelector('a')?.href}`))
    for (const line of lines) if (line.startsWith('missed-')) seen.add(line)
  }
  // The address of a row ends in the id of what it says: one that was shown twice would be here twice.
  const shown = [...seen].map((line) => line.slice(0, 'missed-00'.length))
  expect(shown.sort()).toEqual(names)
  await page.getByText('The connection is lost').waitFor({ state: 'detached' })
})

test('a suspension, its end and another role are seen on the page that is open', async () => {
  const { page } = opened
  await goTo(page, `${url}/app/${projectId}/settings`)
  await page.getByText('only admins and owners can change its settings').waitFor()
  await suspendProject(ctx, { reason: 'MANUAL', detail: 'Reported by three recipients.' })
  await page.getByText('This project is suspended').waitFor()
  await liftSuspension(ctx)
  await page.getByText('This project is suspended').waitFor({ state: 'detached' })
  const owner = await freshUser(world, { member: { projectId, role: 'OWNER' } })
  await call(`PATCH /projects/${projectId}/members/${userId}`, { role: 'ADMIN' }, { cookie: owner.cookie })
  await page.getByText('only admins and owners can change its settings').waitFor({ state: 'detached' })
  expect(await page.getByLabel('Name', { exact: true }).isEditable()).toBe(true)
})

test('who is signed in stays known while the server cannot be reached', async () => {
  const { page } = opened
  const name = page.getByLabel('Name', { exact: true })
  const stored = await name.inputValue()
  await name.fill('Typed')
  await page.route('**/graphql', (route) => route.abort())
  const failed = page.waitForEvent('requestfailed')
  // As when the tab is shown again.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await failed
  await page.getByText('What you see may be out of date').waitFor()
  await page.unroute('**/graphql')
  await page.getByText('What you see may be out of date').waitFor({ state: 'detached' })
  expect(await name.inputValue()).toBe('Typed')
  await name.fill(stored)
})

test('a session that is ended elsewhere leads to signing in, and then back to the page', async () => {
  const { page } = opened
  await call('DELETE /users/@me/sessions/x', undefined, { cookie })
  const [session] = (await call('GET /users/@me/sessions', undefined, { cookie })).body.data
  await call(`DELETE /users/@me/sessions/${session.id}`, undefined, { cookie })
  await press(page.getByRole('dialog', { name: 'Your session has ended' }).getByRole('button', { name: 'Leave' }))
  await page.waitForURL(/\/app\/sign-in\?next=/)
  expect(new URL(page.url()).searchParams.get('next')).toContain(`/${projectId}/settings`)
})
