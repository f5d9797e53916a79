import { mkdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { afterAll } from 'vitest'

// Made for tiny containers: a process of its own for every page is steadier, and the web's own rules should hold.
const unwanted = ['--single-process', '--disable-web-security', '--allow-running-insecure-content', '--disable-site-isolation-trials']

/** A real browser without a window, closed after the file's tests; it runs as root too, and needs nothing installed. */
export async function openBrowser(): Promise<Browser> {
  // It unpacks itself into the temporary folder: one for each user, who cannot run what another one unpacked.
  process.env.TMPDIR = join(tmpdir(), `postwire-browser-${userInfo().uid}`)
  mkdirSync(process.env.TMPDIR, { recursive: true, mode: 0o700 })
  const args = chromium.args.filter((argument) => !unwanted.includes(argument))
  const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args, headless: true })
  afterAll(() => browser.close())
  return browser
}
