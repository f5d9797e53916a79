import { expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { openWindow, press, settled } from '../help/dashboard.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const server = await testServer({ running: true })
const { projectId, secret } = await freshProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
const { body: workflow } = await server.call('POST /workflows', { name: 'Onboarding' }, { key: secret })
await server.call(`POST /workflows/${workflow.id}/steps`, { type: 'DELAY', name: 'Wait', autoConnect: true }, { key: secret })
const browser = await openBrowser()

async function open(path: string) {
  const opened = await openWindow(browser, server, { cookie })
  await opened.page.goto(`${server.url}/app/${projectId}${path}`)
  await settled(opened.page)
  return opened
}

test('a page that was not loaded before the connection was lost says so, beside those that were, and comes by itself', async () => {
  const { page, context } = await open('/contacts')
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Workflows' }).press('Enter')
  await page.getByRole('heading', { name: 'The connection is lost', level: 1 }).waitFor()
  expect(page.url()).toContain('/workflows')
  await press(page.getByRole('button', { name: 'Try again' }))
  await page.getByRole('link', { name: 'Contacts' }).press('Enter')
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'The connection is lost', level: 1 }).waitFor()
  await context.setOffline(false)
  await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor()
  await context.close()
})

test('a part of a page that cannot be loaded leaves the rest of the page, and comes by itself', async () => {
  const { page, context } = await open(`/workflows/${workflow.id}`)
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Canvas' }).press('Enter')
  await page.getByText('this had not been loaded before').waitFor()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Onboarding')
  await page.getByRole('link', { name: 'Steps' }).press('Enter')
  await page.getByRole('link', { name: 'Wait', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Canvas' }).press('Enter')
  await page.getByText('this had not been loaded before').waitFor()
  await context.setOffline(false)
  await page.locator('.canvas-step').first().waitFor()
  await context.close()
})

test('a script that the server has no more loads the site again, once', async () => {
  const { page, context } = await open('/contacts')
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await page.route('**/assets/workflows-*.js', (route) => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: 'Workflows' }).press('Enter')
  await page.getByRole('heading', { name: 'This page has failed', level: 1 }).waitFor()
  expect(loads).toBe(1)
  await page.unroute('**/assets/workflows-*.js')
  await press(page.getByRole('button', { name: 'Reload' }))
  await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor()
  await context.close()
})
