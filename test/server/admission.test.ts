import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { callersOf } from '../../src/kit/callers.ts'
import { findProjectKey } from '../../src/modules/auth/calls/keys.ts'
import { resumeSession } from '../../src/modules/auth/sessions/sessions.ts'
import { createProject } from '../../src/modules/projects/projects.ts'
import { admitted } from '../../src/server/admission.ts'
import { admissionIn, times } from '../help/admission.ts'
import { freshUser } from '../help/people.ts'
import { testWorld } from '../help/world.ts'

const shared = await testWorld({ env: { TRUST_PROXY: '1' } })
const { ctx } = await freshUser(shared)
const projects = [await createProject(ctx, { name: 'A' }), await createProject(ctx, { name: 'B' })]

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }))
afterEach(() => void vi.useRealTimers())

const server = (costMs?: (sender: string) => number) => admissionIn(shared, costMs)

test('the request of another caller is begun at once, however many one caller has sent, and then 32 of one caller are answered at a time', async () => {
  const { begun, send, senders } = server()
  send(600, 'many', '192.0.2.1')
  expect(begun).toHaveLength(128)
  const first = begun.splice(0)
  // All places are taken.
  send(1, 'one', '192.0.2.2')
  send(1, 'one', '192.0.2.2')
  first.pop()?.end()
  first.pop()?.end()
  await nextTurn()
  expect(senders()).toEqual(['one', 'one'])
  for (const { end } of first.splice(0, 92)) end()
  await nextTurn()
  expect(senders()).toEqual(['one', 'one'])
  for (const { end } of first) end()
  await nextTurn()
  expect(times(senders(), 'many')).toBe(32)
})

test('callers that wait take turns', async () => {
  const { begun, send, senders } = server()
  send(128, 'first', '192.0.2.1')
  send(20, 'second', '192.0.2.2')
  send(1, 'third', '192.0.2.3')
  send(1, 'fourth', '192.0.2.4')
  for (const { end } of begun.splice(0, 3)) end()
  begun.length = 0
  await nextTurn()
  expect(senders()).toEqual(['second', 'third', 'fourth'])
})

