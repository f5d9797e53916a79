import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../help/ports.ts'
import { eventually, type Program, startProgram } from '../help/program.ts'
import { callAt } from '../help/server.ts'
import { root } from '../help/sources.ts'
import { freshDatabase } from '../help/world.ts'

// One database, two web processes and a worker, each a separate program, as in a deployment.
const dataDir = await mkdtemp(join(tmpdir(), 'postwire-two-'))
const shared = { DATABASE_URL: await freshDatabase(), DATA_DIR: dataDir, DATABASE_POOL_SIZE: '3', CLAIM_SECONDS: '2', LOG_LEVEL: 'warn' }
const programs: Program[] = []
let one = { url: '', program: undefined as Program | undefined }
let other = one
let key = ''

function start(env: Record<string, string>): Program {
  const program = startProgram(process.execPath, ['src/start/launch.js'], { cwd: root, env: { ...shared, ...env } })
  programs.push(program)
  return program
}

async function startWeb(): Promise<typeof one> {
  const port = await freePort()
  const program = start({ ROLE: 'web', PORT: String(port) })
  await program.says(/running at/)
  return { url: `http://127.0.0.1:${port}`, program }
}

beforeAll(async () => {
  // Both start at once on an empty database: one of them creates the demo data, both run.
  ;[one, other] = (await Promise.all([startWeb(), startWeb()])) as [typeof one, typeof other]
  key = (await eventually(async () => JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8').catch(() => 'null')))).secret
  start({ ROLE: 'worker' })
})

afterAll(async () => {
  for (const program of programs) program.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

interface Item {
  cursor: string
  type: string
  contactEmail: string
}

/** Opens a live feed over server-sent events, calls `act`, reads until `enough`, and drops the connection without closing it. */
async function feed(
  url: string,
  after: string | undefined,
  enough: (items: Item[]) => boolean,
  act?: () => Promise<unknown>,
): Promise<Item[]> {
  const query = 'subscription ($after: String) { activity(after: $after) { cursor type contactEmail } }'
  const stop = new AbortController()
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query, variables: { after } }),
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(20_000)]),
  })
  expect(response.status).toBe(200)
  await act?.()
  const items: Item[] = []
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (text + chunk).split('\n')
    text = lines.pop() ?? ''
    items.push(...lines.flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)).data.activity as Item] : [])))
    if (enough(items)) break
  }
  stop.abort()
  return items
}

const send = (url: string, to: string) =>
  callAt(url, 'POST /v1/send', { to, from: 'hello@demo.test', subject: 'S', body: '<p>B</p>' }, { key })
const isSent = (to: string) => (items: Item[]) => items.some(({ type, contactEmail }) => type === 'EMAIL_SENT' && contactEmail === to)

test('an email sent through one process and delivered by another appears live on a third', async () => {
  const live = await feed(other.url, undefined, isSent('first@example.com'), () => send(one.url, 'first@example.com'))
  expect(live.filter(({ contactEmail }) => contactEmail === 'first@example.com').map(({ type }) => type)).toEqual(['EMAIL_SENT'])
})

test('a reader whose process dies resumes at the other one with its cursor: no gaps, no duplicates', async () => {
  const before = await feed(other.url, undefined, isSent('second@example.com'), () => send(one.url, 'second@example.com'))
  const cursor = before.at(-1)?.cursor
  other.program?.kill('SIGKILL')
  for (const to of ['third@example.com', 'fourth@example.com']) await send(one.url, to)
  const after = await feed(one.url, cursor, (items) => isSent('third@example.com')(items) && isSent('fourth@example.com')(items))
  expect(after.filter(({ contactEmail }) => /^(first|second)@/.test(contactEmail))).toEqual([])
  expect(
    after
      .filter(({ type }) => type === 'EMAIL_SENT')
      .map(({ contactEmail }) => contactEmail)
      .sort(),
  ).toEqual(['fourth@example.com', 'third@example.com'])
})

test('a worker that is stopped while sending finishes or releases its emails, and the next one delivers the rest once', async () => {
  const worker = programs.at(-1) as Program
  const sends = Array.from({ length: 40 }, (_, at) => send(one.url, `many${at}@example.com`))
  worker.kill('SIGTERM')
  expect(await worker.ended, worker.stderr()).toBe(0)
  expect((await Promise.all(sends)).map(({ status }) => status)).toEqual(Array(40).fill(200))
  start({ ROLE: 'worker' })
  const sent = async () => {
    const query = '{ emails(first: 100) { nodes { toAddress: to status } } }'
    const { body } = await callAt(one.url, 'POST /graphql', { query }, { key })
    const mails = (body.data?.emails.nodes ?? []) as { toAddress: string; status: string }[]
    return mails.filter(({ toAddress }) => toAddress.startsWith('many'))
  }
  await eventually(async () => (await sent()).every(({ status }) => status === 'SENT'))
  expect(await sent()).toHaveLength(40)
  const captured = (await callAt(one.url, 'GET /activity?limit=100&types=email.sent', undefined, { key })).body.data as Item[]
  expect(captured.filter(({ contactEmail }) => contactEmail.startsWith('many'))).toHaveLength(40)
})
