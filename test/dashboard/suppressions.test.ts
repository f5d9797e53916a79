import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { openWindow, press, settled } from '../help/dashboard.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const server = await testServer({ running: true })
const { projectId, secret } = await freshProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
const browser = await openBrowser()
let opened: Awaited<ReturnType<typeof openWindow>>
beforeAll(async () => {
  opened = await openWindow(browser, server, { cookie })
})
afterAll(() => opened.context.close())

const call = (route: string, body?: unknown) => server.call(route, body, { key: secret })
const listed = async () =>
  (await call('GET /suppressions')).body.data.map(({ email, reason }: Record<string, string>) => `${email} ${reason}`)

async function open(path: string): Promise<void> {
  await opened.page.goto(`${server.url}/app/${projectId}/suppressions${path}`)
  await settled(opened.page)
}

test('addresses are put on the list by hand and from a file, and saved as CSV', async () => {
  const { page } = opened
  await open('')
  await page.getByText('No address is suppressed').waitFor()
  await press(page.getByRole('button', { name: 'Add addresses' }))
  await page.getByRole('textbox', { name: 'Addresses' }).fill('one@example.com two@example.com')
  await page.getByRole('combobox', { name: 'Reason' }).selectOption({ value: 'COMPLAINT' })
  await press(page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }))
  await page.getByRole('row', { name: /two@example.com Complaint/ }).waitFor()
  await press(page.getByRole('button', { name: 'Import' }))
  const csv = 'email,reason\nthree@example.com,BOUNCE\nwrong,BOUNCE\n'
  await page.getByLabel('CSV file').setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await press(page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }))
  await page.getByRole('row', { name: /^3 wrong/ }).waitFor()
  await press(page.getByRole('button', { name: 'Done' }))
  await page.getByRole('row', { name: /three@example.com Bounce/ }).waitFor()
  expect(await listed()).toEqual(['one@example.com COMPLAINT', 'three@example.com BOUNCE', 'two@example.com COMPLAINT'])
  await open('?reasons=%5B%22BOUNCE%22%5D')
  const saved = page.waitForEvent('download')
  await press(page.getByRole('button', { name: 'Export CSV' }))
  const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/^three@example.com,BOUNCE/)
})

test('an address that complained leaves the list only after it was typed, and the focus returns to its row', async () => {
  const { page } = opened
  await open('')
  const row = page.getByRole('link', { name: 'one@example.com' })
  await press(row)
  await page.getByRole('dialog', { name: 'one@example.com' }).getByText('Every email to it is withheld.').waitFor()
  expect(page.url()).toContain('address=one')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  expect(await row.evaluate((element) => element === document.activeElement)).toBe(true)
  await press(row)
  await press(page.getByRole('button', { name: 'Take it off the list' }))
  await page.getByRole('textbox', { name: /to confirm/ }).waitFor()
  await page.keyboard.press('Enter')
  expect(await listed()).toContain('one@example.com COMPLAINT')
  await page.keyboard.type('one@example.com')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  await row.waitFor({ state: 'detached' })
  expect(await listed()).not.toContain('one@example.com COMPLAINT')
})
