import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { checkAlive } from '../../../src/server/graphql/pings.ts'
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
  pings = 0
  isTerminated = false
  ping(): void {
    this.pings++
  }
  terminate(): void {
    this.isTerminated = true
  }
}

test('a socket that does not answer a ping ends at the next one, but not while a message of it waits, when no pong is read either', () => {
  const [answering, silent, waiting] = [new Socket(), new Socket(), new Socket()]
  const sockets = new Set([answering, silent, waiting] as unknown as WebSocket[])
  answering.ping = () => {
    answering.pings++
    answering.emit('pong')
  }
  checkAlive(sockets)
  waiting.isPaused = true
  checkAlive(sockets)
  const seen = ({ pings, isTerminated }: Socket) => [pings, isTerminated]
  expect([answering, silent, waiting].map(seen)).toEqual([
    [2, false],
    [1, true],
    [1, false],
  ])
  waiting.isPaused = false
  waiting.emit('pong')
  sockets.delete(silent as unknown as WebSocket)
  checkAlive(sockets)
  expect([answering, waiting].map(seen)).toEqual([
    [3, false],
    [2, false],
  ])
})
