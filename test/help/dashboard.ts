import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { onTestFailed, TestRunner } from 'vitest'
import type { TestServer } from './server.ts'

/** What went wrong while pages were open; each list must be empty. */
export interface Trouble {
  console: string[]
  failed: string[]
  foreign: string[]
}

/** How a browser shows pages. */
export interface Look {
  scheme: 'light' | 'dark'
  width: 1280 | 390
}

/** Every look that pages are tested in. */
export const looks: Look[] = [
  { scheme: 'light', width: 1280 },
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 1280 },
  { scheme: 'dark', width: 390 },
]

/** A browser window of its own, of a person or of nobody, which notes every error, failed request and request to another site. */
export async function openWindow(
  browser: Browser,
  { url }: Pick<TestServer, 'url'>,
  { cookie, look = { scheme: 'light', width: 1280 }, timezone = 'UTC' }: { cookie?: string; look?: Look; timezone?: string } = {},
): Promise<{ context: BrowserContext; page: Page; trouble: Trouble }> {
  const context = await browser.newContext({
    colorScheme: look.scheme,
    viewport: { width: look.width, height: 800 },
    locale: 'en-GB',
    timezoneId: timezone,
    reducedMotion: 'reduce',
  })
  const [name = '', value = ''] = cookie?.split('=') ?? []
  if (cookie) await context.addCookies([{ name, value, url }])
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const trouble = watch(page, new URL(url).host)
  const shown = async () => {
    if (!page.isClosed()) console.error(page.url(), await page.locator('body').innerText(), trouble)
  }
  // Some are opened before the tests of a file.
  if (TestRunner.getCurrentTest()) onTestFailed(shown)
  return { context, page, trouble }
}

function watch(page: Page, host: string): Trouble {
  const trouble: Trouble = { console: [], failed: [], foreign: [] }
  page.on('console', (message) => void (['error', 'warning'].includes(message.type()) && trouble.console.push(message.text())))
  page.on('pageerror', (error) => void trouble.console.push(String(error)))
  page.on('response', (response) => void (response.status() >= 400 && trouble.failed.push(`${response.status()} ${response.url()}`)))
  page.on('requestfailed', (request) => {
    // A page that is left cancels what it was still asking for.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') trouble.failed.push(`${request.failure()?.errorText} ${request.url()}`)
  })
  page.on('request', (request) => {
    const { protocol, host: asked } = new URL(request.url())
    if (/^(http|ws)/.test(protocol) && asked !== host) trouble.foreign.push(request.url())
  })
  return trouble
}

/** Waits until a page of the dashboard shows what it has read. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').waitFor()
  await page.locator('[role=status][aria-label=Loading]').first().waitFor({ state: 'detached' })
}

/** Goes to another address as a link of the dashboard does, without loading the page again: the browser's way back leads here. */
export async function goTo(page: Page, address: string): Promise<void> {
  // The router follows what is pushed, and tells the way back from the way onward by the index.
  await page.evaluate((to) => history.pushState({ __TSR_index: history.state.__TSR_index + 1 }, '', to), address)
  await page.waitForURL(address)
  await settled(page)
}

/** Presses a button by keyboard, once it is ready: what a person would wait for as well. */
export async function press(button: Locator): Promise<void> {
  await button.and(button.page().locator(':not(:disabled, [aria-disabled=true])')).press('Enter')
}

/**
 * Waits until an editor of visual documents (ProseMirror) knows where the cursor is: the browser reports that it has moved a moment later,
 * and 20 ms after it has got the focus the editor puts it where it believes it to be. Timers of a page run in their order.
 */
export async function cursorIsKnown(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => setTimeout(done, 21)))
}

/** Shows a page in another look, without loading it again. */
export async function show(page: Page, { scheme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await page.setViewportSize({ width, height: 800 })
}

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The rules that read colours; what the others find is the same in either scheme. */
const aboutColours = ['color-contrast', 'link-in-text-block']

/** What axe finds by the rules of WCAG 2.2 A and AA, each with the elements it is about; with `colours`, by those about colours alone. */
export async function accessibilityProblems(page: Page, { colours = false } = {}): Promise<string[]> {
  // What is in frames was written by those who send email; without them axe runs in this page alone.
  const axe = new AxeBuilder({ page }).exclude('iframe').setLegacyMode()
  const { violations } = await (colours ? axe.withRules(aboutColours) : axe.withTags(wcag)).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}
