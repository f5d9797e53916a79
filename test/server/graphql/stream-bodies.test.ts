import { expect, test, vi } from 'vitest'
import { logEvents } from '../../help/lines.ts'
import { bare, bearer, connect, openStream, type Stream, watching } from '../../help/live.ts'
import { testServer } from '../../help/server.ts'
import { holdUnreadOf, unreadBytes } from '../../help/unread.ts'
import { until } from '../../help/until.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer({ running: true, env: { TRUST_PROXY: '1' } })
const megabyte = 1024 * 1024
const document = 'subscription { activity { event { name data } } }'

async function watchingStream(secret: string, address: string): Promise<Stream> {
  const before = await watching(world)
  const stream = await openStream(url, document, { ...bearer(secret), 'x-forwarded-for': address })
  await until(async () => (await watching(world)) === before + 1)
  return stream
}

const large = (name: string) => ({ name, data: { text: 'x'.repeat(900_000) } })

test('data of events that a stream has been sent and has read does not count as unread', async () => {
  const { projectId, secret } = await freshProject(world)
  const address = '192.0.2.10'
  const held = holdUnreadOf(world, { projectId, address, bytes: 30 * megabyte })
  const stream = await watchingStream(secret, address)
  for (const name of ['one', 'two', 'three', 'four']) {
    await logEvents(world, projectId, [large(name)])
    await until(async () => stream.text().includes(`"${name}"`))
  }
  expect(stream.text()).not.toContain('errors')
  await until(async () => (await unreadBytes(world)) === 30 * megabyte)
  held.release()
})

test('what one subscriber has not read is nothing to another one who is sent the same', async () => {
  const { projectId, secret } = await freshProject(world)
  const held = holdUnreadOf(world, { projectId: 'prj_other', address: '192.0.2.1', bytes: 33 * megabyte })
  await watchingStream(secret, '192.0.2.1')
  const reading = await watchingStream(secret, '192.0.2.2')
  await logEvents(world, projectId, [large('large')])
  await until(async () => reading.text().includes('xxx"}') || reading.text().includes('errors'))
  expect(reading.text()).not.toContain('errors')
  held.release()
})

test('the data of an event is written into a stream as it is stored, without being parsed', async () => {
  const { projectId, secret } = await freshProject(world)
  const stream = await watchingStream(secret, '192.0.2.3')
  const parse = vi.spyOn(JSON, 'parse')
  await logEvents(world, projectId, [{ name: 'dense', data: { list: Array.from({ length: 50_000 }, (_, at) => at) } }])
  await until(async () => stream.text().includes('49999]'))
  const parsed = parse.mock.calls.filter(([text]) => String(text).includes('49999]'))
  parse.mockRestore()
  expect(parsed).toEqual([])
})

test('a subscription is refused that is sent with more than it may keep as long as it lives', async () => {
  const { secret } = await freshProject(world)
  const query = 'subscription { activity { cursor } }'
  const tooMuch = { code: 'PAYLOAD_TOO_LARGE' }
  const kept = [{ x: 'x'.repeat(20_000) }, { x: Array.from({ length: 600 }, () => ({})) }]
  for (const variables of kept) {
    const headers = { ...bearer(secret), 'content-type': 'application/json', accept: 'application/json' }
    const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
    expect(await answer.json()).toMatchObject({ errors: [{ extensions: tooMuch }] })
    expect(await refusedBySocket({ query, variables })).toMatchObject([{ extensions: tooMuch }])
  }
  expect(await refusedBySocket({ query: `${query} #${'x'.repeat(20_000)}` })).toMatchObject([{ extensions: tooMuch }])
  // The protocol keeps its message with what it does not know.
  const socket = await bare(url, secret)
  socket.send({ type: 'subscribe', id: 'one', payload: { query }, more: 'x'.repeat(20_000) })
  await until(async () => socket.types.includes('error'))

  function refusedBySocket(payload: { query: string; variables?: Record<string, unknown> }): Promise<unknown> {
    const { client } = connect(url, bearer(secret))
    return new Promise((resolve) => {
      client.subscribe(payload, { next: resolve, error: resolve, complete: () => undefined })
    })
  }
})
