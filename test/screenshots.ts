// `npm run screenshots`: starts the program with demo data, and writes the pictures of the dashboard that README.md shows.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { allPages } from '../src/dashboard/pages.ts'
import { launchBrowser } from './help/chromium.ts'
import { openWindow, settled } from './help/dashboard.ts'
import { freePort } from './help/ports.ts'
import { eventually, startProgram } from './help/program.ts'
import { root } from './help/sources.ts'

const folder = join(root, 'test/screenshots')
const quality = 80
const patienceMs = 120_000

const dataDir = await mkdtemp(join(tmpdir(), 'postwire-screenshots-'))
const port = String(await freePort())
const url = `http://127.0.0.1:${port}`
const env = { DATA_DIR: dataDir, PORT: port, DEMO_HISTORY: 'true', LOG_LEVEL: 'error' }
const program = startProgram(process.execPath, ['src/start/launch.js'], { cwd: root, env })
const browser = await launchBrowser()
try {
  const demo = await eventually(async () => {
    const file = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8').catch(() => 'null'))
    return file?.history === 'complete' && file
  }, patienceMs)
  const ask = async (path: string) =>
    (await fetch(url + path, { headers: { authorization: `Bearer ${demo.secret}` } })).json() as Promise<{ id: string; name: string }[]>
  await mkdir(folder, { recursive: true })
  for (const scheme of ['light', 'dark'] as const) {
    const { page, context } = await openWindow(browser, { url }, { look: { scheme, width: 1280 } })
    await signIn(page, demo)
    const views = await viewsOf(ask)
    for (const [name, path] of scheme === 'light' ? views : views.filter(([name]) => name === 'home'))
      await picture(page, { name: scheme === 'dark' ? `${name}-dark` : name, address: `${url}/app/${demo.projectId}${path}` })
    await context.close()
  }
} finally {
  await browser.close()
  program.kill('SIGTERM')
  await program.ended
  await rm(dataDir, { recursive: true, force: true })
}

type Ask = (path: string) => Promise<{ id: string; name: string }[]>

// Name of the file, and address within the project.
async function viewsOf(ask: Ask): Promise<[name: string, path: string][]> {
  const [segment] = (await ask('/segments')).filter(({ name }) => name.startsWith('Paying'))
  const listed = async (path: string) => ((await ask(path)) as unknown as { data: { id: string }[] }).data[0]?.id
  const views: [string, string][] = [
    ['home', ''],
    ['activity', '/activity'],
    ['campaign', `/campaigns/${await listed('/campaigns?status=SENT')}`],
    ['segment', `/segments/${segment?.id}?tab=rule`],
    ['workflow', `/workflows/${await listed('/workflows')}`],
    ['analytics', '/analytics'],
  ]
  const exists = (path: string) => allPages.some((page) => page.path.split('/')[2] === path.split(/[/?]/)[1])
  return views.filter(([, path]) => exists(path))
}

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto(`${url}/app/sign-in`)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
}

async function picture(page: Page, { name, address }: { name: string; address: string }): Promise<void> {
  await page.goto(address)
  await settled(page)
  await page.waitForLoadState('networkidle')
  const file = await sharp(await page.screenshot())
    .webp({ quality })
    .toBuffer()
  await writeFile(join(folder, `${name}.webp`), file)
  console.log(`${name}.webp ${Math.round(file.length / 1_000)} KB`)
}
