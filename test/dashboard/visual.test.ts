import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { accessibilityProblems, cursorIsKnown, looks, openWindow, press, settled, show } from '../help/dashboard.ts'
import { sendingProject } from '../help/mails.ts'
import { freshUser } from '../help/people.ts'
import { png } from '../help/pictures.ts'
import { testServer } from '../help/server.ts'

const server = await testServer({ running: true })
const { projectId, secret } = await sendingProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
await server.call('POST /contacts', { email: 'ada@example.com', data: { plan: 'pro' } }, { key: secret })
const browser = await openBrowser()
let opened: Awaited<ReturnType<typeof openWindow>>
beforeAll(async () => {
  opened = await openWindow(browser, server, { cookie })
})
afterAll(() => opened.context.close())

const stored = async () => (await server.call('GET /templates', undefined, { key: secret })).body.data[0]

test('a visual template is written by keyboard, beside what a contact gets', async () => {
  const { page, trouble } = opened
  await page.goto(`${server.url}/app/${projectId}/templates?create=true`)
  await settled(page)
  await page.getByLabel('Name').fill('Spring news')
  await page.getByLabel('Subject').fill('News')
  await page.getByLabel('Written as').selectOption('VISUAL')
  await press(page.getByRole('button', { name: 'Create and write' }))
  const text = page.getByRole('textbox', { name: 'What it says' })
  await page.frameLocator('iframe').getByText('Write your email here.').waitFor()
  await text.focus()
  await cursorIsKnown(page)
  await text.press('Control+End')
  await cursorIsKnown(page)
  await page.keyboard.press('Enter')
  await page.keyboard.type('Not {{ liquid }} but ')
  // In the very moment of the press: what is typed before the next frame is not lost.
  const isInText = await page.getByRole('button', { name: 'Bold' }).evaluate((button: HTMLButtonElement) => {
    button.focus()
    button.click()
    return document.activeElement?.getAttribute('aria-label')
  })
  expect(isInText).toBe('What it says')
  await page.keyboard.type('bold')
  // The first paragraph becomes a heading in the middle, and the page keeps one of the first level.
  // While the editor still takes in what was typed, it puts the cursor back.
  const goHome = async () => {
    await page.keyboard.press('Control+Home')
    await cursorIsKnown(page)
    return page.getByRole('button', { name: 'Bold' }).getAttribute('aria-pressed')
  }
  await expect.poll(goHome).toBe('false')
  await press(page.getByRole('button', { name: 'Paragraph' }))
  await page.getByRole('menuitemradio', { name: 'Heading 1' }).press('Enter')
  await press(page.getByRole('button', { name: 'Alignment: Left' }))
  await page.getByRole('menuitemradio', { name: 'Centre' }).press('Enter')
  await page.getByRole('button', { name: 'Alignment: Centre' }).waitFor()
  expect(await page.locator('h1').count()).toBe(1)
  await text.focus()
  await cursorIsKnown(page)
  const goToEnd = async () => {
    await text.press('Control+End')
    await cursorIsKnown(page)
    return page.evaluate(() => getSelection()?.anchorNode?.textContent?.slice(0, getSelection()?.anchorOffset))
  }
  await expect.poll(goToEnd).toBe('bold')
  await page.getByRole('button', { name: 'Alignment: Left' }).waitFor()
  await page.keyboard.press('Control+Shift+r')
  await page.getByRole('button', { name: 'Alignment: Right' }).waitFor()
  await press(page.getByRole('button', { name: 'Variable' }))
  await page.getByRole('dialog').getByLabel('What it prints').selectOption('plan')
  await page.getByLabel('Where there is no value').fill('free')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await press(page.getByRole('button', { name: 'Insert' }))
  await press(page.getByRole('menuitem', { name: 'Button' }))
  await page.getByLabel('Words on it').fill('Read on')
  await page.getByLabel('Leads to').fill('javascript:alert(1)')
  await page.keyboard.press('Enter')
  await page.getByText('Begin with https://').waitFor()
  await page.getByLabel('Leads to').fill('https://example.com/news/{{ plan }}')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await press(page.getByRole('button', { name: 'Insert' }))
  await press(page.getByRole('menuitem', { name: 'Picture' }))
  await page.locator('input[type=file]').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: png() })
  await page.getByLabel('What it shows').fill('A dot')
  await press(page.getByRole('button', { name: 'Put it there' }))
  const frame = page.frameLocator('iframe')
  await frame.getByRole('link', { name: 'Read on' }).waitFor()
  await frame.getByText('Not {{ liquid }} but boldfree').waitFor()
  for (const look of looks) {
    await show(page, look)
    expect({ look, problems: await accessibilityProblems(page, { colours: look.scheme === 'dark' }) }).toEqual({ look, problems: [] })
  }
  await page.keyboard.press('Control+s')
  await page.getByText('Template saved').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true, disabled: true }).waitFor()
  const { body } = await stored()
  expect(body).toContain('{{ plan ?? "free" }}')
  expect(body).toContain('href="https://example.com/news/{{ plan | url_encode')
  expect(body).toMatch(/<h1 align="center" style="[^"]+text-align:center">Hello /)
  expect(body).toMatch(/<p align="right" style="[^"]+text-align:right">Not /)
  expect(body).toMatch(/<img src="http[^"]+\.png" alt="A dot"/)
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
}, 120_000)

test('it becomes HTML when that is confirmed, and visual again by its version', async () => {
  const { page, trouble } = opened
  const { body } = await stored()
  await press(page.getByRole('button', { name: 'More' }))
  await press(page.getByRole('menuitem', { name: 'Turn into HTML…' }))
  await press(page.getByRole('button', { name: 'Turn into HTML', exact: true }))
  await page.getByRole('textbox', { name: 'HTML' }).waitFor()
  expect((await stored()).body).toBe(body)
  await press(page.getByRole('button', { name: 'More' }))
  await press(page.getByRole('menuitem', { name: 'Versions' }))
  await page.getByRole('link', { name: /Version 2/ }).press('Enter')
  await press(page.getByRole('button', { name: 'Restore this version' }))
  await press(page.getByRole('button', { name: 'Restore', exact: true }))
  await page.getByRole('textbox', { name: 'What it says' }).getByText('Read on').waitFor()
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
}, 120_000)
