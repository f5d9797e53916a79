import { expect, test } from 'vitest'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { openBrowser } from '../help/browser.ts'
import { openWindow, press, settled } from '../help/dashboard.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const server = await testServer({ running: true })
const { projectId, secret, ctx } = await freshProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'OWNER' } })
const call = async (route: string, body?: unknown) => (await server.call(route, body, { key: secret })).body
await createDomain(ctx, { domain: 'acme.test' })
const browser = await openBrowser()
const address = (path: string) => `${server.url}/app/${projectId}${path}`
const none = '00000000000000000000000000'

test.each([
  { what: 'email', path: `/emails/eml_${none}` },
  { what: 'contact', path: `/contacts/cnt_${none}` },
  { what: 'segment', path: `/segments/seg_${none}` },
  { what: 'template', path: `/templates/tpl_${none}` },
  { what: 'campaign', path: `/campaigns/cmp_${none}` },
  { what: 'workflow', path: `/workflows/wfl_${none}` },
  { what: 'domain', path: `/domains/dom_${none}` },
  { what: 'execution', path: `/workflows/wfl_${none}/executions/exe_${none}` },
])('the page of a missing $what says so, in place of a failure to try again, and leads back', async ({ path }) => {
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  await page.goto(address(path))
  await settled(page)
  await page.getByText(/does not exist|is not in the project|has no such execution/).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  expect(await page.locator('main .back').count()).toBe(1)
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})

test('a contact that somebody else deletes is said to be gone where it is looked at', async () => {
  const { id } = await call('POST /contacts', { email: 'ada@example.com' })
  const { page, context } = await openWindow(browser, server, { cookie })
  await page.goto(address(`/contacts/${id}`))
  await page.getByRole('heading', { name: 'ada@example.com', level: 1 }).waitFor()
  await call(`DELETE /contacts/${id}`)
  await page.getByText('This contact does not exist').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await context.close()
})

test('the contacts of a segment that was deleted are refused by name, and the list without it is one press away', async () => {
  const { id: segment } = await call('POST /segments', { name: 'Soon gone', type: 'STATIC' })
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  await page.goto(address(`/contacts?segment=${segment}`))
  await page.getByText('No contact matches').waitFor()
  await call(`DELETE /segments/${segment}`)
  await page.reload()
  await settled(page)
  expect(await page.getByRole('alert').textContent()).toBe('There is no such segment in this project.Try again')
  await call('POST /contacts', { email: 'lin@example.com' })
  await page.getByRole('link', { name: 'Show all contacts' }).press('Enter')
  await page.getByRole('link', { name: 'lin@example.com' }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})

test('why a contact that was deleted is in a segment is answered by saying so', async () => {
  const condition = { field: 'data.plan', operator: 'equals', value: 'pro' }
  const { id: segment } = await call('POST /segments', { name: 'Pro', condition })
  const { page, context } = await openWindow(browser, server, { cookie })
  await page.goto(address(`/segments/${segment}?tab=why&contact=cnt_${none}`))
  await page.getByText('The segment or the contact does not exist any more.').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await context.close()
})

test('a preview for a contact that was deleted says so, and when it shows an older email', async () => {
  const { id: contact } = await call('POST /contacts', { email: 'grace@example.com', data: { name: 'Grace' } })
  const draft = { name: 'Welcome', subject: 'Hello', body: '<p>Hello {{ name }}</p>', from: 'hi@acme.test' }
  const { id: template } = await call('POST /templates', draft)
  const { page, context } = await openWindow(browser, server, { cookie })
  const preview = page.getByRole('region', { name: 'Preview' })
  await page.goto(address(`/templates/${template}?contact=${contact}`))
  await page.frameLocator('iframe').getByText('Hello Grace').waitFor()
  await call(`DELETE /contacts/${contact}`)
  await page.getByLabel('Subject', { exact: true }).fill('Changed')
  await preview.getByText('There is no such contact in this project.').waitFor()
  expect(await preview.getByText('This is how it was before the last change:').count()).toBe(1)
  await page.goto(address(`/templates/${template}?contact=${contact}`))
  await preview.getByText('There is no such contact in this project.').waitFor()
  expect(await preview.getByText('This is how it was before the last change:').count()).toBe(0)
  await press(preview.getByRole('button', { name: 'As this contact gets it: a contact that does not exist. Remove this filter' }))
  await preview.getByText('There is no such contact in this project.').waitFor({ state: 'detached' })
  await page.frameLocator('iframe').getByText('Hello').waitFor()
  await context.close()
})

test('somebody whose address is not confirmed is told why they see no invitation', async () => {
  const draft = { email: 'newcomer@example.com', password: 'correct-horse-battery-42x' }
  const { headers } = await server.call('POST /auth/signup', draft)
  const session = headers.get('set-cookie')?.split(';')[0] ?? ''
  const { page, context } = await openWindow(browser, server, { cookie: session })
  await page.goto(`${server.url}/app/`)
  await page.getByText('Your address is not confirmed yet.').waitFor()
  await page.getByRole('link', { name: 'Confirm your address' }).press('Enter')
  await page.getByRole('button', { name: 'Email me a link to confirm it' }).waitFor()
  await context.close()
})

test('on a phone the pages stand at the top of their drawer, and the words of every reason fit', async () => {
  const { page, context } = await openWindow(browser, server, { cookie, look: { scheme: 'light', width: 390 } })
  await page.goto(address('/suppressions?open=add'))
  await settled(page)
  const reason = page.getByLabel('Reason', { exact: true })
  expect(await reason.evaluate((field: HTMLSelectElement) => Math.max(...[...field.options].map(({ text }) => text.length)))).toBeLessThan(
    20,
  )
  await reason.selectOption({ label: 'Opted out' })
  await page.getByText('Marketing email to it is withheld.').waitFor()
  await page.goto(address(''))
  await settled(page)
  await press(page.getByRole('button', { name: 'Pages', exact: true }))
  const drawer = page.getByRole('dialog')
  const top = async () => (await drawer.getByRole('link', { name: 'Home' }).boundingBox())?.y ?? 800
  await expect.poll(top).toBeLessThan(100)
  await context.close()
})

test('on a phone the cross of a dialog stands beside its title, however long that is', async () => {
  const { page, context } = await openWindow(browser, server, { cookie, look: { scheme: 'light', width: 390 } })
  const { id: workflow } = await call('POST /workflows', { name: 'Everybody who has bought something within the last year' })
  await page.goto(address(`/workflows/${workflow}?tab=settings`))
  await settled(page)
  await press(page.getByRole('button', { name: 'Delete…' }))
  const dialog = page.getByRole('dialog')
  const [title, cross] = await Promise.all([
    dialog.getByRole('heading').boundingBox(),
    dialog.getByRole('button', { name: 'Close' }).boundingBox(),
  ])
  expect(cross?.y).toBeLessThan((title?.y ?? 0) + 20)
  expect(title?.width).toBeGreaterThan(200)
  await context.close()
})

test('the question whether changes are discarded begins with the button that keeps them', async () => {
  const { page, context } = await openWindow(browser, server, { cookie })
  await page.goto(address('/workflows?create=true'))
  await settled(page)
  await page.getByLabel('Name', { exact: true }).fill('Typed')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Discard changes?' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Keep editing')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Discard changes?' }).waitFor({ state: 'detached' })
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed')
  await context.close()
})
