import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { goTo, openWindow, press, settled } from '../help/dashboard.ts'
import { sendingProject } from '../help/mails.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'

const server = await testServer({ running: true })
const { projectId, secret } = await sendingProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'OWNER' } })
const call = async (route: string, body?: unknown) => (await server.call(route, body, { key: secret })).body
const content = { subject: 'Hello', body: '<p>Hello</p>', from: 'hi@demo.test' }
const segment = (await call('POST /segments', { name: 'By hand', type: 'STATIC' })).id
const template = (await call('POST /templates', { ...content, name: 'Welcome' })).id
const campaign = (await call('POST /campaigns', { ...content, name: 'News', audienceType: 'ALL' })).data.id
const workflow = (await call('POST /workflows', { name: 'By hand', triggerType: 'MANUAL' })).id
const { id: step } = await call(`POST /workflows/${workflow}/steps`, { type: 'EXIT', name: 'End' })
await call(`PATCH /workflows/${workflow}`, { enabled: true })
const browser = await openBrowser()
let page: Page
beforeAll(async () => {
  page = (await openWindow(browser, server, { cookie })).page
})
afterAll(() => page.context().close())

/** Comes from a page before, so that there is a way back. */
async function open(path: string): Promise<void> {
  await page.goto(`${server.url}/app/${projectId}/activity`)
  await settled(page)
  await goTo(page, `${server.url}/app/${projectId}${path}`)
}

interface Case {
  title: string
  path: string
  /** The button that opens it, where its address does not. */
  opener?: string
  field: string
  words?: string
}

const cases: Case[] = [
  { title: 'Add a contact', path: '/contacts?open=add', field: 'Email address' },
  { title: 'Add addresses', path: '/suppressions?open=add', field: 'Addresses' },
  { title: 'Add members', path: `/segments/${segment}?open=add`, field: 'Addresses' },
  { title: 'Remove members', path: `/segments/${segment}?open=remove`, field: 'Addresses' },
  { title: 'Add a domain', path: '/domains?open=add', field: 'Domain' },
  { title: 'New template', path: '/templates?create=true', field: 'Subject' },
  { title: 'New campaign', path: '/campaigns?create=true', field: 'Name' },
  { title: 'New workflow', path: '/workflows?create=true', field: 'Name of the event' },
  { title: 'Add a step', path: `/workflows/${workflow}?add=start`, field: 'Name' },
  { title: 'Start for a contact', path: `/workflows/${workflow}?tab=executions&open=start`, field: 'Data' },
  { title: 'End', path: `/workflows/${workflow}?step=${step}`, field: 'Reason' },
  { title: 'Send a test', path: `/templates/${template}`, opener: 'Send a test', field: 'To' },
  {
    title: 'When is it sent?',
    path: `/campaigns/${campaign}?tab=review`,
    opener: 'Schedule…',
    field: 'Day and time',
    words: '2031-01-31T10:00',
  },
]

const question = () => page.getByRole('dialog', { name: 'Discard changes?' })

async function keep(): Promise<void> {
  await question().waitFor()
  await page.keyboard.press('Escape')
  await question().waitFor({ state: 'detached' })
}

test.each(cases)('“$title” asks before what was typed is lost, and only then', async (one) => {
  const { title, path, opener, field: label, words = 'typed' } = one
  await open(path)
  if (opener) await press(page.getByRole('button', { name: opener, exact: true }))
  const dialog = page.getByRole('dialog', { name: title, exact: true })
  const field = dialog.getByLabel(label, { exact: true })
  const before = await field.inputValue()
  await field.fill(words)
  await page.keyboard.press('Escape')
  await keep()
  await page.mouse.click(5, 5)
  await keep()
  await dialog.getByRole('button', { name: 'Close', exact: true }).first().press('Enter')
  await keep()
  await page.goBack()
  await keep()
  expect(await field.inputValue()).toBe(words)
  await field.fill(before)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await question().count()).toBe(0)
})

test('what is discarded is gone, and the focus is where the dialog was opened', async () => {
  await open('/workflows')
  const opener = page.getByRole('button', { name: 'New workflow' }).first()
  await press(opener)
  await page.getByLabel('Name', { exact: true }).fill('Typed')
  await press(page.getByRole('button', { name: 'Cancel' }))
  await press(question().getByRole('button', { name: 'Discard' }))
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
  await press(opener)
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('')
})

test('what is saved is not asked about, also where it leads elsewhere', async () => {
  await open('/contacts?open=add')
  await page.getByLabel('Email address').fill('ada@example.com')
  await page.getByLabel('Name', { exact: true }).fill('Ada')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'ada@example.com', level: 1 }).waitFor()
  expect(await question().count()).toBe(0)
})

test('what is refused is asked about still', async () => {
  await open('/contacts?open=add')
  await page.getByLabel('Email address').fill('no address')
  await page.keyboard.press('Enter')
  await page.locator('[aria-invalid]').waitFor()
  await page.keyboard.press('Escape')
  await question().waitFor()
  await press(question().getByRole('button', { name: 'Discard' }))
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
})

test('a word that confirms is nothing to lose, and neither is what is looked for', async () => {
  await open(`/segments/${segment}?tab=settings`)
  await press(page.getByRole('button', { name: 'Delete the segment' }))
  await page.getByLabel('to confirm').fill('By')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('nothing')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
})
