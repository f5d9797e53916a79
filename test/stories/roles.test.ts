import { afterAll, expect, test } from 'vitest'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { bearer, connect } from '../help/live.ts'
import { freePort } from '../help/ports.ts'
import { eventually, type Program, startProgram } from '../help/program.ts'
import { callAt } from '../help/server.ts'
import { root } from '../help/sources.ts'
import { drawn, enable, step } from '../help/workflows.ts'
import { freshProject, testWorld } from '../help/world.ts'

// A deployment with ROLE=web and ROLE=worker, and a rolling deploy of it: the new processes start before the old ones stop.
const world = await testWorld({ running: true })
const { ctx, secret: key } = await freshProject(world)
await createDomain(ctx, { domain: 'acme.test' })
const programs: Program[] = []
afterAll(() => {
  for (const program of programs) program.kill('SIGKILL')
})

async function start(role: 'web' | 'worker'): Promise<{ program: Program; url: string }> {
  const port = String(await freePort())
  const settings = {
    NODE_ENV: 'production',
    APP_SECRET: world.secret,
    ALLOW_CAPTURE: 'true',
    DATABASE_URL: world.databaseUrl,
    METRICS: 'true',
  }
  const program = startProgram(process.execPath, ['src/start/launch.js'], { cwd: root, env: { ...settings, ROLE: role, PORT: port } })
  programs.push(program)
  await program.logs(/"msg":"started"/)
  return { program, url: `http://127.0.0.1:${port}` }
}

interface Item {
  cursor: string
  contactEmail: string
}

/** Follows the emails that leave, over a websocket that does not connect again. */
function follow(url: string, after?: string): { items: Item[]; closed: Promise<{ code: number }> } {
  const items: Item[] = []
  const { client, closed } = connect(url, bearer(key))
  const query = 'subscription ($after: String) { activity(after: $after, types: [EMAIL_SENT]) { cursor contactEmail } }'
  client.subscribe<{ activity: Item }>(
    { query, variables: { after } },
    { next: ({ data }) => void (data && items.push(data.activity)), error: () => undefined, complete: () => undefined },
  )
  return { items, closed }
}

async function send(url: string, to: string): Promise<string> {
  const { status, body } = await callAt(url, 'POST /v1/send', { to, from: 'hi@acme.test', subject: 'S', body: '<p>B</p>' }, { key })
  expect(status).toBe(200)
  return body.data.emails[0].email
}
const statusOf = async (url: string, id: string) => (await callAt(url, `GET /emails/${id}`, undefined, { key })).body.status
const subscribers = async (url: string) => /^postwire_subscribers (\d+)$/m.exec((await callAt(url, 'GET /metrics')).body)?.[1]

test('web and worker share the work, and each is replaced while email and live streams go on', async () => {
  const web = await start('web')
  expect((await callAt(web.url, 'GET /readyz')).body).toEqual({ status: 'ok', mailTransport: 'unknown' })
  const live = follow(web.url)
  await eventually(async () => (await subscribers(web.url)) === '1')

  // Without a worker an email is accepted and waits, and so do events that start workflows.
  const { id } = await drawn(ctx)
  await step(ctx, { id })
  await enable(ctx, { id })
  expect((await callAt(web.url, 'POST /v1/track', { email: 'ada@example.com', event: 'signed-up' }, { key })).status).toBe(200)
  const first = await send(web.url, 'first@example.com')
  expect(await statusOf(web.url, first)).toBe('PENDING')
  expect(live.items).toEqual([])
  const worker = await start('worker')
  await expect(fetch(`${worker.url}/healthz`)).rejects.toThrow()
  await eventually(async () => live.items.length === 1)
  const executions = async () => (await callAt(web.url, `GET /workflows/${id}/executions`, undefined, { key })).body.data
  await eventually(async () => (await executions()).length === 1)
  expect([live.items[0]?.contactEmail, await statusOf(web.url, first)]).toEqual(['first@example.com', 'SENT'])

  // The new web process beside the old one, which is then stopped: 1001, and nothing is missed at the new one.
  const newWeb = await start('web')
  expect((await callAt(newWeb.url, 'GET /readyz')).status).toBe(200)
  web.program.kill('SIGTERM')
  expect((await live.closed).code).toBe(1001)
  expect(await web.program.ended, web.program.stderr()).toBe(0)
  await expect(fetch(`${web.url}/healthz`)).rejects.toThrow()
  const second = await send(newWeb.url, 'second@example.com')
  await eventually(async () => (await statusOf(newWeb.url, second)) === 'SENT')
  const resumed = follow(newWeb.url, live.items[0]?.cursor)

  // The worker is stopped; what is accepted meanwhile leaves from the next one.
  worker.program.kill('SIGTERM')
  expect(await worker.program.ended, worker.program.stderr()).toBe(0)
  const third = await send(newWeb.url, 'third@example.com')
  expect(await statusOf(newWeb.url, third)).toBe('PENDING')
  await start('worker')
  await eventually(async () => resumed.items.length === 2)
  expect(resumed.items.map(({ contactEmail }) => contactEmail)).toEqual(['second@example.com', 'third@example.com'])
}, 120_000)
