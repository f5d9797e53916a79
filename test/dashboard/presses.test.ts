import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { openWindow, press, settled } from '../help/dashboard.ts'
import { sendingProject } from '../help/mails.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'

const server = await testServer({ running: true })
const { projectId, secret } = await sendingProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'OWNER' } })
const call = async (route: string, body?: unknown) => (await server.call(route, body, { key: secret })).body
const browser = await openBrowser()
let page: Page
beforeAll(async () => {
  page = (await openWindow(browser, server, { cookie })).page
})
afterAll(() => page.context().close())

async function open(path: string): Promise<void> {
  await page.goto(`${server.url}/app/${projectId}${path}`)
  await page.locator('h1').waitFor()
}

/** Keeps what is asked waiting until it is let go, and counts how often it is asked. */
async function hold(operation: string): Promise<{ count(): number; asked(): Promise<void>; go(): void }> {
  const { promise: gone, resolve: go } = Promise.withResolvers<void>()
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  let count = 0
  await page.route('**/graphql', async (route) => {
    if (!new RegExp(`(query|mutation) ${operation}\\b`).test(route.request().postData() ?? '')) return route.fallback()
    count += 1
    ask()
    await gone
    await route.fallback()
  })
  return { count: () => count, asked: () => asked, go }
}

const segment = async (): Promise<string> => (await call('POST /segments', { name: 'By hand', type: 'STATIC' })).id

async function askToDelete(): Promise<void> {
  await press(page.getByRole('button', { name: 'Delete the segment' }))
  await page.getByLabel('to confirm').fill('By hand')
}

test('what confirms does it once, also when it is pressed twice at once, or its dialog is opened again meanwhile', async () => {
  await open(`/segments/${await segment()}?tab=settings`)
  await settled(page)
  await askToDelete()
  const deletion = await hold('DeleteSegment')
  const button = page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true })
  await button.evaluate((one: HTMLElement) => {
    one.click()
    one.click()
  })
  await deletion.asked()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  await askToDelete()
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Enter')
  deletion.go()
  await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor()
  expect(deletion.count()).toBe(1)
})

test('what confirms does nothing more while the page after it is being opened', async () => {
  await open(`/segments/${await segment()}?tab=settings`)
  await settled(page)
  const deletion = await hold('DeleteSegment')
  deletion.go()
  const { promise: gone, resolve: go } = Promise.withResolvers<void>()
  await page.route('**/assets/**', async (route) => {
    await gone
    await route.fallback()
  })
  await askToDelete()
  await page.keyboard.press('Enter')
  await page.getByText('has been deleted').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  go()
  await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor()
  await page.unroute('**/assets/**')
  expect(deletion.count()).toBe(1)
})

test.each([
  { what: 'a segment', reads: 'SegmentUsage', button: 'Delete the segment' },
  { what: 'a domain', reads: 'DomainUses', button: 'Delete the domain' },
])('the deletion of $what that is pressed before its uses are read asks as soon as they are', async ({ what, reads, button }) => {
  const { id: domain } = what === 'a domain' ? await call('POST /domains', { domain: 'news.example' }) : { id: '' }
  const uses = await hold(reads)
  await open(domain ? `/domains/${domain}` : `/segments/${await segment()}?tab=settings`)
  await uses.asked()
  await page.getByRole('button', { name: button }).press('Enter')
  expect(await page.getByRole('dialog').count()).toBe(0)
  uses.go()
  await page.getByRole('dialog', { name: 'Delete this' }).waitFor()
})

test('each member of a segment is removed by its own press, also while another is being removed', async () => {
  const id = await segment()
  for (const name of ['ada', 'grace']) await call('POST /contacts', { email: `${name}@example.com` })
  await call(`POST /segments/${id}/members`, { emails: ['ada@example.com', 'grace@example.com'] })
  await open(`/segments/${id}`)
  const removal = await hold('RemoveMembers')
  const remove = (name: string) => page.getByRole('button', { name: `Remove ${name}@example.com` })
  await remove('ada').press('Enter')
  await removal.asked()
  await remove('ada').press('Enter')
  await remove('grace').press('Enter')
  removal.go()
  await page.getByText('Nobody is in it').waitFor()
  expect(removal.count()).toBe(2)
})

test.each([
  { what: 'a template', operation: 'DuplicateTemplate', path: 'templates' },
  { what: 'a campaign', operation: 'DuplicateCampaign', path: 'campaigns' },
])('$what is duplicated once, also when that is chosen again meanwhile', async ({ operation, path }) => {
  const draft = { name: 'Copied', subject: 'Hello', body: '<p>Hello</p>', from: 'hi@demo.test', audienceType: 'ALL' }
  const { audienceType: _, ...content } = draft
  const body = await call(`POST /${path}`, path === 'campaigns' ? draft : content)
  await open(`/${path}/${body.data?.id ?? body.id}`)
  await settled(page)
  const copying = await hold(operation)
  for (let times = 0; times < 2; times++) {
    await press(page.getByRole('button', { name: 'More' }))
    await page.getByRole('menuitem', { name: 'Duplicate' }).press('Enter')
    await copying.asked()
  }
  copying.go()
  await page.getByRole('heading', { name: 'Copied (Copy)', level: 1 }).waitFor()
  expect(copying.count()).toBe(1)
})

test('a form is sent once, however often Enter is pressed', async () => {
  await open('/templates?create=true')
  await page.getByLabel('Name', { exact: true }).fill('Welcome')
  await page.getByLabel('Subject').fill('Hello')
  const creation = await hold('CreateTemplate')
  await page
    .getByRole('dialog')
    .locator('form')
    .evaluate((form: HTMLFormElement) => {
      form.requestSubmit()
      form.requestSubmit()
    })
  await creation.asked()
  await page.keyboard.press('Enter')
  creation.go()
  await page.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor()
  expect(creation.count()).toBe(1)
})
