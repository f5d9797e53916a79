import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { openWindow, press, settled } from '../help/dashboard.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const server = await testServer({ running: true, worker: true })
const { projectId, secret } = await freshProject(server.world)
const other = await freshProject(server.world)
// Of several projects: a file is of the one that is open.
const member = [other.projectId, projectId].map((id) => ({ projectId: id, role: 'MEMBER' as const }))
const { cookie } = await freshUser(server.world, { member })
const browser = await openBrowser()
let opened: Awaited<ReturnType<typeof openWindow>>
beforeAll(async () => {
  opened = await openWindow(browser, server, { cookie })
})
afterAll(() => opened.context.close())

async function open(path: string): Promise<void> {
  await opened.page.goto(`${server.url}/app/${projectId}${path}`)
  await settled(opened.page)
}

const call = (route: string, body?: unknown) => server.call(route, body, { key: secret })

test('a file is checked first, then imported as it goes on, and says what it has done', async () => {
  const { page } = opened
  await open('/contacts')
  await page.getByText('No contacts yet').waitFor()
  await page.getByRole('link', { name: 'Import a CSV file' }).press('Enter')
  await page.getByRole('heading', { name: 'Import contacts', level: 1 }).waitFor()
  const rows = Array.from({ length: 120 }, (_, at) => `person${at}@example.com,${at % 2 === 0 ? 'pro' : 'free'},${at}`)
  const csv = ['email,plan,seats', ...rows, 'nobody,free,1'].join('\n')
  await page.getByLabel('CSV file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByRole('row', { name: 'plan Text New' }).waitFor()
  await page.getByRole('row', { name: 'seats Number New' }).waitFor()
  await page.getByRole('row', { name: /^122 nobody/ }).waitFor()
  expect((await call('GET /contacts')).body.total).toBe(0)
  await press(page.getByRole('button', { name: 'Import 120 rows' }))
  await page.getByText('Completed').waitFor()
  expect(page.url()).toContain('job=')
  await page.getByRole('row', { name: /^122 nobody/ }).waitFor()
  expect((await call('GET /contacts')).body.total).toBe(120)
})

test('all that match are selected with their number, but for those taken away, and changed by a job', async () => {
  const { page } = opened
  await open('/contacts?q=person1')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).press('Space')
  await page.getByRole('region', { name: 'Selected contacts' }).getByText('31 contacts').waitFor()
  await open('/contacts')
  await page.getByRole('checkbox', { name: 'Select person119@example.com' }).press('Space')
  await press(page.getByRole('button', { name: 'Select all 120 that match' }))
  await page.getByRole('checkbox', { name: 'Select person118@example.com' }).press('Space')
  await page.getByRole('region', { name: 'Selected contacts' }).getByText('119 contacts').waitFor()
  await press(page.getByRole('button', { name: 'Unsubscribe' }))
  await press(page.getByRole('dialog', { name: 'Unsubscribe 119 contacts?' }).getByRole('button', { name: 'Unsubscribe' }))
  await page.getByRole('region', { name: 'Unsubscribe contacts' }).getByText('Completed').waitFor()
  await page.getByRole('row', { name: /person119@example.com Unsubscribed/ }).waitFor()
  const left = (await call('GET /contacts?subscribed=true')).body
  expect(left.data.map(({ email }: { email: string }) => email)).toEqual(['person118@example.com'])
})

test('deleting many asks for their number, and deletes nobody before it is typed', async () => {
  const { page } = opened
  await open('/contacts?q=person11')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).press('Space')
  await press(page.getByRole('button', { name: 'Delete' }))
  const dialog = page.getByRole('dialog', { name: 'Delete 11 contacts?' })
  expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
  await page.locator('input:focus').waitFor()
  await page.keyboard.type('11')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Delete contacts' }).getByText('Completed').waitFor()
  expect((await call('GET /contacts')).body.total).toBe(109)
})

test('an export has what the filters mean, of the project that is open', async () => {
  const { page } = opened
  await open('/contacts?q=person10')
  const saved = page.waitForEvent('download')
  await press(page.getByRole('button', { name: 'Export CSV' }))
  const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(12)
  expect(lines[1]).toMatch(/^person10@example.com,false,/)
})

test('the data of a person is changed field by field, and the person is erased by typing the address', async () => {
  const { page } = opened
  const { id } = (await call('POST /contacts', { email: 'ada@example.com', data: { plan: 'free', seats: 3, note: 'x' } })).body
  await open(`/contacts/${id}`)
  await page.getByRole('textbox', { name: 'seats' }).fill('twelve')
  await press(page.getByRole('button', { name: 'Save' }))
  await page.getByText('This is not a number.').waitFor()
  await page.getByRole('textbox', { name: 'seats' }).fill('12')
  await press(page.getByRole('button', { name: 'Remove note' }))
  await press(page.getByRole('button', { name: 'Save' }))
  await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
  expect((await call(`GET /contacts/${id}`)).body.data).toEqual({ plan: 'free', seats: 12 })
  await call('POST /v1/track', { email: 'ada@example.com', event: 'bought', data: { price: 5 } })
  await page.getByRole('link', { name: 'Timeline' }).press('Enter')
  await page.getByText('bought').waitFor()
  await press(page.getByRole('button', { name: 'Erase' }))
  await page.locator('input:focus').waitFor()
  await page.keyboard.type('ada@example.com')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
  expect((await call(`GET /contacts/${id}`)).status).toBe(404)
})
