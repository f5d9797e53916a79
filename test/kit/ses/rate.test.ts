import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AdaptiveRate, createAdaptiveRate } from '../../../src/kit/ses/rate.ts'
import type { Priority } from '../../../src/kit/smtp/pool/shares.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** A server with a token bucket, and what it was asked by callers that always have another message. */
function server(perSecond: number) {
  const asked = { accepted: [] as Priority[], throttled: 0, perSecond }
  let [tokens, at] = [perSecond, performance.now()]
  return {
    asked,
    takes(priority: Priority): boolean {
      const now = performance.now()
      tokens = Math.min(asked.perSecond, tokens + ((now - at) / 1_000) * asked.perSecond)
      at = now
      if (tokens < 1) {
        asked.throttled++
        return false
      }
      tokens--
      asked.accepted.push(priority)
      return true
    },
  }
}

const answerMs = 20

/** Sends until the signal is aborted, by so many callers at the same time. */
function send(
  rate: AdaptiveRate,
  { takes }: Pick<ReturnType<typeof server>, 'takes'>,
  priority: Priority,
  callers: number,
  signal: AbortSignal,
  owner = 'a',
): void {
  const caller = async (): Promise<void> => {
    for (let turn = await rate.turn({ priority, owner }); turn && !signal.aborted; turn = await rate.turn({ priority, owner })) {
      await new Promise((resolve) => setTimeout(resolve, answerMs))
      if (takes(priority)) turn.accepted()
      else turn.throttled()
    }
  }
  for (let n = 0; n < callers; n++) void caller()
}

const reset = (asked: ReturnType<typeof server>['asked']): void => void Object.assign(asked, { accepted: [], throttled: 0 })

test('nothing waits before a message is throttled', async () => {
  const limited = vi.fn()
  const rate = createAdaptiveRate(new AbortController().signal, limited)
  for (let n = 0; n < 1_000; n++) (await rate.turn({ priority: 'bulk', owner: 'a' }))?.accepted()
  expect(limited).not.toHaveBeenCalled()
  expect(performance.now()).toBe(0)
})

test.each([1, 14, 200])('a server that takes %i messages per second is sent so many, and few more', async (perSecond) => {
  const ending = new AbortController()
  const limited = vi.fn()
  const rate = createAdaptiveRate(ending.signal, limited)
  const ses = server(perSecond)
  send(rate, ses, 'bulk', 30, ending.signal)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(limited).toHaveBeenCalledOnce()
  reset(ses.asked)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ses.asked.accepted.length).toBeGreaterThan(perSecond * 60 * 0.7)
  expect(ses.asked.throttled).toBeLessThan(60 * Math.max(0.5, perSecond * 0.02))
  ending.abort()
})

test('the rate falls and rises with what the server takes', async () => {
  const ending = new AbortController()
  const rate = createAdaptiveRate(ending.signal, () => undefined)
  const ses = server(10)
  send(rate, ses, 'bulk', 30, ending.signal)
  for (const perSecond of [100, 1, 50]) {
    Object.assign(ses.asked, { perSecond })
    await vi.advanceTimersByTimeAsync(100_000)
    reset(ses.asked)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(ses.asked.accepted.length).toBeGreaterThan(perSecond * 20 * 0.6)
    expect(ses.asked.throttled).toBeLessThan(20 * Math.max(0.5, perSecond * 0.1))
  }
  ending.abort()
})

test('what is learned stays while little is sent', async () => {
  const ending = new AbortController()
  const rate = createAdaptiveRate(ending.signal, () => undefined)
  const ses = server(14)
  const busy = new AbortController()
  send(rate, ses, 'bulk', 30, busy.signal)
  await vi.advanceTimersByTimeAsync(30_000)
  busy.abort()
  await vi.advanceTimersByTimeAsync(5_000)
  for (let second = 0; second < 6 * 3_600; second++) {
    const turn = await rate.turn({ priority: 'urgent', owner: 'a' })
    await vi.advanceTimersByTimeAsync(1_000)
    turn?.accepted()
  }
  reset(ses.asked)
  send(rate, ses, 'bulk', 90, ending.signal)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(ses.asked.throttled).toBeLessThan(10)
  ending.abort()
})

