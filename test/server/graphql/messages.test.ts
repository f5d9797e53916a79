import { EventEmitter } from 'node:events'
import type { Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { callerOf, callersOf, nameOf } from '../../../src/kit/callers.ts'
import { admitted, type Leave } from '../../../src/server/admission.ts'
import { receiveMessages } from '../../../src/server/graphql/messages.ts'
import { bare } from '../../help/live.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const shared = await testWorld()
const [{ ctx }, { ctx: other }] = [await freshUser(shared), await freshUser(shared)]

// What of a socket is used here.
class Socket extends EventEmitter {
  OPEN = 1
  readyState = 1
  isPaused = false
  closedWith: number | undefined
  close(code: number): void {
    this.closedWith = code
  }
  pause(): void {
    this.isPaused = true
  }
  resume(): void {
    this.isPaused = false
  }
}

test('messages are handled in order when it is the turn of their caller, and nothing more is read of their socket meanwhile', async () => {
  // Nothing that other tests have begun counts.
  const world = { ...shared }
  const underWay: Leave[] = []
  const begin = async (call: typeof ctx): Promise<void> => admitted({ ...call, world }, async (leave) => void underWay.push(leave))
  await begin(other)
  for (let at = 0; at < 32; at++) await begin(ctx)
  const socket = new Socket()
  const handled: string[] = []
  receiveMessages(world, { socket: socket as unknown as WebSocket, ctx: { ...ctx, world } }, async (text) => void handled.push(text))
  for (const text of ['1', '2', '3']) socket.emit('message', Buffer.from(text))
  await nextTurn()
  expect(handled).toEqual([])
  expect(socket.isPaused).toBe(true)
  for (const leave of underWay) leave()
  await nextTurn()
  expect(handled).toEqual(['1', '2', '3'])
  expect(socket.isPaused).toBe(false)
})

test('what was read behind a large message that waits is handled after it', async () => {
  const world = { ...shared }
  const [first, second] = [new Socket(), new Socket()]
  const handled: string[] = []
  for (const socket of [first, second])
    receiveMessages(world, { socket: socket as unknown as WebSocket, ctx: { ...ctx, world } }, async (text) => {
      for (const until = performance.now() + 30; performance.now() < until; );
      handled.push(text.slice(0, 2))
    })
  callersOf(world).add(nameOf(callerOf(other)))
  first.emit('message', Buffer.from('a1'.padEnd(20_000)))
  for (const text of ['b1'.padEnd(20_000), 'b2', 'b3'.padEnd(20_000), 'b4']) second.emit('message', Buffer.from(text))
  await nextTurn()
  expect([handled, second.isPaused]).toEqual([['a1'], true])
  await until(async () => handled.length === 5 && !second.isPaused)
  expect(handled).toEqual(['a1', 'b1', 'b2', 'b3', 'b4'])
})

test('what was read behind a message of a socket that was closed is forgotten', async () => {
  const world = { ...shared }
  const left = new AbortController()
  const [first, second] = [new Socket(), new Socket()]
  const handled: string[] = []
  for (const socket of [first, second])
    receiveMessages(world, { socket: socket as unknown as WebSocket, ctx: { ...ctx, world }, closed: left.signal }, async (text) => {
      for (const until = performance.now() + 30; performance.now() < until; );
      handled.push(text.slice(0, 2))
    })
  callersOf(world).add(nameOf(callerOf(other)))
  first.emit('message', Buffer.from('a1'.padEnd(20_000)))
  for (let nth = 0; nth < 18; nth++) second.emit('message', Buffer.from(`b${nth}`.padEnd(900_000)))
  second.emit('message', Buffer.from('small'))
  left.abort()
  await nextTurn()
  const last = new Socket()
  receiveMessages(
    world,
    { socket: last as unknown as WebSocket, ctx: { ...ctx, world } },
    async (text) => void handled.push(text.slice(0, 2)),
  )
  for (let nth = 0; nth < 18; nth++) last.emit('message', Buffer.from(`c${nth}`.padEnd(900_000)))
  await until(async () => handled.length === 19)
  expect([last.closedWith, handled.filter((text) => text.startsWith('b'))]).toEqual([undefined, []])
})

test('messages of somebody who is not authenticated yet are handled at once', async () => {
  const socket = new Socket()
  const handled: string[] = []
  receiveMessages(shared, { socket: socket as unknown as WebSocket }, async (text) => void handled.push(text))
  socket.emit('message', Buffer.from('1'))
  expect(handled).toEqual(['1'])
})

test('of the large messages of one account one is read at a time, with a rest after it while others call; small ones and others do not wait', async () => {
  const world = { ...shared }
  const handled: string[] = []
  const socketOf = (caller: typeof ctx) => {
    const socket = new Socket()
    receiveMessages(world, { socket: socket as unknown as WebSocket, ctx: { ...caller, world } }, async (text) => {
      for (const until = performance.now() + 50; performance.now() < until; );
      handled.push(text.slice(0, 1))
    })
    return socket
  }
  const large = (text: string) => Buffer.from(text.padEnd(20_000))
  callersOf(world).add(nameOf(callerOf(other)))
  const [first, second] = [socketOf(ctx), socketOf(ctx)]
  first.emit('message', large('a'))
  second.emit('message', large('b'))
  await nextTurn()
  expect(handled).toEqual(['a'])
  expect([first.isPaused, second.isPaused]).toEqual([false, true])
  socketOf(ctx).emit('message', Buffer.from('c'))
  socketOf(other).emit('message', large('d'))
  await until(async () => handled.length === 4)
  expect(handled[0]).toBe('a')
  expect(handled.slice(1, 3).toSorted()).toEqual(['c', 'd'])
  expect([handled[3], second.isPaused]).toEqual(['b', false])
})

test('large messages of one account wait up to 16 MB; a socket that sends more is closed, and what waited of closed ones is forgotten', async () => {
  const world = { ...shared }
  const left = new AbortController()
  const handled: string[] = []
  const socketOf = (closed?: AbortSignal) => {
    const socket = new Socket()
    const sender = { socket: socket as unknown as WebSocket, ctx: { ...ctx, world }, ...(closed && { closed }) }
    receiveMessages(world, sender, async (text) => {
      for (const until = performance.now() + 50; performance.now() < until; );
      handled.push(text.slice(0, 1))
    })
    return socket
  }
  const large = (text: string) => Buffer.from(text.padEnd(900_000))
  callersOf(world).add(nameOf(callerOf(other)))
  socketOf().emit('message', large('a'))
  await nextTurn()
  const waiting = Array.from({ length: 19 }, () => socketOf(left.signal))
  for (const socket of waiting) socket.emit('message', large('b'))
  expect(waiting.map(({ closedWith }) => closedWith).filter((code) => code === 1013)).toHaveLength(1)
  left.abort()
  await nextTurn()
  const last = socketOf()
  last.emit('message', large('c'))
  await until(async () => handled.length === 2)
  expect([handled, last.closedWith]).toEqual([['a', 'c'], undefined])
})

test('of messages that arrive at once one is handled in each turn of the event loop', async () => {
  const { url, world } = await testServer({ running: true })
  const { secret } = await freshProject(world)
  const { socket, types } = await bare(url, secret)
  let turn = 0
  let isDone = false
  const count = (): void => {
    turn++
    if (!isDone) setImmediate(count)
  }
  // Each message asks for admission when it is handled.
  const handledIn = new Map<number, number>()
  const callers = callersOf(world)
  const asked = vi.spyOn(callers, 'add').mockImplementation(() => void handledIn.set(turn, (handledIn.get(turn) ?? 0) + 1))
  onTestFinished(() => asked.mockRestore())
  setImmediate(count)
  const connection = (socket as unknown as { _socket: Writable })._socket
  connection.cork()
  for (let at = 0; at < 300; at++) socket.send('{"type":"ping"}')
  connection.uncork()
  await until(async () => types.filter((type) => type === 'pong').length === 300)
  isDone = true
  expect([...handledIn.values()].reduce((sum, times) => sum + times, 0)).toBe(300)
  expect(Math.max(...handledIn.values())).toBeLessThan(4)
})
