import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { findProjectKey } from '../../src/modules/auth/calls/keys.ts'
import { admissionIn, times } from '../help/admission.ts'
import { freshProject, testWorld } from '../help/world.ts'

const world = await testWorld({ env: { TRUST_PROXY: '1' } })
const { secret } = await freshProject(world)

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }))
afterEach(() => void vi.useRealTimers())

const server = (costMs?: (sender: string) => number) => admissionIn(world, costMs)

describe('addresses of one IPv6 site', () => {
  const siteOf = (at: number) => `2001:db8:1:${at.toString(16)}::1`

  test('are one caller, in whichever networks they are', () => {
    const { send, senders } = server()
    send(1, 'other', '192.0.2.1')
    for (let at = 0; at < 64; at++) send(1, 'site', siteOf(at))
    expect(times(senders(), 'site')).toBe(32)
  })

  test('have one turn beside others, and their networks take turns in it', async () => {
    const { begun, send, senders } = server()
    send(1, 'other', '192.0.2.1')
    for (let at = 0; at < 40; at++) send(1, 'site', siteOf(at))
    send(100, 'network', siteOf(100))
    send(1, 'late', siteOf(101))
    for (const { end } of begun.splice(0, 20)) end()
    begun.length = 0
    await nextTurn()
    expect(senders().filter((sender) => sender !== 'site')).toEqual(['network', 'late', ...Array(senders().length - 10).fill('network')])
  })

  test('are alone when nobody else calls', () => {
    const { send, senders } = server()
    for (let at = 0; at < 64; at++) send(1, 'site', siteOf(at % 2))
    expect(times(senders(), 'site')).toBe(64)
  })
})

describe('visitors who together take much time of the thread', () => {
  const costlyMs = 20
  const visitor = (at: number) => `198.51.100.${at}`

  /** A server whose visitors, of whom none has used more than their share, have together used more than half of the thread's time. */
  async function used() {
    const made = server((sender) => (sender === 'visitor' ? costlyMs : 0))
    await findProjectKey(made.world, secret)
    made.send(1, 'account', '192.0.2.1', secret)
    for (let at = 0; at < 10; at++) made.send(1, 'visitor', visitor(at))
    // Some wait already for those that were begun.
    while (made.begun.length > 0) {
      for (const { end } of made.begun.splice(0)) end()
      await nextTurn()
    }
    return made
  }

  test('begin no other request while an account is being served, and then as many as take a moment', async () => {
    const { begun, send, senders } = await used()
    send(1, 'account', '192.0.2.1', secret)
    for (let at = 10; at < 15; at++) send(1, 'visitor', visitor(at))
    expect(senders()).toEqual(['account'])
    begun.shift()?.end()
    await nextTurn()
    expect(senders()).toEqual(['visitor'])
  })

  test('wait neither for other visitors nor while no account calls', async () => {
    const { begun, send, senders } = await used()
    await vi.advanceTimersByTimeAsync(1_001)
    for (let at = 10; at < 20; at++) send(1, 'visitor', visitor(at))
    expect(times(senders(), 'visitor')).toBe(10)
    for (const { end } of begun.splice(0)) end()
  })
})
