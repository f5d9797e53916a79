import { type Client, createClient } from 'graphql-ws'
import { afterAll, expect, test } from 'vitest'
import { testServer } from '../help/server.ts'
import { freshProject, testWorld } from '../help/world.ts'

// Two processes on one database, as behind a load balancer.
const first = await testServer({ running: true })
const second = await testServer({ world: await testWorld({ running: true, databaseUrl: first.world.databaseUrl }) })
const both = [first, second]
const clients: Client[] = []
afterAll(async () => {
  for (const client of clients) await client.dispose()
})

interface Received {
  id: string
  cursor: string
  contact: { id: string } | null
}

/** A live feed on a server: the lines it has received, how its socket was closed, and when it is connected. */
function follow(url: string, key: string, after?: string) {
  const received: Received[] = []
  const closed = Promise.withResolvers<{ code: number }>()
  const listening = Promise.withResolvers<void>()
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    lazy: false,
    retryAttempts: 0,
    onNonLazyError: () => undefined,
    connectionParams: { authorization: `Bearer ${key}` },
    on: { closed: (event) => closed.resolve(event as { code: number }), connected: () => listening.resolve() },
  })
  clients.push(client)
  const query = 'subscription ($after: String) { activity(after: $after) { id cursor contact { id } } }'
  client.subscribe<{ activity: Received }>(
    { query, variables: { after } },
    { next: ({ data }) => data && received.push(data.activity), error: () => undefined, complete: () => undefined },
  )
  return { received, closed: closed.promise, listening: listening.promise }
}

// Of the events of contacts: the rotation itself is a line of the project.
const ids = (lines: Received[]) => lines.flatMap(({ id, contact }) => (contact ? [id] : []))

test('rotating the keys in one process invalidates the old ones in every process immediately, closes live sockets, and the feed resumes with the new ones', async () => {
  const { projectId, secret, public: publicKey } = await freshProject(first.world)
  const tracked: string[] = []
  const track = async (server: typeof first, event: string, key: string) => {
    const { status, body } = await server.call('POST /v1/track', { email: 'ada@example.com', event }, { key })
    if (status === 200) tracked.push(body.data.event)
    return status
  }
  for (const server of both) expect((await server.call('GET /contacts', undefined, { key: secret })).status).toBe(200)
  const before = follow(second.url, secret)
  await before.listening
  // A subscription begins a moment after the socket is open, so events are tracked until one is received. The last one may
  // arrive later.
  await expect.poll(async () => (await track(second, 'before', publicKey)) && before.received.length).toBeGreaterThan(0)

  const { body: fresh } = await first.call(`POST /users/@me/projects/${projectId}/regenerate-keys`, undefined, { key: secret })

  for (const server of both) {
    expect((await server.call('GET /contacts', undefined, { key: secret })).body.error.code).toBe('INVALID_API_KEY')
    expect(await track(server, 'with the old key', publicKey)).toBe(401)
  }
  expect((await before.closed).code).toBe(4401)

  const cursor = before.received.at(-1)?.cursor
  await track(first, 'while disconnected', fresh.public)
  const afterwards = follow(first.url, fresh.secret, cursor)
  await afterwards.listening
  const sinceFirstReceived = () => tracked.slice(tracked.indexOf(before.received[0]?.id ?? ''))
  await expect.poll(() => ids([...before.received, ...afterwards.received])).toEqual(sinceFirstReceived())
  await track(second, 'live again', fresh.public)
  await expect.poll(() => ids([...before.received, ...afterwards.received])).toEqual(sinceFirstReceived())
})
