import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { versionOf } from './packages.ts'

// Options of the package for small containers: separate processes are more reliable, and web security must be on.
const unwanted = [
  ...['--single-process', '--disable-web-security', '--allow-running-insecure-content', '--disable-site-isolation-trials'],
  // Drawing through a graphics card that is simulated takes most of the time of a page.
  ...['--in-process-gpu', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
]

/** A headless browser, for the caller to close; it also runs as root and needs nothing installed. */
export async function launchBrowser(): Promise<Browser> {
  const args = chromium.args.filter((argument) => !unwanted.includes(argument))
  return playwright.launch({ executablePath: await unpacked(), args: [...args, '--disable-gpu'], headless: true })
}

// One folder per user, because a user cannot run what another one has unpacked. It appears when all of it is there: other
// processes of the tests may be looking for it meanwhile.
async function unpacked(): Promise<string> {
  const folder = join(tmpdir(), `postwire-browser-${userInfo().uid}-${versionOf('@sparticuz/chromium')}`)
  if (!existsSync(folder)) {
    const scratch = await mkdtemp(`${folder}-`)
    await unpackInto(scratch)
    await rename(scratch, folder).catch(async (error: unknown) => {
      if (!existsSync(folder)) throw error
      await rm(scratch, { recursive: true })
    })
  }
  return unpackInto(folder)
}

// The package unpacks itself into the temporary folder, or finds itself there.
async function unpackInto(folder: string): Promise<string> {
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    return await chromium.executablePath()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}
