import { expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { openWindow, press } from '../help/dashboard.ts'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'

const server = await testServer({ running: true, worker: true })
const browser = await openBrowser()

test('somebody signs up, adds a domain and a contact, writes a template, sends it as a campaign and watches it leave, by keyboard alone', {
  timeout: 90_000,
}, async () => {
  const { page, context, trouble } = await openWindow(browser, server)
  const button = (name: string) => page.getByRole('button', { name, exact: true }).first()
  const go = (letter: string) => page.keyboard.press('g').then(() => page.keyboard.press(letter))
  const write = async (label: string, text: string) => {
    await page.getByLabel(label, { exact: true }).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(text)
  }
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
  await page.goto(`${server.url}/app/sign-up`)
  await write('Email address', 'ada@people.test')
  await write('Password', 'a long enough password')
  await page.keyboard.press('Enter')
  await page.getByText('No project yet').waitFor()
  await write('Name', 'Acme')
  await page.keyboard.press('Enter')
  await heading('Acme')
  await go('d')
  await heading('Domains')
  await press(button('Add a domain'))
  await write('Domain', 'acme.test')
  await page.keyboard.press('Enter')
  await heading('acme.test')
  await go('c')
  await heading('Contacts')
  await press(button('Add a contact'))
  await page.getByRole('dialog').waitFor()
  await write('Email address', 'grace@example.com')
  await page.keyboard.press('Enter')
  await heading('grace@example.com')
  await go('t')
  await heading('Templates')
  await press(button('New template'))
  await page.getByRole('dialog').waitFor()
  await write('Name', 'Greeting')
  await write('Subject', 'Hello from Acme')
  await press(button('Create and write'))
  await heading('Greeting')
  await page.getByRole('link', { name: 'Campaigns' }).press('Enter')
  await heading('Campaigns')
  await press(button('New campaign'))
  await page.getByRole('dialog').waitFor()
  await write('Name', 'The first one')
  await page.getByLabel('Use a template').focus()
  await page.keyboard.insertText('Greet')
  await page.locator('datalist option[value=Greeting]').waitFor({ state: 'attached' })
  const created: string[] = []
  page.on('request', (request) => void (request.postData()?.includes('mutation CreateCampaign') && created.push(request.url())))
  // It chooses, and sends nothing.
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Use a template: Greeting/ }).waitFor()
  expect(created).toEqual([])
  await press(button('Create a draft'))
  await heading('The first one')
  await page.getByRole('link', { name: '3 Review and send' }).press('Enter')
  // Once the recipients have been counted.
  await press(page.getByRole('button', { name: 'Send now…', disabled: false }))
  await write('Type “1” to confirm', '1')
  await page.keyboard.press('Enter')
  // The page watches it by itself.
  await page.getByText('Sent', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'Recipients' }).press('Enter')
  await page.getByRole('link', { name: 'grace@example.com' }).waitFor()
  await until(async () => (await (await fetch(`${server.url}/mailbox`)).text()).includes('Hello from Acme'))
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})
