import { expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { accessibilityProblems, openWindow, settled } from '../help/dashboard.ts'
import { accept, sendingProject } from '../help/mails.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'

const server = await testServer({ running: true })
const { projectId, ctx, secret } = await sendingProject(server.world)
const browser = await openBrowser()
await accept(ctx, { to: ['ada@example.com', 'grace@example.com'] })

const limits = async () => (await server.call(`GET /users/@me/projects/${projectId}/billing-limits`, undefined, { key: secret })).body

test('a cap is set beside what was used, refused when it is none, and taken away, with the keyboard alone', async () => {
  const { cookie } = await freshUser(server.world, { member: { projectId, role: 'ADMIN' } })
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  await page.goto(`${server.url}/app/${projectId}/settings?tab=billing`)
  await settled(page)
  const used = page.getByRole('table', { name: 'Emails of this month' })
  await used.getByRole('row', { name: 'Transactional 2 none' }).waitFor()
  const field = page.getByLabel('Transactional', { exact: true })
  const enter = async (text: string) => {
    await field.fill(text)
    await field.press('Enter')
  }
  await enter('2,000')
  await page.getByText('Caps saved').waitFor()
  await used.getByRole('row', { name: 'Transactional 2 2,000 0.1 %' }).waitFor()
  for (const text of ['0', 'ten thousand', '1.5', '3000000000', '-5', ',']) {
    await enter(text)
    await page.getByText('This is not a cap').waitFor()
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    if (text === '0') expect(await accessibilityProblems(page)).toEqual([])
    await enter('2000')
    await page.getByText('This is not a cap').waitFor({ state: 'detached' })
    await page.locator('button[aria-busy]').waitFor({ state: 'detached' })
  }
  expect((await limits()).transactional).toMatchObject({ limit: 2_000, usage: 2 })
  await enter('2')
  await used.getByRole('row', { name: 'Transactional 2 2 100 %' }).waitFor()
  await enter('')
  await used.getByRole('row', { name: 'Transactional 2 none' }).waitFor()
  expect((await limits()).transactional.limit).toBe(null)
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})

test('a member sees the caps and what was used, and cannot change them', async () => {
  const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  await page.goto(`${server.url}/app/${projectId}/settings?tab=billing`)
  await page.getByRole('row', { name: 'Transactional 2 none' }).waitFor()
  expect(await page.getByRole('form', { name: 'Caps per month' }).count()).toBe(0)
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})
