import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createDomain } from '../src/modules/domains/domains.ts'
import { type CurlCall, type Example, examplesOf, parseCurl, scriptsOf } from './help/readme.ts'
import { testServer } from './help/server.ts'
import { sources } from './help/sources.ts'
import { until } from './help/until.ts'
import { oddWords } from './help/words.ts'
import { freshProject } from './help/world.ts'

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
const { url, world } = await testServer({ worker: true, running: true })
const { ctx, secret, projectId } = await freshProject(world)
await createDomain(ctx, { domain: 'demo.test' })

async function run({ language, text }: Example): Promise<unknown> {
  const call = language === 'sh' ? parseCurl(text, { KEY: secret }) : graphqlCall(text)
  return call.headers.accept === 'text/event-stream' ? firstEvent(call) : answer(call)
}

function graphqlCall(query: string): CurlCall {
  const accept = query.startsWith('subscription') ? 'text/event-stream' : 'application/json'
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', accept }
  return { url: 'http://localhost:8080/graphql', headers, body: JSON.stringify({ query }) }
}

function ask({ url: address, headers, body }: CurlCall, signal?: AbortSignal): Promise<Response> {
  const here = address.replace('http://localhost:8080', url)
  return fetch(here, { headers, ...(body !== undefined && { method: 'POST', body }), ...(signal && { signal }) })
}

async function answer(call: CurlCall): Promise<unknown> {
  const response = await ask(call)
  const body = (await response.json()) as { errors?: unknown }
  expect({ status: response.status, errors: body.errors }, JSON.stringify(body)).toEqual({ status: 200, errors: undefined })
  return body
}

// Reads the stream until an event arrives, which another send causes.
async function firstEvent(call: CurlCall): Promise<unknown> {
  const stop = new AbortController()
  const response = await ask(call, stop.signal)
  expect(response.status).toBe(200)
  const first = examplesOf(readme)[0] as Example
  await run(first)
  let received = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    received += chunk
    if (received.includes('EMAIL_SENT')) break
  }
  stop.abort()
  expect(received).not.toContain('"errors"')
  return received
}

describe('README.md', () => {
  test.each(examplesOf(readme))('example $number, $title, works when pasted', async (example) => {
    expect(await run(example)).toBeTruthy()
  })

  test('the script of a workflow, pasted into a shell, sends its first email, which the mailbox shows', async () => {
    const [script = ''] = scriptsOf(readme)
    const env = { PATH: process.env.PATH, KEY: secret }
    const text = `set -e\n${script.replaceAll('http://localhost:8080', url)}`
    const { stdout } = await promisify(execFile)('bash', ['-c', text], { env })
    expect(stdout).not.toContain('"error"')
    const [workflow] = await world.db.prisma.workflow.findMany({ where: { projectId }, include: { steps: true, transitions: true } })
    expect([workflow?.enabled, workflow?.issues, workflow?.steps.length, workflow?.transitions.length]).toEqual([true, [], 4, 3])
    const mailbox = async () => (await fetch(`${url}/mailbox`)).text()
    await until(async () => (await mailbox()).includes('Welcome, Grace'))
    const waits = { projectId, status: 'WAITING', waitsFor: 'order placed' } as const
    await until(async () => (await world.db.prisma.workflowExecution.count({ where: waits })) === 1)
  })

  test('shows the figures of test/bench/results.md', async () => {
    const results = await readFile(new URL('./bench/results.md', import.meta.url), 'utf8')
    const tables = results.match(/(^\|.*\n)+/gm) ?? []
    expect(tables.length).toBeGreaterThan(0)
    for (const table of tables) expect(readme.includes(table), table).toBe(true)
  })

  test('mentions only files that exist', async () => {
    const named = [...readme.matchAll(/`((?:src|test|prisma)\/[\w./-]+\.\w+)`|\]\(([\w.]+)\)/g)].map(([, code, link]) => code ?? link ?? '')
    expect(named.length).toBeGreaterThan(3)
    for (const path of named) await expect(readFile(new URL(`../${path}`, import.meta.url)), path).resolves.toBeDefined()
  })

  test('is written in plain English, like the schema', () => {
    const odd = readme.split('\n').flatMap((line, at) => (oddWords.test(line) ? [`${at + 1}: ${oddWords.exec(line)?.[0]}`] : []))
    expect(odd).toEqual([])
  })

  test('names every file of the server and every stage of a module in its map', () => {
    const map = readme.slice(readme.indexOf('## Map of the code'), readme.indexOf('## How a request travels'))
    const files = sources('src/server', /^src\/server\/[^/]+\.ts$/).map(({ path }) => path.replace(/^.*\/|\.ts$/g, ''))
    const stages = sources('src/modules', /\.ts$/).flatMap(({ path }) => /^src\/modules\/(\w+\/(?!views\/)[\w-]+)\//.exec(path)?.[1] ?? [])
    const [, server = ''] = /^src\/server\/ .*?: (.*)$/m.exec(map) ?? []
    expect(server.split(' ').sort()).toEqual(files.sort())
    expect([...new Set(stages)].filter((name) => !map.includes(`\n${name} `))).toEqual([])
  })
})
