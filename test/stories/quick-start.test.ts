import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { atPace } from '../help/pace.ts'
import { freePort } from '../help/ports.ts'
import { eventually, type Program, startProgram } from '../help/program.ts'
import { callAt } from '../help/server.ts'
import { root } from '../help/sources.ts'

// A fresh clone, in a folder that only its owner may enter, which is root where the tests run as root.
const home = await mkdtemp(join(tmpdir(), 'postwire-home-'))
const clone = join(home, 'postwire')
const port = await freePort()
let program: Program | undefined

async function copyCheckout(): Promise<void> {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const path of listed.split('\n').filter((line) => /^(src|prisma|package\.json|tsconfig\.json)/.test(line))) {
    await cp(join(root, path), join(clone, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
  // What "npm ci" adds: packages and generated code.
  await symlink(join(root, 'node_modules'), join(clone, 'node_modules'))
  await cp(join(root, 'src/generated'), join(clone, 'src/generated'), { recursive: true })
  await chmod(home, 0o700)
}

function npmStart(): Program {
  program = startProgram('npm', ['start'], { cwd: clone, env: { PORT: String(port), TZ: 'America/New_York' } })
  return program
}

async function start(): Promise<Program> {
  const program = npmStart()
  await program.says(/subscription \{ .+ \}\n/)
  return program
}

beforeAll(copyCheckout)
afterAll(async () => {
  program?.kill('SIGKILL')
  const elsewhere = await readFile(join(clone, '.data/postgres.path'), 'utf8').catch(() => home)
  for (const folder of [elsewhere, home]) await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

const url = `http://127.0.0.1:${port}`
const mailbox = async () => (await callAt(url, 'GET /mailbox')).body as string

test('as soon as npm start is ready or prints the banner, demo.json exists', async () => {
  const { stdout } = npmStart()
  const path = join(clone, '.data/demo.json')
  const seen = await eventually(async () => {
    const ready = await fetch(`${url}/readyz`).catch(() => undefined)
    const banner = stdout().includes('is running at')
    const made = await stat(path).catch(() => undefined)
    return (ready?.ok || banner) && { made: made !== undefined }
  })
  expect(seen).toEqual({ made: true })
})

test('npm start on an empty folder prints a banner whose curl command sends an email that arrives in the mailbox', async () => {
  const { says, stdout } = program as Program
  await says(/subscription \{ .+ \}\n/)
  const [, address = '', key = ''] = await says(/curl (\S+) -H 'Authorization: Bearer (sk_[0-9a-f]{64})'/)
  const [, body = ''] = await says(/-d '(\{.*\})'/)
  expect(address).toBe(`${url}/v1/send`)
  for (const place of ['/graphql', '/mailbox', '/docs']) expect(stdout()).toContain(url + place)
  const answer = await callAt(url, 'POST /v1/send', body, { key })
  expect(answer).toMatchObject({ status: 200, body: { success: true, data: { emails: [{ contact: { email: 'ada@demo.test' } }] } } })
  await eventually(async () => (await mailbox()).includes('Hello Ada'))
})

test('demo.json has the same data, is readable by its owner only, and both projects work', async () => {
  const path = join(clone, '.data/demo.json')
  const demo = JSON.parse(await readFile(path, 'utf8'))
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(join(clone, '.data/secret'))).mode & 0o777).toBe(0o600)
  expect(demo).toMatchObject({ url, from: 'hello@demo.test', email: 'demo@demo.test', password: expect.stringMatching(/.{8,}/) })
  for (const { projectId, secret, public: publicKey } of [demo, demo.second]) {
    const domains = await callAt(url, `GET /domains/project/${projectId}`, undefined, { key: secret })
    expect(domains).toMatchObject({ status: 200, body: [{ domain: 'demo.test', status: 'VERIFIED' }] })
    const tracked = await callAt(url, 'POST /v1/track', { email: 'eve@demo.test', event: 'opened.app' }, { key: publicKey })
    expect(tracked.status).toBe(200)
  }
})

test('times in emails are those of UTC, whatever the time zone of the machine', async () => {
  const demo = JSON.parse(await readFile(join(clone, '.data/demo.json'), 'utf8'))
  const draft = { subject: 'At', body: '<p>{{ "2026-11-01T02:30:00Z" | date: "%Y-%m-%d %H:%M" }}</p>', from: demo.from }
  const { body: template } = await callAt(url, 'POST /templates', draft, { key: demo.secret })
  const shown = await callAt(url, `POST /templates/${template.id}/preview`, {}, { key: demo.secret })
  expect(shown.body.html).toContain('2026-11-01 02:30')
})

test('Ctrl-C closes everything within 10 s, including the database', async () => {
  const { interrupt, ended } = program as Program
  const started = Date.now()
  interrupt()
  await ended
  expect(Date.now() - started).toBeLessThan(atPace(10_000))
  await expect(fetch(url)).rejects.toThrow()
  const folder = await readFile(join(clone, '.data/postgres.path'), 'utf8').catch(() => join(clone, '.data/postgres'))
  await expect(stat(join(folder, 'cluster/postmaster.pid'))).rejects.toThrow('ENOENT')
})

test('after a second start email, keys and demo data are the same', async () => {
  const before = await readFile(join(clone, '.data/demo.json'), 'utf8')
  await start()
  expect(await mailbox()).toContain('Hello Ada')
  expect(await readFile(join(clone, '.data/demo.json'), 'utf8')).toBe(before)
})

test('after kill -9 the next start finds everything again', async () => {
  const { pid, ended } = program as Program
  process.kill(-pid, 'SIGKILL')
  await ended
  await start()
  expect(await mailbox()).toContain('Hello Ada')
  program?.interrupt()
  await program?.ended
})
