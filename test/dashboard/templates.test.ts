import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { accessibilityProblems, openWindow, press, settled } from '../help/dashboard.ts'
import { sendingProject } from '../help/mails.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'

const server = await testServer({ running: true })
const { projectId, secret } = await sendingProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
await server.call('POST /contacts', { email: 'ada@example.com', data: { name: 'Ada' } }, { key: secret })
const browser = await openBrowser()
let opened: Awaited<ReturnType<typeof openWindow>>
beforeAll(async () => {
  opened = await openWindow(browser, server, { cookie })
})
afterAll(() => opened.context.close())

let id = ''
beforeEach(async () => {
  const draft = { name: 'Welcome', subject: 'Hello', body: '<p>Hello {{ name }}</p>', from: 'hi@demo.test' }
  id = (await server.call('POST /templates', draft, { key: secret })).body.id
  await opened.page.goto(`${server.url}/app/${projectId}/templates/${id}`)
  await settled(opened.page)
  await opened.page.getByRole('textbox', { name: 'HTML' }).waitFor()
})

const frame = () => opened.page.frameLocator('iframe')
const stored = async () => (await server.call(`GET /templates/${id}`, undefined, { key: secret })).body

async function write(html: string): Promise<void> {
  const { page } = opened
  await page.getByRole('textbox', { name: 'HTML' }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(html)
}

test('a template is made and written by keyboard, beside what a contact gets; errors of Liquid name their place', async () => {
  const { page, trouble } = opened
  await page.goto(`${server.url}/app/${projectId}/templates`)
  await press(page.getByRole('button', { name: 'New template' }))
  await page.getByLabel('Name').fill('Spring news')
  await page.getByLabel('Subject').fill('News for {{ name }}')
  await page.getByLabel('Written as').selectOption('HTML')
  await press(page.getByRole('button', { name: 'Create and write' }))
  await page.getByRole('heading', { name: 'Spring news', level: 1 }).waitFor()
  await write('<p>First</p>\n<p>{% if name %}</p>')
  await press(page.getByRole('button', { name: 'Go to line 2, column 4' }))
  expect(await page.getByRole('textbox', { name: 'HTML' }).evaluate((field) => field.matches(':focus'))).toBe(true)
  await write('<p>Dear {{ name }}, {{ plan }}</p>')
  await frame().getByText('Dear').waitFor()
  await page.getByText('No value for this contact').waitFor()
  await page.getByRole('combobox', { name: 'As this contact gets it' }).pressSequentially('ada@')
  await page.locator('datalist option').first().waitFor({ state: 'attached' })
  await page.keyboard.press('Enter')
  await frame().getByText('Dear Ada').waitFor()
  expect(page.url()).toContain('contact=cnt_')
  expect(await accessibilityProblems(page)).toEqual([])
  await page.keyboard.press('Control+s')
  await page.getByText('Template saved').waitFor()
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
})

test('what somebody else has saved meanwhile is neither lost nor replaced without being asked', async () => {
  const { page } = opened
  await write('<p>Mine</p>')
  await server.call(`PATCH /templates/${id}`, { body: '<p>Theirs</p>' }, { key: secret })
  await press(page.getByRole('button', { name: 'Save', exact: true }))
  await page.getByText('Somebody else has changed this template').waitFor()
  expect((await stored()).body).toBe('<p>Theirs</p>')
  await press(page.getByRole('button', { name: 'Discard mine, load theirs' }))
  await frame().getByText('Theirs').waitFor()
  await write('<p>Mine again</p>')
  await page.keyboard.press('Control+s')
  await expect.poll(async () => (await stored()).body).toBe('<p>Mine again</p>')
})

test('a page with unsaved changes asks before it is left', async () => {
  const { page } = opened
  await page.getByLabel('Subject').fill('Changed')
  await page.getByRole('link', { name: 'Campaigns' }).press('Enter')
  await page.getByRole('dialog', { name: 'Discard changes?' }).waitFor()
  await press(page.getByRole('button', { name: 'Keep editing' }))
  expect(await page.getByLabel('Subject').inputValue()).toBe('Changed')
  await page.getByRole('link', { name: 'Campaigns' }).press('Enter')
  await press(page.getByRole('button', { name: 'Discard' }))
  await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor()
  expect((await stored()).subject).toBe('Hello')
})

test('script and style of a template reach neither the page nor the session', async () => {
  const { page } = opened
  await write(
    '<style>body, h1 { display: none !important }</style><script>parent.document.title = "owned"</script><p onclick="x()">Hi</p><img src="x" onerror="parent.hit = 1">',
  )
  await frame().locator('img').waitFor({ state: 'attached' })
  expect(await page.title()).toContain('Welcome')
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
  expect(await page.evaluate(() => 'hit' in window)).toBe(false)
  opened.trouble.console.length = 0
})
