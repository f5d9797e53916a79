import type { Browser } from 'playwright-core'
import { afterAll } from 'vitest'
import { launchBrowser } from './chromium.ts'

/** A headless browser, closed after the file's tests. */
export async function openBrowser(): Promise<Browser> {
  const browser = await launchBrowser()
  afterAll(() => browser.close())
  return browser
}
