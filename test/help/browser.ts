import type { Browser } from 'playwright-core'
import { afterAll } from 'vitest'
import { launchBrowser } from './chromium.ts'

let launched: Promise<Browser> | undefined

/** The headless browser of this process, which ends with it; the windows that a file opens are closed after its tests. */
export async function openBrowser(): Promise<Browser> {
  launched ??= launchBrowser()
  const browser = await launched
  afterAll(() => Promise.all(browser.contexts().map((context) => context.close())))
  return browser
}
