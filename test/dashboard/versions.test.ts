import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { accessibilityProblems, openWindow, press, settled } from '../help/dashboard.ts'
import { sendingProject } from '../help/mails.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'

const server = await testServer({ running: true })
const { projectId, secret } = await sendingProject(server.world)
const { cookie, email } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
const browser = await openBrowser()
let opened: Awaited<ReturnType<typeof openWindow>>
beforeAll(async () => {
  opened = await openWindow(browser, server, { cookie })
})
afterAll(() => opened.context.close())

test('what a template said before is compared with now and restored by keyboard, with who saved it', async () => {
  const { page, trouble } = opened
  const draft = { name: 'Welcome', subject: 'One', body: '<p>One</p>\n<p>Same</p>', from: 'hi@demo.test' }
  const { id } = (await server.call('POST /templates', draft, { key: secret })).body
  await page.goto(`${server.url}/app/${projectId}/templates/${id}`)
  await settled(page)
  await page.getByLabel('Subject').fill('Two')
  await page.keyboard.press('Control+s')
  await page.getByText('Template saved').waitFor()
  await press(page.getByRole('button', { name: 'More' }))
  await press(page.getByRole('menuitem', { name: 'Versions' }))
  const drawer = page.getByRole('dialog', { name: 'Versions' })
  await drawer
    .getByRole('link', { name: /Version 2/ })
    .getByText(`By ${email}`)
    .waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await drawer.getByRole('link', { name: /Version 1/ }).press('Enter')
  await page.getByRole('region', { name: 'Difference in subject and preview text' }).getByText('+ One').waitFor()
  expect(page.url()).toContain('versions=1')
  expect(await accessibilityProblems(page)).toEqual([])
  await press(page.getByRole('button', { name: 'Restore this version' }))
  await press(page.getByRole('button', { name: 'Restore', exact: true }))
  await page.getByText('Version 1 restored').waitFor()
  await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('One')
  expect((await server.call(`GET /templates/${id}`, undefined, { key: secret })).body).toMatchObject({ subject: 'One' })
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
})
