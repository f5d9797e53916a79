import type { Client } from 'graphql-ws'
import { describe, expect, onTestFinished, test } from 'vitest'
import WebSocket from 'ws'
import { announceEvents } from '../../../src/modules/events/log.ts'
import { regenerateKeys } from '../../../src/modules/projects/projects.ts'
import { appendLines, logEvents } from '../../help/lines.ts'
import { bearer, connect, socketUrl, watching } from '../../help/live.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const { url, world } = await testServer({ running: true })
const second = await testServer({ running: true, world: await testWorld({ running: true, databaseUrl: world.databaseUrl }) })

interface Line {
  cursor: string
  type: string
  metadata: { eventName?: string }
}

const feed = 'subscription($after: String, $types: [ActivityType!]) { activity(after: $after, types: $types) { cursor type metadata } }'

/** Subscribes and collects lines until `stop` is called. */
function subscribe(client: Client, variables: Record<string, unknown> = {}) {
  const lines: Line[] = []
  const iterator = client.iterate<{ activity: Line }>({ query: feed, variables })
  const over = (async () => {
    for await (const { data, errors } of iterator) {
      if (errors) throw errors[0]
      if (data) lines.push(data.activity)
    }
  })()
  return { lines, over, stop: () => iterator.return?.() }
}

// A position of an epoch that this log has not reached.
const aheadOfTheLog = Buffer.from('9.1.').toString('base64url')
const names = (lines: Line[]) => lines.map(({ metadata }) => metadata.eventName).join(' ')

