import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { goTo, openWindow, press, settled } from '../help/dashboard.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const server = await testServer({ running: true })
const { projectId, secret } = await freshProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'OWNER' } })
const call = async (route: string, body?: unknown) => (await server.call(route, body, { key: secret })).body
const condition = { field: 'data.plan', operator: 'equals', value: 'pro' }
const segment = (await call('POST /segments', { name: 'Pro', condition })).id
const contact = (await call('POST /contacts', { email: 'ada@example.com', data: { plan: 'pro' } })).id
const workflow = (await call('POST /workflows', { name: 'By hand', triggerType: 'MANUAL' })).id
const browser = await openBrowser()
let page: Page
beforeAll(async () => {
  page = (await openWindow(browser, server, { cookie })).page
})
afterAll(() => page.context().close())

async function open(path: string): Promise<void> {
  await page.goto(`${server.url}/app${path}`)
  await settled(page)
}

const inProject = (path: string) => `/${projectId}${path}`
const question = () => page.getByRole('dialog', { name: 'Discard changes?' })
const cases = [
  { form: 'the project', path: inProject('/settings'), field: 'Name' },
  { form: 'an invitation', path: inProject('/settings?tab=members'), field: 'Email address' },
  { form: 'a new segment', path: inProject('/segments/new'), field: 'Description' },
  { form: 'a segment', path: inProject(`/segments/${segment}?tab=settings`), field: 'Name' },
  { form: 'a rule', path: inProject(`/segments/${segment}?tab=rule`), field: 'Value' },
  { form: 'a contact', path: inProject(`/contacts/${contact}`), field: 'plan' },
  { form: 'a workflow', path: inProject(`/workflows/${workflow}?tab=settings`), field: 'Exit events' },
  { form: 'a new project', path: '/', field: 'Name' },
  { form: 'a new password', path: '/account', field: 'New password' },
]

test.each(cases)('the page of $form asks before what was typed is lost by going elsewhere, and only then', async ({ path, field }) => {
  await open(inProject('/activity'))
  await goTo(page, `${server.url}/app${path}`)
  const input = page.getByLabel(field, { exact: true }).first()
  const before = await input.inputValue()
  await input.fill('typed')
  await page.goBack()
  await press(question().getByRole('button', { name: 'Keep editing' }))
  await question().waitFor({ state: 'detached' })
  expect(await input.inputValue()).toBe('typed')
  expect(await closesAtOnce()).toBe(false)
  await input.fill(before)
  expect(await closesAtOnce()).toBe(true)
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
  expect(await question().count()).toBe(0)
})

// A browser asks before it closes a tab whose page objects.
const closesAtOnce = () => page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))

test('signing out asks before the session ends', async () => {
  await open(inProject('/settings'))
  await page.getByLabel('Name', { exact: true }).fill('Typed')
  const signOut = async () => {
    await press(page.getByRole('button', { name: 'Account' }))
    await page.getByRole('menuitem', { name: 'Sign out' }).press('Enter')
  }
  await signOut()
  await press(question().getByRole('button', { name: 'Keep editing' }))
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed')
  const { status } = await server.call('GET /users/@me/sessions', undefined, { cookie })
  expect(status).toBe(200)
})

test('another tab of the settings asks as well, and what is saved is not asked about', async () => {
  await open(inProject('/settings'))
  await page.getByLabel('Name', { exact: true }).fill('Another name')
  await page.getByRole('link', { name: 'Members', exact: true }).press('Enter')
  await press(question().getByRole('button', { name: 'Keep editing' }))
  await press(page.getByRole('button', { name: 'Save', exact: true }))
  await page.getByText('Settings saved').waitFor()
  await page.getByRole('link', { name: 'Members', exact: true }).press('Enter')
  await page.getByLabel('Email address').waitFor()
  expect(await question().count()).toBe(0)
})
