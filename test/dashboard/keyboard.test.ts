import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { openWindow, press, settled } from '../help/dashboard.ts'
import { sendingProject } from '../help/mails.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'

const server = await testServer({ running: true })
const { projectId, secret } = await sendingProject(server.world)
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
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').first().waitFor({ state: 'detached' })
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
  await page.getByRole('combobox', { name: 'Search' }).waitFor()
  await page.keyboard.type('ada@')
  await page.getByRole('option', { name: /ada@example.com/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'ada@example.com', level: 1 }).waitFor()
  expect(page.url()).toContain('/contacts/cnt_')
})

const searchIsFocused = () =>
  expect.poll(() => opened.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Search')

test('the command palette finds templates, campaigns and segments by name, and does what has a name', async () => {
  const { page } = opened
  const call = (route: string, body: object) => server.call(route, body, { key: secret })
  const content = { name: 'Spring greetings', subject: 'Hello', body: '<p>Hello</p>', from: 'hi@demo.test' }
  await call('POST /templates', content)
  await call('POST /campaigns', { ...content, audienceType: 'ALL' })
  await call('POST /segments', { name: 'Spring people', condition: { field: 'subscribed', operator: 'equals', value: true } })
  const choose = async (words: string, option: RegExp) => {
    await page.keyboard.press('Control+k')
    await searchIsFocused()
    await page.keyboard.insertText(words)
    const wanted = page.getByRole('option', { name: option })
    await wanted.waitFor()
    while ((await wanted.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  }
  await open(`/${projectId}`)
  await choose('spring', /Spring greetings Template/)
  await page.getByRole('heading', { name: 'Spring greetings', level: 1 }).waitFor()
  expect(page.url()).toContain('/templates/tpl_')
  await choose('spring', /Spring greetings Campaign/)
  await page.getByRole('link', { name: '1 Audience' }).waitFor()
  await choose('spring', /Spring people Segment/)
  await page.getByRole('heading', { name: 'Spring people', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await searchIsFocused()
  await page.keyboard.insertText('new')
  // “Projects” is found by a word of it, and comes after what is called so.
  await expect.poll(() => page.getByRole('option').first().textContent()).toContain('New')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  await choose('new template', /New template/)
  await page.getByRole('dialog', { name: 'New template' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  await choose('sender', /Add a domain/)
  await page.getByRole('dialog', { name: 'Add a domain' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  await choose('dark', /Dark colours/)
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
  await choose('theme system', /Colours as the system/)
  await choose('help', /Keyboard shortcuts/)
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
})

test('at 200 %, nothing of a page is cut off, and it is reached by keyboard', async () => {
  // A window of 1280 px at 200 % has 640 px of its own (WCAG 2.2, 1.4.4 and 1.4.10).
  const { page, context } = await openWindow(browser, server, { cookie })
  await page.setViewportSize({ width: 640, height: 400 })
  for (const path of ['', '/contacts', '/segments/new', '/campaigns', '/settings?tab=keys']) {
    await page.goto(`${server.url}/app/${projectId}${path}`)
    await settled(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(640)
  }
  await press(page.getByRole('button', { name: 'Pages' }))
  await page.getByRole('dialog').getByRole('link', { name: 'Contacts' }).press('Enter')
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
  await press(page.getByRole('button', { name: 'Add a contact' }).first())
  await page.getByRole('dialog').getByLabel('Email address').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  await context.close()
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
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
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
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
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
