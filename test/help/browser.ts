import { mkdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { afterAll } from 'vitest'

// Options of the package for small containers: separate processes are more reliable, and web security must be on.
const unwanted = ['--single-process', '--disable-web-security', '--allow-running-insecure-content', '--disable-site-isolation-trials']

/** A headless browser, closed after the file's tests; it also runs as root and needs nothing installed. */
export async function openBrowser(): Promise<Browser> {
  // It unpacks itself into the temporary folder: one per user, because a user cannot run what another one has unpacked.
  process.env.TMPDIR = join(tmpdir(), `postwire-browser-${userInfo().uid}`)
  mkdirSync(process.env.TMPDIR, { recursive: true, mode: 0o700 })
  const args = chromium.args.filter((argument) => !unwanted.includes(argument))
  const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args, headless: true })
  afterAll(() => browser.close())
  return browser
}
