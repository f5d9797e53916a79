import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { answerPings, checkAlive } from '../../../src/server/graphql/pings.ts'
import { bare } from '../../help/live.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer({ running: true })

test.each(['ping', 'pong'] as const)(
  'a socket that sends more than 200 %s frames in 12 s is closed, and another one is not',
  async (kind) => {
    const { secret } = await freshProject(world)
    const [calm, busy] = [await bare(url, secret), await bare(url, secret)]
    let pongs = 0
    calm.socket.on('pong', () => pongs++)
    for (let at = 0; at < 200; at++) calm.socket[kind]()
    for (let at = 0; at < 201; at++) busy.socket[kind]()
    const [code, reason] = await once(busy.socket, 'close')
    expect([code, String(reason)]).toEqual([1008, 'Too many pings.'])
    if (kind === 'ping') await until(async () => pongs === 200)
    calm.send({ type: 'ping' })
    await until(async () => calm.types.includes('pong'))
  },
)

test('behind its last ping nothing of a socket is answered, and it ends although it does not read its close frame', async () => {
  const { secret } = await freshProject(world)
  const { socket, types, send } = await bare(url, secret)
  let pongs = 0
  socket.on('pong', () => pongs++)
  for (let at = 0; at < 5_000; at++) socket.ping()
  send({ type: 'ping' })
  await once(socket, 'close')
  expect(pongs).toBe(200)
  expect(types).not.toContain('pong')
})

// What of a socket is used here.
class Socket extends EventEmitter {
  isPaused = false
  asked: Buffer[] = []
  isTerminated = false
  ping(data: Buffer): void {
    this.asked.push(data)
  }
  terminate(): void {
    this.isTerminated = true
  }
  answer(data = this.asked.at(-1)): void {
    this.emit('pong', data)
  }
}

/** Some sockets, and how to ask all of them whether they are still there. */
function open(count: number) {
  const sockets = Array.from({ length: count }, () => new Socket())
  const all = new Set(sockets as unknown as WebSocket[])
  for (const socket of all) answerPings(socket, () => undefined)
  return { sockets, check: () => checkAlive(all) }
}

const seen = ({ asked, isTerminated }: Socket) => [asked.length, isTerminated]

test('a socket that does not answer a ping ends at the next one, but not while a message of it waits, when no pong is read either', () => {
  const { sockets, check } = open(3)
  const [answering, silent, waiting] = sockets as [Socket, Socket, Socket]
  check()
  answering.answer()
  waiting.isPaused = true
  check()
  expect([answering, silent, waiting].map(seen)).toEqual([
    [2, false],
    [1, true],
    [1, false],
  ])
  waiting.isPaused = false
  waiting.answer()
  answering.answer()
  check()
  expect([answering, waiting].map(seen)).toEqual([
    [3, false],
    [2, false],
  ])
})

test('a pong that answers no ping, or not the last one, does not keep a socket that reads nothing', () => {
  const { sockets, check } = open(3)
  const [forging, late, answering] = sockets as [Socket, Socket, Socket]
  check()
  forging.answer(Buffer.from('here'))
  late.answer()
  answering.answer()
  check()
  forging.answer(Buffer.alloc(0))
  late.answer(late.asked[0])
  answering.answer()
  check()
  expect([forging, late, answering].map((socket) => socket.isTerminated)).toEqual([true, true, false])
})
