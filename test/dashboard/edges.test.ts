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

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') || document.activeElement?.textContent?.trim() || '')

async function steps(...names: string[]): Promise<string> {
  const { id } = (await call('POST /workflows', { name: 'Steps' })).body
  for (const name of names) await call(`POST /workflows/${id}/steps`, { type: 'DELAY', name, autoConnect: true })
  return id
}

test('the focus stays on the button that has saved a step', async () => {
  const id = await steps('First')
  const page = await open(`/workflows/${id}`)
  await page.getByRole('link', { name: 'First', exact: true }).press('Enter')
  await page.getByLabel('Waits').fill('2')
  await press(page.getByRole('button', { name: 'Save the step' }))
  await page.getByText('Step saved').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Save the step' }).getAttribute('aria-disabled')).toBe('true')
  expect(await focused(page)).toBe('Save the step')
})

test('after a step is deleted, the focus is on what stands where it was', async () => {
  const id = await steps('First', 'Second', 'Third')
  const page = await open(`/workflows/${id}`)
  await page.getByRole('link', { name: 'Second', exact: true }).press('Enter')
  await press(page.getByRole('button', { name: 'Delete the step…' }))
  await press(page.getByRole('button', { name: 'Delete', exact: true }))
  await page.getByText('“Second” has been deleted').waitFor()
  await expect.poll(() => focused(page)).toMatch(/^Third|^Add a step after “First”/)
})

test('a drawer with unsaved changes asks before it is closed, and so does the way back', async () => {
  const id = await steps('First')
  const page = await open(`/workflows/${id}`)
  await page.getByRole('link', { name: 'First', exact: true }).press('Enter')
  const name = page.getByLabel('Name', { exact: true })
  const question = page.getByRole('dialog', { name: 'Discard changes?' })
  await name.fill('Changed')
  await page.keyboard.press('Escape')
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  expect(await name.inputValue()).toBe('Changed')
  await page.goBack()
  await press(page.getByRole('button', { name: 'Keep editing' }))
  expect(await name.inputValue()).toBe('Changed')
  await page.keyboard.press('Escape')
  await press(page.getByRole('button', { name: 'Discard' }))
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe('First')
})

test('what is refused is said in words, not in names of the API', async () => {
  const { id } = (await call('POST /workflows', { name: 'Calling' })).body
  await call(`POST /workflows/${id}/steps`, { type: 'WEBHOOK', name: 'Call' })
  const page = await open(`/workflows/${id}`)
  await page.route('**/graphql', (route) => {
    if (!route.request().postData()?.includes('mutation UpdateStep')) return route.fallback()
    const errors = [{ field: 'config.templateId', message: 'must be a string', code: 'invalid_type' }]
    const suggestion = 'See "errors": each entry names a field and what to change.'
    const message = '"config.templateId" must be a string.'
    return route.fulfill({ json: { errors: [{ message, extensions: { code: 'VALIDATION_ERROR', suggestion, errors } }] } })
  })
  await page.getByRole('link', { name: 'Call', exact: true }).press('Enter')
  await page.getByLabel('Name', { exact: true }).fill('Other')
  await press(page.getByRole('button', { name: 'Save the step' }))
  expect(await page.getByRole('dialog').getByRole('alert').textContent()).toBe('The template must be a string.')
  await page.unroute('**/graphql')
})

test('a list stays when it cannot be read again, says so, and is read again by itself', async () => {
  await call('POST /contacts', { email: 'ada@example.com' })
  const page = await open('/contacts')
  await page.getByRole('link', { name: 'ada@example.com' }).waitFor()
  await page.route('**/graphql', (route) => route.abort())
  const failed = page.waitForEvent('requestfailed')
  await call('POST /contacts', { email: 'grace@example.com' })
  await failed
  await page.getByText('What you see may be out of date').waitFor()
  expect(await page.getByRole('link', { name: 'ada@example.com' }).count()).toBe(1)
  expect(await page.getByText('Postwire cannot be reached.').count()).toBe(0)
  await page.unroute('**/graphql')
  await page.getByRole('link', { name: 'grace@example.com' }).waitFor()
  await page.getByText('What you see may be out of date').waitFor({ state: 'detached' })
})

test('the columns of the last activity stand below each other, and fields that cannot be changed look so', async () => {
  const { body } = await call('POST /contacts', { email: 'lin@example.com', subscribed: true })
  await call('POST /v1/track', { email: 'lin@example.com', event: 'bought' })
  await call(`PATCH /contacts/${body.id}`, { subscribed: false })
  const page = await open('')
  const rows = page.locator('.last .feed-row')
  await expect.poll(() => rows.count()).toBeGreaterThan(1)
  const starts = await rows.evaluateAll((rows) =>
    rows.map((row) => [...row.children].map((cell) => Math.round(cell.getBoundingClientRect().left)).join(' ')),
  )
  expect(new Set(starts).size).toBe(1)
  await open('/settings')
  const look = await page.getByLabel('Name', { exact: true }).evaluate((field) => getComputedStyle(field).borderTopColor)
  expect(look).toBe('rgba(0, 0, 0, 0)')
})

test('the focus stays on the role of a member that is changed', async () => {
  const { email } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
  const owner = await freshUser(server.world, { member: { projectId, role: 'OWNER' } })
  const { page, context } = await openWindow(browser, server, { cookie: owner.cookie })
  await page.goto(`${server.url}/app/${projectId}/settings?tab=members`)
  const role = page.getByLabel(`Role of ${email}`)
  await role.focus()
  await role.selectOption('ADMIN')
  await page.getByText(`${email} is admin now`).waitFor()
  expect(await role.evaluate((field) => field.matches(':focus'))).toBe(true)
  await context.close()
})

test('the event that a new workflow suggests is one that happens', async () => {
  const page = await open('/workflows?create=true')
  await page.getByText('Events of emails have names as well, such as email.open.', { exact: false }).waitFor()
  expect(await page.getByText('email.opened').count()).toBe(0)
})
