import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { openWindow, press, settled } from '../help/dashboard.ts'
import { sendingProject } from '../help/mails.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'

const server = await testServer({ running: true })
const { projectId, secret } = await sendingProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
const call = (route: string, body?: unknown) => server.call(route, body, { key: secret })
await call('POST /contacts', { email: 'ada@example.com' })
await call('POST /contacts', { email: 'grace@example.com' })
const browser = await openBrowser()
let opened: Awaited<ReturnType<typeof openWindow>>
beforeAll(async () => {
  opened = await openWindow(browser, server, { cookie })
})
afterAll(() => opened.context.close())

async function open(path: string): Promise<Page> {
  await opened.page.goto(`${server.url}/app/${projectId}${path}`)
  await settled(opened.page)
  return opened.page
}

/** Opens a page of which a part is still being read. */
async function openSoon(path: string): Promise<Page> {
  await opened.page.goto(`${server.url}/app/${projectId}${path}`)
  await opened.page.locator('h1').waitFor()
  return opened.page
}

/** Keeps requests of an operation waiting, as a slow server does, until they are let go; `asked` waits until there is one. */
async function slow(page: Page, operation: string): Promise<{ asked(): Promise<void>; go(): void }> {
  const { promise: gone, resolve: go } = Promise.withResolvers<void>()
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const isMeant = (body: string | null) => new RegExp(`(query|mutation) ${operation}\\b`).test(body ?? '')
  await page.route('**/graphql', async (route) => {
    if (!isMeant(route.request().postData())) return route.fallback()
    ask()
    await gone
    await route.fallback()
  })
  return { asked: () => asked, go }
}

test('Enter in the command palette leads to what is found, also when it comes before the answer', async () => {
  const page = await open('')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).waitFor()
  const answer = await slow(page, 'FindByName')
  await page.keyboard.insertText('grace@')
  await page.keyboard.press('Enter')
  await answer.asked()
  answer.go()
  await page.getByRole('heading', { name: 'grace@example.com', level: 1 }).waitFor()
})

test('a palette that is opened again at once begins anew, and its Enter leads to what was typed last', async () => {
  const page = await open('')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).waitFor()
  for (const words of ['activity', 'domains', 'campaigns', 'segments']) {
    await page.keyboard.insertText(words)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+k')
    await expect.poll(() => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))).toContain('combobox')
    expect(await page.getByRole('combobox', { name: 'Search' }).inputValue(), words).toBe('')
  }
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor()
})

test('Enter in a field that looks something up chooses by what was typed last, also when it comes before the answer', async () => {
  const { id } = (await call('POST /workflows', { name: 'By hand', triggerType: 'MANUAL' })).body
  await call(`POST /workflows/${id}/steps`, { type: 'EXIT', name: 'End' })
  await call(`PATCH /workflows/${id}`, { enabled: true })
  const page = await open(`/workflows/${id}?tab=executions&open=start`)
  const field = page.getByLabel('Address of a contact')
  await field.fill('ada@')
  await page.locator('datalist option[value="ada@example.com"]').waitFor({ state: 'attached' })
  const answer = await slow(page, 'FindContacts')
  await field.fill('grace@')
  await field.press('Enter')
  await answer.asked()
  answer.go()
  await page.getByRole('button', { name: 'Address of a contact: grace@example.com' }).waitFor()
})

async function template(): Promise<string> {
  const draft = { name: 'Welcome', subject: 'Hello', body: '<p>Hello</p>', from: 'hi@demo.test' }
  return (await call('POST /templates', draft)).body.id
}

test('a press that comes before what others have saved is read loads it as soon as it is', async () => {
  const id = await template()
  const page = await open(`/templates/${id}`)
  await page.getByLabel('Subject').fill('Mine')
  await call(`PATCH /templates/${id}`, { subject: 'Theirs' })
  const answer = await slow(page, 'Template')
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Discard mine, load theirs' }).press('Enter')
  await answer.asked()
  expect(await page.getByLabel('Subject').inputValue()).toBe('Mine')
  answer.go()
  await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Theirs')
})

test('what is typed and saved while it is being saved is stored as well, and conflicts with nothing', async () => {
  const id = await template()
  const page = await open(`/templates/${id}`)
  const answer = await slow(page, 'UpdateTemplate')
  await page.getByLabel('Subject').fill('First')
  await page.keyboard.press('Control+s')
  await answer.asked()
  await page.getByLabel('Subject').fill('Second')
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  answer.go()
  await expect.poll(async () => (await call(`GET /templates/${id}`)).body.subject).toBe('Second')
  await page.getByRole('status').getByText('Saved').waitFor()
  expect(await page.getByText('Somebody else has changed').count()).toBe(0)
})

test('what is typed into a step while it is being saved stays, and is saved next', async () => {
  const { id } = (await call('POST /workflows', { name: 'Ending' })).body
  const { id: step } = (await call(`POST /workflows/${id}/steps`, { type: 'EXIT', name: 'End' })).body
  const page = await open(`/workflows/${id}?step=${step}`)
  const answer = await slow(page, 'UpdateStep')
  await page.getByLabel('Name', { exact: true }).fill('First')
  const save = page.getByRole('button', { name: 'Save the step' })
  await press(save)
  await answer.asked()
  await page.getByLabel('Name', { exact: true }).fill('Second')
  await page.getByLabel('Reason').fill('Bought')
  await save.press('Enter')
  answer.go()
  const stored = async () => ((await call(`GET /workflows/${id}`)).body.steps as { name: string; config: unknown }[])[0]
  await expect.poll(stored).toMatchObject({ name: 'Second', config: { reason: 'Bought' } })
  expect(await page.getByText('Somebody else has changed').count()).toBe(0)
})

test('“Send now” that is pressed while recipients are counted asks as soon as they are', async () => {
  const draft = { name: 'News', subject: 'News', body: '<p>News</p>', from: 'hi@demo.test', audienceType: 'ALL' }
  const { body } = await call('POST /campaigns', draft)
  const answer = await slow(opened.page, 'CampaignAudience')
  const page = await openSoon(`/campaigns/${body.data?.id ?? body.id}?tab=review`)
  await answer.asked()
  await page.getByRole('button', { name: 'Send now…' }).press('Enter')
  expect(await page.getByRole('dialog').count()).toBe(0)
  answer.go()
  await page.getByRole('dialog', { name: 'Send “News” now?' }).waitFor()
})
