import { expect, onTestFinished, test } from 'vitest'
import WebSocket from 'ws'
import { lookAtInTurn } from '../../../src/server/graphql/documents.ts'
import { asker } from '../../help/ask.ts'
import { bearer, socketUrl } from '../../help/live.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer()
const [unknown, known] = [{ isParsed: () => false }, { isParsed: () => true }]

let documents = 0
/** A document of 3 KB that nobody has sent before, and whose fields cost too much for a subscription. */
const newDocument = (kind: 'query' | 'subscription' = 'subscription') => {
  const fields = 'contact { id emails(first: 100) { nodes { id contact { id emails(first: 10) { nodes { id } } } } } }'
  const long = `#${' '.repeat(3_000)}`
  return kind === 'subscription'
    ? `subscription S${documents++} { activity { cursor ${fields} } } ${long}`
    : `query Q${documents++} { contacts(first: 1) { nodes { id } } } ${long}`
}

interface Message {
  id?: string
  type: string
  payload?: unknown
}

/** An initialised socket without a protocol client, and what it was sent. */
async function initialised(secret: string) {
  const socket = new WebSocket(socketUrl(url), 'graphql-transport-ws')
  onTestFinished(() => socket.terminate())
  const messages: Message[] = []
  socket.on('message', (text) => messages.push(JSON.parse(String(text))))
  await new Promise((resolve) => socket.once('open', resolve))
  const send = (message: Message) => socket.send(JSON.stringify(message))
  send({ type: 'connection_init', payload: bearer(secret) })
  await until(async () => messages.some(({ type }) => type === 'connection_ack'))
  return { send, of: (id: number) => messages.filter((message) => message.id === String(id)), answers: () => messages.length - 1 }
}

/** Takes the turn of a project until it is given back. */
async function holdTurn({ ctx }: Awaited<ReturnType<typeof freshProject>>): Promise<() => Promise<unknown>> {
  const [held, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const turn = lookAtInTurn(unknown, ctx, '{ held }', () => {
    begun.resolve()
    return held.promise
  })
  await begun.promise
  return () => {
    held.resolve()
    return turn
  }
}

test('documents of one caller are looked at one at a time; those of others, and short ones that are known, do not wait', async () => {
  const [mine, other] = [await freshProject(world), await freshProject(world)]
  const giveBack = await holdTurn(mine)
  let looked = false
  const waiting = lookAtInTurn(known, mine.ctx, 'x'.repeat(2_001), async () => {
    looked = true
  })
  expect(await lookAtInTurn(known, mine.ctx, 'x'.repeat(2_000), async () => 'short')).toBe('short')
  expect(await lookAtInTurn(unknown, other.ctx, 'x', async () => 'other')).toBe('other')
  expect(looked).toBe(false)
  await giveBack()
  await waiting
  expect(looked).toBe(true)
})

test('between the documents of different callers others have as much time as the first one took', async () => {
  const [mine, other] = [await freshProject(world), await freshProject(world)]
  const order: string[] = []
  const first = lookAtInTurn(unknown, mine.ctx, 'x', async () => {
    setTimeout(() => order.push('somebody else'), 10)
    for (const until = performance.now() + 30; performance.now() < until; );
    order.push('first')
  })
  const second = lookAtInTurn(unknown, other.ctx, 'x', async () => void order.push('second'))
  await Promise.all([first, second])
  expect(order).toEqual(['first', 'somebody else', 'second'])
})

test('over HTTP a large document waits for its turn, also by GET; short ones that are known do not', async () => {
  const mine = await freshProject(world)
  const ask = asker(url, mine.secret)
  const short = '{ contacts(first: 2) { nodes { id } } }'
  await ask(short)
  const giveBack = await holdTurn(mine)
  let answered = 0
  const byGet = fetch(`${url}/graphql?query=${encodeURIComponent(newDocument('query'))}`, { headers: bearer(mine.secret) })
  const waiting = [ask(newDocument('query')), byGet].map(async (one) => {
    const { status } = await one
    answered++
    return status
  })
  for (let times = 0; times < 5; times++) expect((await ask(short)).errors).toEqual([])
  expect(answered).toBe(0)
  await giveBack()
  expect(await Promise.all(waiting)).toEqual([200, 200])
})

test('a flood of subscriptions with large documents leaves others to be answered between them', async () => {
  const [mine, other] = [await freshProject(world), await freshProject(world)]
  const { send, answers } = await initialised(mine.secret)
  const ask = asker(url, other.secret)
  await ask('{ contacts { nodes { id } } }')
  for (let id = 0; id < 90; id++) send({ id: String(id), type: 'subscribe', payload: { query: newDocument() } })
  await until(async () => answers() > 0)
  expect((await ask('{ contacts { nodes { id } } }')).errors).toEqual([])
  expect(answers()).toBeLessThan(45)
})

test('100 operations of a socket wait to begin at most, also when they are completed meanwhile', async () => {
  const mine = await freshProject(world)
  const { send, of } = await initialised(mine.secret)
  const giveBack = await holdTurn(mine)
  for (let id = 0; id < 101; id++) {
    send({ id: String(id), type: 'subscribe', payload: { query: newDocument() } })
    if (id > 0 && id < 100) send({ id: String(id), type: 'complete' })
  }
  await until(async () => of(100).length > 0)
  expect(of(100)).toMatchObject([
    { type: 'error', payload: [{ message: 'At most 100 operations run at a time on one socket. Try again in 5 seconds.' }] },
  ])
  expect(of(0)).toEqual([])
  await giveBack()
  await until(async () => of(0).length > 0)
  expect(of(0)[0]).toMatchObject({ type: 'next', payload: { errors: [{ message: expect.stringContaining('points of cost') }] } })
})
