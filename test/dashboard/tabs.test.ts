import { expect, test } from 'vitest'
import { emailTabs } from '../../src/dashboard/pages/emails/tabs.ts'
import { settingsTabs } from '../../src/dashboard/pages/settings/tabs.ts'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { openBrowser } from '../help/browser.ts'
import { accessibilityProblems, openWindow, settled } from '../help/dashboard.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const server = await testServer({ running: true })
const { projectId, ctx, secret } = await freshProject(server.world)
await createDomain(ctx, { domain: 'acme.test' })
const browser = await openBrowser()
const hostile = `<p style="color: red">Hello <a href="https://example.com/">you</a></p><style>h1 { display: none }</style>
<img src="https://elsewhere.example/a.png"><script>top.document.title = 'taken over'; fetch('https://elsewhere.example/')</script>
<img src="x" onerror="parent.postMessage({ height: 1e9 }, '*')"><iframe src="https://elsewhere.example/"></iframe>`
const message = { to: 'ada@example.com', from: 'hi@acme.test', subject: 'Hello', body: hostile }
const sent = await server.call('POST /v1/send', message, { key: secret })
const email: string = sent.body.data.emails[0].email

test.each(['OWNER', 'MEMBER'] as const)(
  'every tab of settings (and for an owner of an email) is without errors and barriers for %s',
  { timeout: 120_000 },
  async (role) => {
    const { cookie } = await freshUser(server.world, { member: { projectId, role } })
    const { page, context, trouble } = await openWindow(browser, server, { cookie, look: { scheme: 'dark', width: 390 } })
    const settings = settingsTabs.map((tab) => `settings?tab=${tab}`)
    const addresses = role === 'MEMBER' ? settings : [...settings, ...emailTabs.map((tab) => `emails/${email}?tab=${tab}`)]
    for (const address of addresses) {
      await page.goto(`${server.url}/app/${projectId}/${address}`)
      await settled(page)
      expect(await accessibilityProblems(page), address).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth), address).toBeLessThanOrEqual(390)
    }
    expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
    await context.close()
  },
)

test('a tab that a narrow screen has no room for is shown when it is chosen, and the first one where an address names one that is not there', async () => {
  const { cookie } = await freshUser(server.world, { member: { projectId, role: 'OWNER' } })
  const { page, context, trouble } = await openWindow(browser, server, { cookie, look: { scheme: 'dark', width: 390 } })
  for (const tab of ['danger', 'project'] as const) {
    await page.goto(`${server.url}/app/${projectId}/settings?tab=${tab}`)
    const { x = -1, width = 0 } = (await page.locator('.tabs [aria-current]').boundingBox()) ?? {}
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(390)
  }
  const { id } = (await server.call('POST /segments', { name: 'Testers', type: 'STATIC' }, { key: secret })).body
  await page.goto(`${server.url}/app/${projectId}/segments/${id}?tab=rule`)
  await page.getByRole('button', { name: 'Add by address' }).waitFor()
  expect(await page.locator('.tabs [aria-current]').textContent()).toBe('Members')
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})

test('the HTML of an email is shown in a frame that runs none of its scripts, asks no other site, and reaches nothing of the page', async () => {
  const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  await page.goto(`${server.url}/app/${projectId}/emails/${email}?tab=html`)
  const frame = page.frameLocator('iframe[title="The email as HTML"]')
  await frame.getByRole('link', { name: 'you' }).waitFor()
  const content = page.frames().find((one) => one.url().includes('/app/frame.html'))
  expect(await content?.evaluate(() => [window.origin, document.scripts.length, document.querySelector('iframe')])).toEqual([
    'null',
    0,
    null,
  ])
  expect(await frame.getByText('Hello').evaluate((element) => getComputedStyle(element).color)).toBe('rgb(255, 0, 0)')
  await expect.poll(() => page.title()).toContain('Hello')
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})
