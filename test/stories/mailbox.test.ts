import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { openBrowser } from '../help/browser.ts'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'
import { freshProject } from '../help/world.ts'

const { url, call, world } = await testServer({ worker: true, running: true, env: { EMAIL_TRANSPORT: 'capture' } })
const browser = await openBrowser()
const shop = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>The shop</h1>'))
let shopUrl: string
let project: Awaited<ReturnType<typeof freshProject>>

beforeAll(async () => {
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  project = await freshProject(world)
  await createDomain(project.ctx, { domain: 'acme.test' })
})
afterAll(() => shop.close())

async function visit() {
  const context = await browser.newContext({
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  })
  const outside: string[] = []
  await context.route(
    (address) => ![new URL(url).host, new URL(world.publicUrl).host, new URL(shopUrl).host].includes(address.host),
    (route) => {
      outside.push(route.request().url())
      return route.abort()
    },
  )
  return { page: await context.newPage(), outside }
}

const activity = async () =>
  (await call('GET /activity?limit=100', undefined, { key: project.secret })).body.data.map(({ type }: { type: string }) => type)

test('a person reads an email in /mailbox and clicks its link; the click is in the activity', async () => {
  const { page, outside } = await visit()
  await page.goto(`${url}/mailbox`)
  expect(await page.getByText('No email yet').count()).toBe(1)

  const mail = { to: { email: 'ada@example.com', name: 'Ada' }, from: 'hi@acme.test', subject: 'Hello {{ name }}' }
  const body = `<p>Dear {{ name }}, <a href="${shopUrl}/sale">look at this</a>.</p><img src="https://outside.example/x.png">`
  await call('POST /v1/send', { ...mail, body, data: { name: 'Ada <Lovelace>' } }, { key: project.secret })
  await until(async () => (await activity()).includes('email.sent'))

  await page.reload()
  await page.getByRole('link', { name: 'Hello Ada <Lovelace>' }).click()
  const frame = page.frameLocator('iframe')
  expect(await frame.locator('p').first().innerText()).toBe('Dear Ada <Lovelace>, look at this.')
  for (const [tab, words] of [
    ['Text', 'Dear Ada <Lovelace>'],
    ['Source', 'DKIM-Signature:'],
    ['Headers', 'Message-ID'],
  ]) {
    await page.getByRole('link', { name: tab ?? '', exact: true }).click()
    expect(await page.locator('main').innerText()).toContain(words)
  }

  await page.getByRole('link', { name: 'HTML', exact: true }).click()
  const opened = page.waitForEvent('popup')
  await page.frameLocator('iframe').getByRole('link', { name: 'look at this' }).click()
  const popup = await opened
  await popup.waitForLoadState()
  expect(popup.url()).toBe(`${shopUrl}/sale`)
  expect(await popup.locator('h1').innerText()).toBe('The shop')
  await until(async () => (await activity()).includes('email.clicked'))
  expect(outside.every((address) => address.startsWith('https://outside.example/'))).toBe(true)
})

test('a person unsubscribes with the link in a marketing email: the page asks, the button unsubscribes', async () => {
  const template = { name: 'News', subject: 'News', body: '<p>News</p>', from: 'hi@acme.test', type: 'MARKETING' }
  const { body } = await call('POST /templates', template, { key: project.secret })
  const { body: contact } = await call('POST /contacts', { email: 'bob@example.com' }, { key: project.secret })
  await call('POST /v1/send', { to: 'bob@example.com', template: body.id }, { key: project.secret })
  await until(async () => (await activity()).filter((type: string) => type === 'email.sent').length >= 2)
  const subscribed = async () => (await call(`GET /contacts/${contact.id}`, undefined, { key: project.secret })).body.subscribed

  const { page } = await visit()
  await page.goto(`${url}/mailbox`)
  await page.getByRole('link', { name: 'News' }).first().click()
  const opened = page.waitForEvent('popup')
  await page.frameLocator('iframe').getByRole('link').last().click()
  const popup = await opened
  await popup.waitForLoadState()
  expect(await subscribed()).toBe(true)
  await popup.getByRole('button').first().click()
  await popup.waitForLoadState()
  await until(async () => (await subscribed()) === false)
  expect(await activity()).toContain('contact.unsubscribed')
})