describe('a websocket', () => {
  test('streams activity as it happens, and resumes on another process without gap or duplicate', async () => {
    const { projectId, secret } = await freshProject(world)
    const first = subscribe(connect(url, bearer(secret)).client)
    await until(async () => (await watching(world)) === 1)
    await appendLines(world, projectId, 'a', 'b')
    await until(async () => first.lines.length === 2)
    await first.stop()
    await until(async () => (await watching(world)) === 0)
    await appendLines(world, projectId, 'c')
    const resumed = subscribe(connect(second.url, bearer(secret)).client, { after: first.lines.at(-1)?.cursor })
    await until(async () => resumed.lines.length === 1)
    await appendLines(world, projectId, 'd')
    await until(async () => resumed.lines.length === 2)
    expect([names(first.lines), names(resumed.lines)]).toEqual(['a b', 'c d'])
    expect(first.lines[0]).toMatchObject({ type: 'EVENT_TRIGGERED', metadata: { eventName: 'a' } })
  })

  test('filters by types in either spelling, and refuses unknown ones', async () => {
    const { projectId, secret } = await freshProject(world)
    const { client } = connect(url, bearer(secret))
    const opens = subscribe(client, { types: ['EMAIL_OPENED'] })
    const triggered = subscribe(client, { types: ['EVENT_TRIGGERED'] })
    await until(async () => (await watching(world)) === 2)
    await logEvents(world, projectId, [{ name: 'email.open' }, { name: 'email.sent' }])
    await appendLines(world, projectId, 'mine')
    await until(async () => opens.lines.length === 1 && triggered.lines.length === 1)
    expect([opens.lines[0]?.type, triggered.lines[0]?.metadata.eventName]).toEqual(['EMAIL_OPENED', 'mine'])
    await expect(subscribe(client, { types: ['nonsense'] }).over).rejects.toMatchObject({
      extensions: { code: 'BAD_REQUEST', requestId: expect.stringMatching(/^req_/) },
    })
    await expect(subscribe(client, { after: 'forged' }).over).rejects.toMatchObject({ extensions: { code: 'BAD_REQUEST' } })
  })

  test('is closed with 4410 when the cursor of a subscription is ahead of the log', async () => {
    const { secret } = await freshProject(world)
    const { client, closed } = connect(url, bearer(secret))
    const { over } = subscribe(client, { after: aheadOfTheLog })
    await expect(over).rejects.toMatchObject({ extensions: { code: 'CURSOR_EXPIRED', statusCode: 410 } })
    expect(await closed).toMatchObject({ code: 4410, reason: expect.stringMatching(/ahead of the log/) })
    expect(await watching(world)).toBe(0)
  })

  test('runs queries and mutations too, with the errors of the catalogue', async () => {
    const { secret, projectId } = await freshProject(world)
    const { client } = connect(url, bearer(secret))
    const run = async (query: string) => (await client.iterate({ query }).next()).value
    expect(await run('{ project { id } }')).toMatchObject({ data: { project: { id: projectId } }, extensions: { cost: { requested: 1 } } })
    expect(await run('mutation { upsertContact(input: { email: "nope" }) { created } }')).toMatchObject({
      errors: [{ extensions: { code: 'VALIDATION_ERROR', statusCode: 422 } }],
    })
    await expect(run('{ nothing }')).rejects.toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }])
    await expect(run('{ contacts(first: 100) { nodes { events(first: 100) { nodes { id } } } } }')).resolves.toMatchObject({
      errors: [{ message: expect.stringMatching(/points of cost/) }],
    })
  })

  test.each([
    ['no key', {}, 4401],
    ['an unknown key', bearer(`sk_${'0'.repeat(64)}`), 4401],
    ['something that is not a key', { authorization: 12 }, 4401],
  ])('with %s is closed with 4401', async (_what, params, code) => {
    expect((await connect(url, params).closed).code).toBe(code)
  })

  test.each(['Bearer ', 'bearer ', 'BEARER   '])(
    'with a public key after "%s" is closed with 4403, also with one that does not exist',
    async (scheme) => {
      const project = await freshProject(world)
      for (const key of [project.public, `pk_${'0'.repeat(64)}`])
        expect((await connect(url, { authorization: `${scheme}${key}` }).closed).code).toBe(4403)
      expect((await connect(url, { authorization: `${scheme}sk_${'0'.repeat(64)}` }).closed).code).toBe(4401)
    },
  )

  test('with a cookie needs an Origin of this installation: it is closed with 4401 without one, and with 4403 with another', async () => {
    const { projectId } = await freshProject(world)
    const { cookie } = await freshUser(world, { member: { projectId, role: 'OWNER' } })
    expect((await connect(url, {}, { cookie }).closed).code).toBe(4401)
    expect((await connect(url, {}, { cookie, origin: 'https://other.example' }).closed).code).toBe(4403)
    const { client } = connect(url, {}, { cookie, origin: url })
    expect((await client.iterate({ query: '{ project { id } }' }).next()).value).toMatchObject({ data: { project: { id: projectId } } })
  })

  test('without credentials is closed with 4408', async () => {
    const socket = new WebSocket(socketUrl(url), 'graphql-transport-ws')
    expect(await new Promise((resolve) => socket.once('close', resolve))).toBe(4408)
  })

  test('is closed in every process when its key is rotated', async () => {
    const { secret, ctx, projectId } = await freshProject(world)
    const sockets = [connect(url, bearer(secret)), connect(second.url, bearer(secret))]
    const other = await freshProject(world)
    const untouched = subscribe(connect(url, bearer(other.secret)).client)
    const feeds = sockets.map(({ client }) => subscribe(client))
    await until(async () => (await watching(world)) === 2 && (await watching(second.world)) === 1)
    for (const { over } of feeds) over.catch(() => undefined)
    await regenerateKeys(ctx, { id: projectId })
    expect((await Promise.all(sockets.map(({ closed }) => closed))).map(({ code }) => code)).toEqual([4401, 4401])
    await until(async () => (await watching(world)) === 1)
    await appendLines(world, other.projectId, 'still here')
    await until(async () => untouched.lines.length === 1)
  })

  test('is limited per minute as HTTP is', async () => {
    const limited = await testServer({ env: { RATE_LIMIT_PER_MINUTE: '100' } })
    const { secret } = await freshProject(limited.world)
    const { client } = connect(limited.url, bearer(secret))
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, () =>
        client
          .iterate({ query: '{ __typename }' })
          .next()
          .then(
            () => 'answered',
            (errors: { extensions: { code: string } }[]) => errors[0]?.extensions.code,
          ),
      ),
    )
    expect(answers.filter((answer) => answer === 'answered')).toHaveLength(100)
    expect(answers.filter((answer) => answer === 'RATE_LIMIT_EXCEEDED')).toHaveLength(900)
  })

  test('runs at most 100 operations at a time', async () => {
    const { secret } = await freshProject(world)
    const { client } = connect(url, bearer(secret))
    const feeds = Array.from({ length: 105 }, () => subscribe(client))
    const refused = await Promise.allSettled(feeds.slice(100).map(({ over }) => over))
    const reasons = refused.map((one) => one.status === 'rejected' && one.reason[0].extensions)
    expect(reasons).toEqual(Array.from({ length: 5 }, () => expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED', retryAfter: 5 })))
    await Promise.all(feeds.map(({ stop }) => stop()))
    await until(async () => (await watching(world)) === 0)
  })
})

describe('over a websocket', () => {
  test('nobody signs in or up, because no cookie could be set', async () => {
    const { secret } = await freshProject(world)
    const { client } = connect(url, bearer(secret))
    const run = async (query: string) => (await client.iterate({ query }).next()).value
    const { email, password, userId } = await freshUser(world)
    const sessions = await world.db.prisma.session.count()
    const refused = { errors: [{ message: expect.stringContaining('cookie'), extensions: { code: 'BAD_REQUEST' } }] }
    const given = (address: string) => `input: { email: "${address}", password: "${password}" }`
    expect(await run(`mutation { logIn(${given(email)}) { user { id } } }`)).toMatchObject(refused)
    expect(await run(`mutation { signUp(${given('new@people.test')}) { user { id } } }`)).toMatchObject(refused)
    expect(await world.db.prisma.session.count()).toBe(sessions)
    expect(await world.db.prisma.session.count({ where: { userId } })).toBe(1)
    expect(await world.db.prisma.user.count({ where: { email: 'new@people.test' } })).toBe(0)
  })
})

