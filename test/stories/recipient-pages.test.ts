import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { getContact } from '../../src/modules/contacts/contacts.ts'
import { contactLinks } from '../../src/modules/emails/subscription/links.ts'
import { openBrowser } from '../help/browser.ts'
import { accept, sendingProject } from '../help/mails.ts'
import { testServer } from '../help/server.ts'

const { url, world } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const browser = await openBrowser()

async function subscriber(locale = 'en') {
  const { ctx, projectId } = await sendingProject(world)
  const { id, contactId } = await accept(ctx, { subscribed: true, data: { locale } })
  const links = contactLinks({ vault: world.vault, publicUrl: url }, { projectId, contactId, emailId: id })
  return { links, subscribed: async () => (await getContact(ctx, { id: contactId })).subscribed }
}

const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'light', viewport: { width: 320, height: 640 } },
  { colorScheme: 'dark', viewport: { width: 320, height: 640 } },
] as const

/** What axe finds wrong with a page: contrast, headings, landmarks, names of buttons, language, and the like. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const found = await page.evaluate('axe.run(document)')
  return (found as axe.AxeResults).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

describe('the pages of recipients', () => {
  test.each(looks)('are accessible and fit: $colorScheme, $viewport.width wide', async (look) => {
    const context = await browser.newContext(look)
    const page = await context.newPage()
    const { links } = await subscriber()
    for (const address of [links.unsubscribeUrl, links.subscribeUrl, links.manageUrl, `${links.manageUrl}x`]) {
      await page.goto(address)
      expect(await faultsOf(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
    }
    await page.goto(links.unsubscribeUrl)
    await page.getByRole('button').click()
    expect(await page.getByRole('status').innerText()).toContain('You are unsubscribed.')
    expect(await faultsOf(page)).toEqual([])
    await context.close()
  })

  test('work without JavaScript and by keyboard, and show where the focus is', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    const { links, subscribed } = await subscriber('nl-BE')
    await page.goto(links.manageUrl)
    expect(await page.locator('html').getAttribute('lang')).toBe('nl')
    await page.keyboard.press('Tab')
    const button = page.getByRole('button', { name: 'Afmelden' })
    expect(await button.evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true)
    expect(await button.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
    expect(await subscribed()).toBe(true)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Aanmelden' }).waitFor()
    expect(await subscribed()).toBe(false)
    await page.getByRole('button', { name: 'Aanmelden' }).click()
    await page.getByRole('button', { name: 'Afmelden' }).waitFor()
    expect(await subscribed()).toBe(true)
    await context.close()
  })
})