describe('of an account', () => {
  const serverForKeys = async () => {
    const made = server()
    for (const { secret, public: visible } of projects) {
      await findProjectKey(made.world, secret)
      await findProjectKey(made.world, visible)
    }
    return made
  }

  test('its projects are one caller, from whatever addresses they call', async () => {
    const { begun, send, senders } = await serverForKeys()
    send(1, 'other', '192.0.2.1')
    for (let at = 0; at < 64; at++) send(1, 'account', `198.51.100.${at}`, projects[at % 2]?.secret)
    expect(times(senders(), 'account')).toBe(32)
    for (const { end } of begun.splice(0)) end()
    await nextTurn()
    expect(times(senders(), 'account')).toBe(32)
  })

  test('it is alone when it calls from several addresses', async () => {
    const { send, senders } = await serverForKeys()
    for (let at = 0; at < 64; at++) send(1, 'account', `198.51.100.${at}`, projects[at % 2]?.secret)
    expect(times(senders(), 'account')).toBe(64)
  })

  test('it has a turn like any other caller, from however many addresses it calls', async () => {
    const { begun, send, senders } = await serverForKeys()
    send(128, 'first', '192.0.2.1')
    for (let at = 0; at < 200; at++) send(1, 'account', `198.51.100.${at}`, projects[0]?.secret)
    send(40, 'second', '192.0.2.2')
    for (const { end } of begun.splice(0, 140)) end()
    begun.length = 0
    await nextTurn()
    expect(times(senders().slice(0, 20), 'second')).toBe(10)
  })

  test('its secret key does not wait for visitors with its public key, who count by their addresses', async () => {
    const { begun, send, senders } = await serverForKeys()
    for (let at = 0; at < 200; at++) send(1, 'visitor', `198.51.100.${at}`, projects[0]?.public)
    expect(times(senders(), 'visitor')).toBe(128)
    send(1, 'account', '192.0.2.1', projects[0]?.secret)
    expect(senders().at(-1)).toBe('account')
    begun.length = 0
    send(40, 'one visitor', '198.51.100.1', projects[0]?.public)
    expect(senders()).toEqual([])
  })

  test('a visitor is one caller with the public keys of however many projects', async () => {
    const { send, senders } = await serverForKeys()
    send(1, 'other', '192.0.2.1')
    for (let at = 0; at < 64; at++) send(1, 'visitor', '198.51.100.1', projects[at % 2]?.public)
    expect(times(senders(), 'visitor')).toBe(32)
  })

  test('a session counts as its person', async () => {
    const { world, send, senders } = server()
    const { cookie, userId } = await freshUser(shared)
    expect(await resumeSession(world, cookie.split('=')[1]?.split(';')[0] ?? '')).toMatchObject({ actor: { userId } })
    send(1, 'other', '192.0.2.1')
    for (let at = 0; at < 64; at++) send(1, 'person', `198.51.100.${at}`, '', cookie)
    expect(times(senders(), 'person')).toBe(32)
    send(1, 'somebody else', '198.51.100.1', '', 'session=forged')
    expect(senders().at(-1)).toBe('somebody else')
  })
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

test('nobody waits for requests that have taken longer than 250 ms', async () => {
  const { send, senders } = server()
  for (let at = 0; at < 128; at++) send(1, 'slow', `198.51.100.${at}`)
  await vi.advanceTimersByTimeAsync(251)
  send(1, 'late', '192.0.2.1')
  expect(senders().at(-1)).toBe('late')
})

test('an operation over a socket makes its caller one of those who have called, and what monitors this process does not', async () => {
  const { world, admit } = server()
  admit({ url: '/healthz', socket: {}, headers: { 'x-forwarded-for': '192.0.2.1' } })
  expect(callersOf(world).hasOtherThan('nobody')).toBe(false)
  await admitted({ ...ctx, world }, async (leave) => leave())
  expect(callersOf(world).hasOtherThan('nobody')).toBe(true)
  expect(callersOf(world).hasOtherThan(ctx.account)).toBe(false)
})

test('a request whose caller left while it waited is not begun', async () => {
  const { begun, send, senders } = server()
  const responses = send(132, 'many', '192.0.2.1')
  for (const response of responses.slice(128, 131)) response.end()
  begun.shift()?.end()
  for (const _ of responses.slice(128)) await nextTurn()
  expect(senders()).toHaveLength(128)
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

describe('a caller whose requests take much time of the thread', () => {
  const costlyMs = 20

  /** A server for which `costly` has used more than its share, with none of its requests left, and others have called. */
  async function used() {
    const made = server((sender) => (sender === 'costly' ? costlyMs : 0))
    made.send(1, 'other', '192.0.2.1')
    made.send(20, 'costly', '192.0.2.2')
    for (const { end } of made.begun.splice(0)) end()
    await nextTurn()
    return made
  }

  test('begins no other one while somebody else is being served, and then as many as take a moment', async () => {
    const { begun, send, senders } = await used()
    send(1, 'other', '192.0.2.1')
    send(5, 'costly', '192.0.2.2')
    expect(senders()).toEqual(['other'])
    begun.shift()?.end()
    await nextTurn()
    expect(senders()).toEqual(['costly'])
    begun.shift()?.end()
    await nextTurn()
    expect(senders()).toEqual(['costly'])
  })

  test('waits for requests that wait themselves, such as for the database, only for a moment', async () => {
    const { send, senders } = await used()
    send(1, 'other', '192.0.2.1')
    send(5, 'costly', '192.0.2.2')
    await vi.advanceTimersByTimeAsync(30)
    expect(senders()).toEqual(['other', 'costly'])
  })

  test.each([
    ['that has not arrived yet', { complete: false, url: '/auth/login' }],
    ['of who watches this process', { complete: true, url: '/healthz' }],
  ])('does not wait for one %s', async (_what, request) => {
    const { admit, send, senders } = await used()
    admit({ socket: {}, headers: { 'x-sender': 'other', 'x-forwarded-for': '192.0.2.1' }, ...request })
    send(5, 'costly', '192.0.2.2')
    expect(senders()).toEqual(['other', 'costly'])
  })

  test('does not wait for another one such as it', async () => {
    const { begun, send, senders } = await used()
    send(20, 'costly', '192.0.2.3')
    for (const { end } of begun.splice(0)) end()
    await nextTurn()
    send(1, 'costly', '192.0.2.3')
    send(1, 'costly', '192.0.2.2')
    expect(senders()).toEqual(['costly', 'costly'])
  })

  test('is served like everybody after a rest', async () => {
    const { send, senders } = await used()
    await vi.advanceTimersByTimeAsync(2_000)
    for (let at = 0; at < 3; at++) {
      send(1, 'other', '192.0.2.1')
      send(1, 'costly', '192.0.2.2')
    }
    expect(times(senders(), 'costly')).toBe(3)
  })

  test('is not held back while nobody else calls', async () => {
    const { send, senders } = server((sender) => (sender === 'costly' ? costlyMs : 0))
    send(100, 'costly', '192.0.2.2')
    expect(senders()).toHaveLength(100)
  })
})
