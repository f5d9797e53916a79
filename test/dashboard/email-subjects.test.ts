import { expect, test } from 'vitest'
import { titleOf } from '../../src/dashboard/parts/email-subject.ts'
import { openBrowser } from '../help/browser.ts'
import { accessibilityProblems, openWindow, settled } from '../help/dashboard.ts'
import { accept, sendingProject, turnAndSweep } from '../help/mails.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'

const server = await testServer({ running: true })
const { world } = server
const { projectId, ctx, secret } = await sendingProject(world)
const { cookie } = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
const browser = await openBrowser()

test('an email that was never rendered is named by its subject with the names of variables in brackets, and says so', async () => {
  await server.call('POST /suppressions', { emails: ['gone@example.com'], reason: 'BOUNCE' }, { key: secret })
  await accept(ctx, { to: 'gone@example.com', subject: 'Hello {{ name ?? "you" }}' })
  await turnAndSweep(world, 0)
  await accept(ctx, { to: 'ada@example.com', subject: 'Order {{ order.id }}' })
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  await page.goto(`${server.url}/app/${projectId}/emails`)
  await page.getByRole('link', { name: 'Hello [name]' }).press('Enter')
  await page.getByRole('heading', { name: 'Hello [name]', level: 1 }).waitFor()
  await page.getByText('It was never rendered for its recipient: its subject is Hello {{ name ?? "you" }}').waitFor()
  await settled(page)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('link', { name: 'Emails' }).first().press('Enter')
  await page.getByRole('link', { name: 'Order [order.id]' }).press('Enter')
  await page.getByText('It is rendered for its recipient when it is sent').waitFor()
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})

test.each([
  ['Welcome, {{ name ?? "friend" }}!', 'Welcome, [name]!'],
  ['{{name | upcase}} and {{- order.items[0].name -}}', '[name] and [order.items[0].name]'],
  ['{% if vip %}Dear{% else %}Hello{% endif %} you', 'Dear Hello you'],
  ['{% if vip %}{% endif %}', '(no subject)'],
  ['Plain { text }', 'Plain { text }'],
])('the subject %s of an email that was not rendered is %s', (subject, title) => {
  expect(titleOf({ subject, status: 'SUPPRESSED' })).toBe(title)
})

test('a subject that was sent is shown as it was sent, whatever it says', () => {
  expect(titleOf({ subject: 'How to write {{ name }}', status: 'DELIVERED' })).toBe('How to write {{ name }}')
  expect(titleOf({ subject: '', status: 'DELIVERED' })).toBe('(no subject)')
})
