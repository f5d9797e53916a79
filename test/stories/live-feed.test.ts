import { type Client, createClient } from 'graphql-ws'
import { afterAll, expect, test } from 'vitest'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { watching } from '../help/live.ts'
import { testServer } from '../help/server.ts'
import { acceptingTransport } from '../help/smtp.ts'
import { until } from '../help/until.ts'
import { freshProject } from '../help/world.ts'

const { delivered, mailServer } = acceptingTransport()
const { url, call, world } = await testServer({ mailServer, running: true, worker: true })
const clients: Client[] = []
afterAll(async () => {
  for (const client of clients) await client.dispose()
})

interface Item {
  cursor: string
  type: string
  contactEmail: string
  metadata: { emailId?: string; link?: string }
}

/** Follows the activity of a project over a websocket; returns the lines received so far. */
async function follow(key: string, after?: string): Promise<Item[]> {
  const received: Item[] = []
  const before = await watching(world)
  const connected = Promise.withResolvers<void>()
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    lazy: false,
    retryAttempts: 0,
    connectionParams: { authorization: `Bearer ${key}` },
    on: { connected: () => connected.resolve() },
  })
  clients.push(client)
  client.subscribe<{ activity: Item }>(
    { query: 'subscription ($after: String) { activity(after: $after) { cursor type contactEmail metadata } }', variables: { after } },
    { next: ({ data }) => data && received.push(data.activity), error: () => undefined, complete: () => undefined },
  )
  await connected.promise
  await until(async () => (await watching(world)) === before + 1)
  return received
}

const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36' }

test('send, open and click are seen live on a websocket, in order; a reader that comes back with its cursor gets the rest', async () => {
  const { ctx, secret } = await freshProject(world)
  await createDomain(ctx, { domain: 'acme.test' })
  const received = await follow(secret)
  const body = '<p><a href="https://example.com/sale">look</a></p>'
  const sent = await call('POST /v1/send', { to: 'ada@example.com', from: 'hi@acme.test', subject: 'S', body }, { key: secret })
  await until(async () => received.length === 1)

  const mail = delivered[0]?.raw.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? ''
  const [pixel, link] = [/src="([^"]+\/t\/o\/[^"]+)"/, /href="([^"]+\/t\/c\/[^"]+)"/].map(
    (pattern) => new URL(pattern.exec(mail)?.[1] ?? '').pathname,
  )
  world.clock.turn(10_000)
  await fetch(url + pixel, { headers: person })
  await until(async () => received.length === 2)
  expect((await fetch(url + link, { headers: person, redirect: 'manual' })).headers.get('location')).toBe('https://example.com/sale')
  await until(async () => received.length === 3)

  expect(received.map(({ type, contactEmail }) => [type, contactEmail])).toEqual([
    ['EMAIL_SENT', 'ada@example.com'],
    ['EMAIL_OPENED', 'ada@example.com'],
    ['EMAIL_CLICKED', 'ada@example.com'],
  ])
  for (const { metadata } of received) expect(metadata.emailId).toBe(sent.body.data.emails[0].email)
  expect(received[2]?.metadata.link).toBe('https://example.com/sale')

  const again = await follow(secret, received[0]?.cursor)
  await until(async () => again.length === 2)
  expect(again).toEqual(received.slice(1))
})