describe('a reader that stops reading', () => {
  const all = Array.from({ length: 4_000 }, (_, at) => `line ${at}`)
  const padding = 'x'.repeat(2_000)

  /** Subscribes over a plain socket and returns every message it receives. */
  async function bare(
    secret: string,
    variables: object,
  ): Promise<{ socket: WebSocket; messages: { type: string; payload: { data?: { activity: Line }; errors?: unknown } }[] }> {
    const socket = new WebSocket(socketUrl(url), 'graphql-transport-ws')
    onTestFinished(() => socket.terminate())
    const messages: Awaited<ReturnType<typeof bare>>['messages'] = []
    socket.on('message', (text) => messages.push(JSON.parse(String(text))))
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send(JSON.stringify({ type: 'connection_init', payload: bearer(secret) }))
    await until(async () => messages.length === 1)
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: feed, variables } }))
    return { socket, messages }
  }

  test('learns where to resume, slows no other reader, and loses nothing', async () => {
    const { projectId, secret } = await freshProject(world)
    const slow = await bare(secret, {})
    const quick = subscribe(connect(url, bearer(secret)).client)
    await until(async () => (await watching(world)) === 2)
    slow.socket.pause()
    for (let at = 0; at < all.length; at += 500) {
      const lines = all.slice(at, at + 500).map((name) => ({ name, data: { padding } }))
      await logEvents(world, projectId, lines)
      announceEvents(world, projectId)
      await until(async () => quick.lines.length === at + 500)
    }
    slow.socket.resume()
    await until(async () => slow.messages.some(({ type, payload }) => type === 'complete' || payload?.errors !== undefined))
    const seen = slow.messages.flatMap(({ payload }) => payload?.data?.activity.metadata.eventName ?? [])
    const errors = slow.messages.find(({ payload }) => payload?.errors)?.payload.errors
    expect(errors).toEqual([
      expect.objectContaining({ extensions: expect.objectContaining({ code: 'STREAM_INTERRUPTED', cursor: expect.any(String) }) }),
    ])
    const [{ extensions }] = errors as [{ extensions: { cursor: string } }]
    const resumed = subscribe(connect(second.url, bearer(secret)).client, { after: extensions.cursor })
    await until(async () => seen.length + resumed.lines.length >= all.length)
    expect([...seen, ...resumed.lines.map(({ metadata }) => metadata.eventName)]).toEqual(all)
    expect(names(quick.lines)).toBe(all.join(' '))
  })
})

describe('server-sent events', () => {
  test('end immediately when the key is rotated', async () => {
    const { ctx, projectId, secret } = await freshProject(world)
    const response = await fetch(`${url}/graphql?query=${encodeURIComponent('subscription { activity { cursor } }')}`, {
      headers: { accept: 'text/event-stream', ...bearer(secret) },
    })
    await until(async () => (await watching(world)) === 1)
    await regenerateKeys(ctx, { id: projectId })
    await expect(response.text()).rejects.toThrow()
    await until(async () => (await watching(world)) === 0)
  })

  test('are refused with 410 for a cursor that is ahead of the log', async () => {
    const { secret } = await freshProject(world)
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...bearer(secret) },
      body: JSON.stringify({ query: feed, variables: { after: aheadOfTheLog } }),
    })
    expect([response.status, await response.text()]).toEqual([410, expect.stringContaining('"code":"CURSOR_EXPIRED"')])
  })

  test('deliver the same stream, and end with the request', async () => {
    const { projectId, secret } = await freshProject(world)
    const abort = new AbortController()
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      signal: abort.signal,
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${secret}` },
      body: JSON.stringify({ query: feed }),
    })
    expect(response.headers.get('content-type')).toMatch('text/event-stream')
    await until(async () => (await watching(world)) === 1)
    await appendLines(world, projectId, 'over sse')
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      if (text.includes('over sse')) break
    }
    expect(text).toMatch(/event: next\ndata: \{"data":\{"activity":/)
    abort.abort()
    await until(async () => (await watching(world)) === 0)
  })
})

test('closing a server ends its streams', async () => {
  const closing = await testServer({ running: true })
  const { secret } = await freshProject(closing.world)
  const { client } = connect(closing.url, bearer(secret))
  const { over } = subscribe(client)
  over.catch(() => undefined)
  await until(async () => (await watching(closing.world)) === 1)
  await closing.world.close()
  await over.catch(() => undefined)
  expect(await watching(closing.world)).toBe(0)
})
