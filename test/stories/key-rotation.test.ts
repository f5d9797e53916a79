import { type Client, createClient } from 'graphql-ws'
import { afterAll, expect, test } from 'vitest'
import { testServer } from '../help/server.ts'
import { freshProject, testWorld } from '../help/world.ts'

// Two processes on one database, as behind a load balancer.
const here = await testServer({ running: true })
const there = await testServer({ world: await testWorld({ running: true, databaseUrl: here.world.databaseUrl }) })
const both = [here, there]
const clients: Client[] = []
afterAll(async () => {
  for (const client of clients) await client.dispose()
})

interface Heard {
  id: string
  cursor: string
}

/** A live feed on a server: what it hears, how its socket was closed, and when it listens. */
function follow(url: string, key: string, after?: string) {
  const heard: Heard[] = []
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
  const query = 'subscription ($after: String) { activity(after: $after) { id cursor } }'
  client.subscribe<{ activity: Heard }>(
    { query, variables: { after } },
    { next: ({ data }) => data && heard.push(data.activity), error: () => undefined, complete: () => undefined },
  )
  return { heard, closed: closed.promise, listening: listening.promise }
}

const ids = (heard: Heard[]) => heard.map(({ id }) => id)

test('rotating the keys in one process ends the old ones in every process at once, live sockets included, and the feed goes on with the new ones', async () => {
  const { projectId, secret, public: publicKey } = await freshProject(here.world)
  const tracked: string[] = []
  const track = async (server: typeof here, event: string, key: string) => {
    const { status, body } = await server.call('POST /v1/track', { email: 'ada@example.com', event }, { key })
    if (status === 200) tracked.push(body.data.event)
    return status
  }
  for (const server of both) expect((await server.call('GET /contacts', undefined, { key: secret })).status).toBe(200)
  const before = follow(there.url, secret)
  await before.listening
  // A socket listens a moment after it is open: tracked again until it hears one, and the last may still be on its way.
  await expect.poll(async () => (await track(there, 'before', publicKey)) && before.heard.length).toBeGreaterThan(0)

  const { body: fresh } = await here.call(`POST /users/@me/projects/${projectId}/regenerate-keys`, undefined, { key: secret })

  for (const server of both) {
    expect((await server.call('GET /contacts', undefined, { key: secret })).body.error.code).toBe('INVALID_API_KEY')
    expect(await track(server, 'with the old key', publicKey)).toBe(401)
  }
  expect((await before.closed).code).toBe(4401)

  const cursor = before.heard.at(-1)?.cursor
  await track(here, 'while nobody listened', fresh.public)
  const afterwards = follow(here.url, fresh.secret, cursor)
  await afterwards.listening
  const sinceFirstHeard = () => tracked.slice(tracked.indexOf(before.heard[0]?.id ?? ''))
  await expect.poll(() => ids([...before.heard, ...afterwards.heard])).toEqual(sinceFirstHeard())
  await track(there, 'live again', fresh.public)
  await expect.poll(() => ids([...before.heard, ...afterwards.heard])).toEqual(sinceFirstHeard())
})
