import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findProjectKey } from '../../src/modules/auth/calls/keys.ts'
import { createProject } from '../../src/modules/projects/projects.ts'
import { inAdmission } from '../../src/server/admission.ts'
import { freshUser } from '../help/people.ts'
import { testWorld } from '../help/world.ts'

const shared = await testWorld({ env: { TRUST_PROXY: '1' } })
const { ctx } = await freshUser(shared)
const keys = [(await createProject(ctx, { name: 'A' })).secret, (await createProject(ctx, { name: 'B' })).secret]

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }))
afterEach(() => void vi.useRealTimers())

class Response extends EventEmitter {
  closed = false
  end(): void {
    this.closed = true
    this.emit('close')
  }
}

/** A server whose requests are answered when a test says so; `begun` are those that have been begun, by the names of their senders. */
function server() {
  // Nothing that other tests have begun counts.
  const world = { ...shared }
  const begun: { sender: string; end(): void }[] = []
  const admit = inAdmission(world, (request, response) => {
    begun.push({ sender: String(request.headers['x-sender']), end: () => (response as unknown as Response).end() })
  })
  const send = (count: number, sender: string, address: string, key = ''): Response[] =>
    Array.from({ length: count }, () => {
      const response = new Response()
      const headers = { 'x-sender': sender, 'x-forwarded-for': address, ...(key && { authorization: `Bearer ${key}` }) }
      // Admission looks at nothing else of them.
      admit({ socket: {}, headers } as unknown as IncomingMessage, response as unknown as ServerResponse)
      return response
    })
  return { world, begun, send, senders: () => begun.map(({ sender }) => sender) }
}

const times = (senders: string[], sender: string): number => senders.filter((one) => one === sender).length

test('the request of another caller is begun at once, however many one caller has sent, and then 32 of one caller are answered at a time', async () => {
  const { begun, send, senders } = server()
  send(600, 'many', '192.0.2.1')
  expect(begun).toHaveLength(256)
  const first = begun.splice(0)
  // All places are taken.
  send(1, 'one', '192.0.2.2')
  send(1, 'one', '192.0.2.2')
  first.pop()?.end()
  first.pop()?.end()
  await nextTurn()
  expect(senders()).toEqual(['one', 'one'])
  for (const { end } of first.splice(0, 220)) end()
  await nextTurn()
  expect(senders()).toEqual(['one', 'one'])
  for (const { end } of first) end()
  await nextTurn()
  expect(times(senders(), 'many')).toBe(32)
})

test('callers that wait take turns', async () => {
  const { begun, send, senders } = server()
  send(256, 'first', '192.0.2.1')
  send(20, 'second', '192.0.2.2')
  send(1, 'third', '192.0.2.3')
  send(1, 'fourth', '192.0.2.4')
  for (const { end } of begun.splice(0, 3)) end()
  begun.length = 0
  await nextTurn()
  expect(senders()).toEqual(['second', 'third', 'fourth'])
})

test('the projects of one account are one caller, from whatever addresses they call', async () => {
  const { world, begun, send, senders } = server()
  await Promise.all(keys.map((key) => findProjectKey(world, key)))
  send(1, 'other', '192.0.2.1')
  for (let at = 0; at < 64; at++) send(1, 'account', `198.51.100.${at}`, keys[at % 2])
  expect(times(senders(), 'account')).toBe(32)
  for (const { end } of begun.splice(0)) end()
  await nextTurn()
  expect(times(senders(), 'account')).toBe(32)
})

test('addresses of one /64 network are one caller', () => {
  const { send, senders } = server()
  send(1, 'other', '192.0.2.1')
  for (let at = 0; at < 64; at++) send(1, 'network', `2001:db8::${at.toString(16)}`)
  expect(times(senders(), 'network')).toBe(32)
})

test('a request that takes longer than 250 ms does not count any more', async () => {
  const { send, senders } = server()
  send(1, 'other', '192.0.2.1')
  send(40, 'slow', '192.0.2.2')
  await vi.advanceTimersByTimeAsync(200)
  expect(times(senders(), 'slow')).toBe(32)
  await vi.advanceTimersByTimeAsync(100)
  expect(times(senders(), 'slow')).toBe(40)
})

test('a request whose caller left while it waited is not begun', async () => {
  const { begun, send, senders } = server()
  const responses = send(260, 'many', '192.0.2.1')
  for (const response of responses.slice(256, 259)) response.end()
  begun.shift()?.end()
  for (const _ of responses.slice(256)) await nextTurn()
  expect(senders()).toHaveLength(256)
  // The one of which the caller has not left.
  begun.at(-1)?.end()
  expect(responses.at(-1)?.closed).toBe(true)
})

test('what is answered at once counts until the next turn of the loop', async () => {
  const { begun, send } = server()
  send(1, 'other', '192.0.2.1')
  let answered = 0
  for (; answered < 100; answered++) {
    send(1, 'fast', '192.0.2.2')
    begun.at(-1)?.end()
    if (begun.length === 33) break
  }
  send(100, 'fast', '192.0.2.2')
  expect(begun).toHaveLength(33)
  await nextTurn()
  expect(begun).toHaveLength(33 + 32)
})
