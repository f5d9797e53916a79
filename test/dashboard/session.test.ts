import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { accessibilityProblems, openWindow, press, settled } from '../help/dashboard.ts'
import { sendingProject } from '../help/mails.ts'
import { freshUser, type Person } from '../help/people.ts'
import { testServer } from '../help/server.ts'

const server = await testServer({ running: true })
const { projectId, secret } = await sendingProject(server.world)
const browser = await openBrowser()
const call = (route: string, body?: unknown) => server.call(route, body, { key: secret })
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' })

async function open(path: string) {
  const person = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
  const opened = await openWindow(browser, server, { cookie: person.cookie })
  await opened.page.goto(`${server.url}/app/${projectId}${path}`)
  await settled(opened.page)
  await opened.page.getByText('Live', { exact: true }).waitFor()
  return { ...opened, person }
}

async function endSession({ cookie }: Person): Promise<void> {
  const [session] = (await server.call('GET /users/@me/sessions', undefined, { cookie })).body.data
  await server.call(`DELETE /users/@me/sessions/${session.id}`, undefined, { cookie })
}

async function signIn(page: Page, { password }: Person): Promise<void> {
  await dialogOf(page).getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await dialogOf(page).waitFor({ state: 'detached' })
}

test('a session that is ended elsewhere is begun again over the page, which goes on with what was typed, live', async () => {
  const draft = { name: 'Welcome', subject: 'Hello', body: '<p>Hello</p>', from: 'hi@demo.test' }
  const { id } = (await call('POST /templates', draft)).body
  const { page, context, person } = await open(`/templates/${id}`)
  const subject = page.getByLabel('Subject', { exact: true })
  await subject.fill('An hour of work')
  await endSession(person)
  await dialogOf(page).waitFor()
  expect(await subject.isVisible()).toBe(false)
  expect(await accessibilityProblems(page)).toEqual([])
  await dialogOf(page).getByLabel('Password').fill('not the password')
  await page.keyboard.press('Enter')
  await dialogOf(page).getByRole('alert').waitFor()
  await signIn(page, person)
  expect(await subject.inputValue()).toBe('An hour of work')
  await page.keyboard.press('Control+s')
  await page.getByText('Template saved').waitFor()
  expect((await call(`GET /templates/${id}`)).body.subject).toBe('An hour of work')
  await page.getByRole('link', { name: 'Activity' }).press('Enter')
  await page.getByText('Nothing has happened yet').waitFor()
  await call('POST /v1/track', { email: 'ada@example.com', event: 'signed up' })
  await page.getByRole('link', { name: 'signed up' }).waitFor()
  await context.close()
})

test('a dialog of the page keeps what was typed as well', async () => {
  const { page, context, person } = await open('/contacts?open=add')
  const address = page.getByRole('dialog', { name: 'Add a contact' }).getByLabel('Email address')
  await address.fill('grace@example.com')
  await endSession(person)
  await signIn(page, person)
  expect(await address.inputValue()).toBe('grace@example.com')
  await context.close()
})

test('whoever leaves is asked about what they have typed, and led to signing in', async () => {
  const { page, context, person } = await open('/workflows?create=true')
  await page.getByLabel('Name', { exact: true }).fill('Typed')
  await endSession(person)
  await press(dialogOf(page).getByRole('button', { name: 'Leave' }))
  await press(page.getByRole('button', { name: 'Keep editing' }))
  await press(dialogOf(page).getByRole('button', { name: 'Leave' }))
  await press(page.getByRole('button', { name: 'Discard' }))
  await page.waitForURL(/\/app\/sign-in\?next=/)
  expect(new URL(page.url()).searchParams.get('next')).toContain(`/${projectId}/workflows`)
  await context.close()
})

test('another person who signs in meanwhile sees nothing of what was typed', async () => {
  const { page, context, person } = await open('/workflows?create=true')
  await page.getByLabel('Name', { exact: true }).fill('Typed')
  await endSession(person)
  await dialogOf(page).waitFor()
  const [name = '', value = ''] = (await freshUser(server.world)).cookie.split('=')
  await context.addCookies([{ name, value, url: server.url }])
  // As when the tab is shown again.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.getByRole('heading', { name: 'Nothing is here' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await context.close()
})
