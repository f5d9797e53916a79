import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { createTemplate } from '../../src/modules/templates/templates.ts'
import { openBrowser } from '../help/browser.ts'
import { accessibilityProblems, cursorIsKnown, looks, openWindow, press, settled, show } from '../help/dashboard.ts'
import { sendingProject } from '../help/mails.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'

const server = await testServer({ running: true, worker: true, env: { EMAIL_TRANSPORT: 'capture' } })
const { ctx, projectId, secret } = await sendingProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
const browser = await openBrowser()
const call = (route: string, body?: unknown) => server.call(route, body, { key: secret })
await call('POST /contacts', { email: 'ada@example.com', data: { plan: 'pro' } })
const campaign = async () => (await call('GET /campaigns')).body.data[0]

test('a visual campaign is created, written and previewed by keyboard, and the mail that is sent says what was written', async () => {
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  await page.goto(`${server.url}/app/${projectId}/campaigns?create=true`)
  await settled(page)
  await page.getByLabel('Name').fill('Spring news')
  await page.getByLabel('Subject').fill('News')
  await page.getByLabel('Written as').selectOption('VISUAL')
  await press(page.getByRole('button', { name: 'Create a draft' }))
  await page.getByRole('link', { name: '2 Content' }).press('Enter')
  const text = page.getByRole('textbox', { name: 'What it says' })
  await text.focus()
  await cursorIsKnown(page)
  await text.press('Control+End')
  await cursorIsKnown(page)
  await page.keyboard.press('Enter')
  await page.keyboard.type('Spring is here, {{ not liquid }}, on the plan ')
  await press(page.getByRole('button', { name: 'Variable' }))
  await page.getByRole('dialog').getByLabel('What it prints').selectOption('plan')
  await page.getByLabel('Where there is no value').fill('free')
  await page.keyboard.press('Enter')
  await page.frameLocator('iframe').getByText('Spring is here, {{ not liquid }}, on the plan free').waitFor()
  for (const look of looks) {
    await show(page, look)
    expect({ look, problems: await accessibilityProblems(page, { colours: look.scheme === 'dark' }) }).toEqual({ look, problems: [] })
  }
  await press(page.getByRole('button', { name: 'Save and continue' }))
  await press(page.getByRole('button', { name: 'Send now…', disabled: false }))
  await page.getByLabel('Type “1” to confirm').fill('1')
  await press(page.getByRole('button', { name: 'Send to 1' }))
  await until(async () => (await campaign()).status === 'SENT')
  const [mail] = await server.world.db.prisma.capturedMail.findMany({ where: { projectId } })
  const { subject, html, text: plain } = await PostalMime.parse(mail?.raw ?? '')
  expect(subject).toBe('News')
  expect(html).toContain('Spring is here, {{ not liquid }}, on the plan pro')
  expect(plain).toContain('Spring is here, {{ not liquid }}, on the plan pro')
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
}, 120_000)

test('a copy of it is visual, becomes HTML when that is confirmed, and visual again by a template', async () => {
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  const { id, body } = await campaign()
  const document = {
    type: 'doc' as const,
    content: [{ type: 'paragraph' as const, content: [{ type: 'text' as const, text: 'Of the template' }] }],
  }
  await createTemplate(ctx, { name: 'Visual one', subject: 'T', from: 'hello@demo.test', document })
  const copy = (await call(`POST /campaigns/${id}/duplicate`, {})).body
  await page.goto(`${server.url}/app/${projectId}/campaigns/${copy.id}?tab=content`)
  await page.getByRole('textbox', { name: 'What it says' }).getByText('Spring is here').waitFor()
  await press(page.getByRole('button', { name: 'More' }))
  await press(page.getByRole('menuitem', { name: 'Turn into HTML…' }))
  await press(page.getByRole('button', { name: 'Turn into HTML', exact: true }))
  await page.getByRole('textbox', { name: 'HTML' }).waitFor()
  expect((await campaign()).body).toBe(body)
  await press(page.getByRole('button', { name: 'More' }))
  await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Turn into HTML…' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByLabel('Use a template').focus()
  await page.keyboard.insertText('Visual')
  await page.locator('datalist option[value="Visual one"]').waitFor({ state: 'attached' })
  await page.keyboard.press('Enter')
  await press(page.getByRole('button', { name: 'Replace the content' }))
  await page.getByRole('textbox', { name: 'What it says' }).getByText('Of the template').waitFor()
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
}, 120_000)
