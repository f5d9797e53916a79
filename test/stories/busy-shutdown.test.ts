import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { upsertContact } from '../../src/modules/contacts/contacts.ts'
import { atPace } from '../help/pace.ts'
import { freePort } from '../help/ports.ts'
import { eventually, type Program, startProgram } from '../help/program.ts'
import { callAt } from '../help/server.ts'
import { root } from '../help/sources.ts'
import { freshProject, testWorld } from '../help/world.ts'

const world = await testWorld({ running: true })
const programs: Program[] = []
const sockets: Socket[] = []
afterAll(() => {
  for (const program of programs) program.kill('SIGKILL')
  for (const socket of sockets) socket.destroy()
})

async function started(): Promise<{ program: Program; url: string }> {
  const port = String(await freePort())
  const env = { NODE_ENV: 'production', APP_SECRET: 'x'.repeat(40), ALLOW_CAPTURE: 'true', DATABASE_URL: world.databaseUrl, PORT: port }
  const program = startProgram(process.execPath, ['src/start/launch.js'], { cwd: root, env })
  programs.push(program)
  await program.logs(/"msg":"started"/)
  return { program, url: `http://127.0.0.1:${port}` }
}

// What is written on a new connection, which stays open; resolves with it when something has come back, if that is awaited.
async function sent(url: string, text: string, answered: boolean): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  sockets.push(socket)
  await new Promise<void>((resolve) => socket.write(text, () => resolve()))
  if (answered) await once(socket, 'readable')
  return socket
}

const head = (route: string, key: string, more: string[] = []) =>
  [`${route} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${key}`, ...more, '', ''].join('\r\n')

test('a process with an event stream, a half-sent upload, other half-sent requests and an export in progress ends within 2 s of SIGTERM', async () => {
  const { ctx, secret } = await freshProject(world)
  const data = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`field${at}`, 'x'.repeat(1_000)]))
  await Promise.all(Array.from({ length: 200 }, (_, at) => upsertContact(ctx, { email: `c${at}@example.com`, data })))
  const { program, url } = await started()
  const query = JSON.stringify({ query: 'subscription { activity { id } }' })
  const json = ['Content-Type: application/json', 'Accept: text/event-stream', `Content-Length: ${query.length}`]
  await sent(url, head('POST /graphql', secret, json) + query, true)
  await sent(url, head('GET /contacts/export', secret), true)
  const form = ['Content-Type: multipart/form-data; boundary=x', 'Content-Length: 3000000']
  await sent(
    url,
    `${head('POST /contacts/import', secret, form)}--x\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n`,
    false,
  )
  await sent(url, head('POST /v1/send', secret, ['Content-Type: application/json', 'Content-Length: 30000000']) + '{'.repeat(50_000), false)
  await sent(url, 'GET /healthz HTTP/1.1\r\nHost: loc', false)
  await eventually(async () => (await callAt(url, 'GET /healthz')).status === 200)

  const began = performance.now()
  program.kill('SIGTERM')
  expect(await program.ended, program.stderr()).toBe(0)
  expect(performance.now() - began).toBeLessThan(atPace(2_000))
}, 120_000)