test('after a short trouble the rate returns to what it was, also while little is sent', async () => {
  const ending = new AbortController()
  const rate = createAdaptiveRate(ending.signal, () => undefined)
  const ses = server(200)
  const busy = new AbortController()
  send(rate, ses, 'bulk', 30, busy.signal)
  await vi.advanceTimersByTimeAsync(20_000)
  ses.asked.perSecond = 0
  await vi.advanceTimersByTimeAsync(15_000)
  busy.abort()
  await vi.advanceTimersByTimeAsync(5_000)
  ses.asked.perSecond = 200
  expect(rate.maxUnderWay()).toBeLessThan(10)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(rate.maxUnderWay()).toBeGreaterThan(200)
  reset(ses.asked)
  send(rate, ses, 'urgent', 30, ending.signal)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(ses.asked.accepted.length).toBeGreaterThan(600)
  ending.abort()
})

test('owners have turns, however many messages each has', async () => {
  const ending = new AbortController()
  const rate = createAdaptiveRate(ending.signal, () => undefined)
  const ses = server(2)
  send(rate, ses, 'urgent', 26, ending.signal, 'many')
  await vi.advanceTimersByTimeAsync(30_000)
  const granted = vi.fn()
  void rate.turn({ priority: 'urgent', owner: 'one' }).then((turn) => granted(turn?.accepted()))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(granted).toHaveBeenCalledOnce()
  ending.abort()
})

test('two processes that share what a server takes come to send as many each', async () => {
  const ending = new AbortController()
  const ses = server(40)
  const rates = ['normal', 'bulk'] as const
  for (const [at, priority] of rates.entries()) {
    send(
      createAdaptiveRate(ending.signal, () => undefined),
      ses,
      priority,
      30,
      ending.signal,
    )
    if (at === 0) await vi.advanceTimersByTimeAsync(30_000)
  }
  await vi.advanceTimersByTimeAsync(120_000)
  reset(ses.asked)
  await vi.advanceTimersByTimeAsync(60_000)
  const share = ses.asked.accepted.filter((priority) => priority === 'bulk').length / ses.asked.accepted.length
  expect(share).toBeGreaterThan(0.3)
  expect(share).toBeLessThan(0.7)
  ending.abort()
})

test('urgent messages go before others, which get some turns in between', async () => {
  const ending = new AbortController()
  const rate = createAdaptiveRate(ending.signal, () => undefined)
  const ses = server(10)
  for (const priority of ['bulk', 'normal'] as const) send(rate, ses, priority, 13, ending.signal)
  await vi.advanceTimersByTimeAsync(30_000)
  send(rate, ses, 'urgent', 4, ending.signal)
  await vi.advanceTimersByTimeAsync(1_000)
  reset(ses.asked)
  await vi.advanceTimersByTimeAsync(100_000)
  const count = (of: Priority): number => ses.asked.accepted.filter((priority) => priority === of).length
  expect(count('urgent')).toBeGreaterThan(ses.asked.accepted.length * 0.85)
  for (const priority of ['bulk', 'normal'] as const) expect(count(priority)).toBeGreaterThan(ses.asked.accepted.length * 0.03)
  ending.abort()
})

test('a turn that is not used is for the next one, and nobody waits once the process ends', async () => {
  const ending = new AbortController()
  const rate = createAdaptiveRate(ending.signal, () => undefined)
  const first = await rate.turn({ priority: 'bulk', owner: 'a' })
  first?.throttled()
  const turns = Array.from({ length: 5 }, () => rate.turn({ priority: 'bulk', owner: 'a' }))
  await vi.advanceTimersByTimeAsync(2_000)
  const granted: number[] = []
  for (const [at, turn] of turns.entries()) void turn.then((given) => granted.push(given ? at : -1))
  await vi.advanceTimersByTimeAsync(0)
  expect(granted).toEqual([0])
  ;(await turns[0])?.unused()
  await vi.advanceTimersByTimeAsync(1)
  expect(granted).toEqual([0, 1])
  ending.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect(granted).toEqual([0, 1, -1, -1, -1])
  expect(await rate.turn({ priority: 'urgent', owner: 'a' })).toBeNull()
})
