import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { accessibilityProblems, openWindow, press, settled } from '../help/dashboard.ts'
import { testDns, txt } from '../help/dns.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const dns = await testDns()
const server = await testServer({ running: true, env: { DNS_SERVERS: dns.address } })
const { projectId, secret } = await freshProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'ADMIN' } })
const member = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
const browser = await openBrowser()
let opened: Awaited<ReturnType<typeof openWindow>>
beforeAll(async () => {
  opened = await openWindow(browser, server, { cookie })
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
})
afterAll(() => opened.context.close())

const call = (route: string, body?: unknown) => server.call(route, body, { key: secret })
const listed = async () => (await call(`GET /domains/project/${projectId}`)).body
const copied = () => opened.page.evaluate(() => navigator.clipboard.readText())

test('a domain is added, its records are copied, and the page turns green by itself once they are found', async () => {
  const { page, trouble } = opened
  await page.goto(`${server.url}/app/${projectId}/domains`)
  await page.getByText('No domains yet').waitFor()
  await press(page.getByRole('button', { name: 'Add a domain' }))
  await page.getByRole('textbox', { name: 'Domain' }).fill('not a domain')
  await page.keyboard.press('Enter')
  await page.locator('[aria-invalid]').waitFor()
  await page.getByRole('textbox', { name: 'Domain' }).fill('mail.acme.example')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'mail.acme.example' }).waitFor()
  await page.getByText('Nothing can be sent from mail.acme.example yet').waitFor()
  await press(page.getByRole('button', { name: 'Copy name of dkim' }))
  await page.getByText('Name of DKIM copied').waitFor()
  const name = await copied()
  expect(name).toMatch(/^pw\w+\._domainkey\.mail\.acme\.example$/)
  await press(page.getByRole('button', { name: 'Copy value of dkim' }))
  await page.getByText('Value of DKIM copied').waitFor()
  const value = await copied()
  await press(page.getByRole('button', { name: 'Copy all' }))
  await page.getByText('All records copied').waitFor()
  expect(await copied()).toBe(
    `${name}. 3600 IN TXT "${value.slice(0, 255)}" "${value.slice(255)}"\n_dmarc.mail.acme.example. 3600 IN TXT "v=DMARC1; p=none"\n`,
  )
  await press(page.getByRole('button', { name: 'Check now' }))
  await page.getByText('0 of 2 records found').waitFor()
  const record = (label: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: label }) })
  await record('DKIM').getByText('Missing').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  // A check by somebody else, as the one every 5 minutes: nobody touches the page.
  dns.set(name, txt(value))
  const [{ id }] = await listed()
  await call(`GET /domains/${id}/verify`)
  await page.getByText('mail.acme.example is verified').waitFor()
  await record('DKIM').getByText('Found', { exact: true }).waitFor()
  await page.getByText('Email can be sent from every address').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
})

test('a warm-up is begun and ended, and a domain is deleted only when nothing sends from it, and its name was typed', async () => {
  const { page } = opened
  const [{ id }] = await listed()
  const content = { name: 'Hello', subject: 'Hi', body: '<p>Hi</p>', from: 'hi@mail.acme.example' }
  const template = await call('POST /templates', content)
  await page.goto(`${server.url}/app/${projectId}/domains/${id}`)
  await settled(page)
  await press(page.getByRole('button', { name: 'Begin the warm-up' }))
  await page.getByText('0 of 50').waitFor()
  await press(page.getByRole('button', { name: 'End the warm-up' }))
  await press(page.getByRole('button', { name: 'End it' }))
  await page.getByRole('button', { name: 'Begin the warm-up' }).waitFor()
  await page.getByRole('link', { name: 'Hello' }).waitFor()
  const button = page.getByRole('button', { name: 'Delete the domain' })
  expect(await button.isDisabled()).toBe(true)
  await call(`DELETE /templates/${template.body.id}`)
  await page.reload()
  await page.getByText('No template sends from it').waitFor()
  await press(button)
  await page.getByRole('textbox', { name: /to confirm/ }).waitFor()
  await page.keyboard.press('Enter')
  expect(await listed()).toHaveLength(1)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
  await press(button)
  await page.getByRole('textbox', { name: /to confirm/ }).fill('mail.acme.example')
  await page.keyboard.press('Enter')
  await page.getByText('No domains yet').waitFor()
  expect(await listed()).toEqual([])
})

test('a member sees the domains, and is told who can change them; copying needs no HTTPS', async () => {
  await call('POST /domains', { domain: 'acme.example' })
  const { page, context, trouble } = await openWindow(browser, server, { cookie: member.cookie })
  // As on an installation without HTTPS.
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.goto(`${server.url}/app/${projectId}/domains`)
  await page.getByText('only admins and owners can add').waitFor()
  expect(await page.getByRole('button', { name: 'Add a domain' }).count()).toBe(0)
  await page.getByRole('link', { name: 'acme.example', exact: true }).press('Enter')
  const copy = page.getByRole('button', { name: 'Copy value of dkim' })
  await press(copy)
  await page.getByText('Value of DKIM copied').waitFor()
  expect(await copy.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await page.getByRole('button', { name: /Delete|warm-up/ }).count()).toBe(0)
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})
