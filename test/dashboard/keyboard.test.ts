import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { openWindow, settled } from '../help/dashboard.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const server = await testServer({ running: true })
const { projectId, secret } = await freshProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'OWNER' } })
await server.call('POST /v1/track', { email: 'ada@example.com', event: 'signed up' }, { key: secret })
const browser = await openBrowser()
let opened: Awaited<ReturnType<typeof openWindow>>
beforeAll(async () => {
  opened = await openWindow(browser, server, { cookie })
})
afterAll(() => opened.context.close())

async function open(path: string): Promise<void> {
  await opened.page.goto(`${server.url}/app${path}`)
  await settled(opened.page)
}

const focused = () =>
  opened.page.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.getAttribute('aria-label'))

test.each(['Open a dialog', 'Open a drawer', 'Delete something'])(
  '“%s”: Escape closes it, and the focus returns to the button',
  async (name) => {
    const { page } = opened
    await open('/parts')
    await page.getByRole('button', { name }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(focused).toBe(name)
  },
)

test('the command palette finds pages and contacts, and leads to them', async () => {
  const { page } = opened
  await open(`/${projectId}`)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).waitFor()
  await page.keyboard.type('activ')
  await page.getByRole('option', { name: /Activity/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor()
  await expect.poll(focused).toBe('Activity')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('ada@')
  await page.getByRole('option', { name: /ada@example.com/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /Contact: ada@example.com/ }).waitFor()
  expect(page.url()).toContain('contact=cnt_')
})

test('single letters lead to pages and show the keys, until they are turned off', async () => {
  const { page } = opened
  await open(`/${projectId}`)
  await page.keyboard.press('g')
  await page.keyboard.press('e')
  await page.getByRole('heading', { name: 'Emails', level: 1 }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.getByLabel('Use the keys that are single letters').press('Space')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search or go to' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
  await page.keyboard.press('Escape')
})

test('a row of the feed opens its details by keyboard, which have an address, and Escape leads back to the row', async () => {
  const { page } = opened
  await open(`/${projectId}/activity`)
  const row = page.getByRole('link', { name: /signed up/ })
  await row.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'signed up' }).waitFor()
  const address = page.url()
  expect(address).toContain('item=evt_')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.goto(address)
  await page.getByRole('dialog', { name: 'signed up' }).waitFor()
  await page.getByText('ada@example.com').last().waitFor()
})

test('the first key of a page leads past the navigation', async () => {
  const { page } = opened
  await open(`/${projectId}`)
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Skip to the page')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
})
