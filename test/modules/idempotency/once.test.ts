import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { trackEvent } from '../../../src/modules/contacts/track.ts'
import { listEvents } from '../../../src/modules/events/events.ts'
import { forgetAnswers, once } from '../../../src/modules/idempotency/once.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const keyed = (ctx: Ctx, key: string, fingerprint = 'same'): Ctx => ({ ...ctx, answer: {}, idempotency: { key, fingerprint } })
const events = async (ctx: Ctx) => (await listEvents(ctx, { limit: 100 })).data.length
const hour = 3_600_000

describe('a call with an Idempotency-Key', () => {
  test('is done once: the first answer is replayed and marked as a replay', async () => {
    const { ctx } = await freshProject(world)
    const first = keyed(ctx, 'k1')
    const answer = await trackEvent(first, { email: 'ada@example.com', event: 'paid' })
    world.clock.turn(1_000)
    const second = keyed(ctx, 'k1')
    expect(await trackEvent(second, { email: 'ada@example.com', event: 'paid' })).toEqual(answer)
    expect([first.answer.replayed, second.answer.replayed]).toEqual([undefined, true])
    expect(await events(ctx)).toBe(1)
  })

  test('is refused when the key was used for another call, and writes nothing', async () => {
    const { ctx } = await freshProject(world)
    await trackEvent(keyed(ctx, 'k1', 'one'), { email: 'ada@example.com', event: 'paid' })
    await expect(trackEvent(keyed(ctx, 'k1', 'two'), { email: 'ada@example.com', event: 'paid' })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_MISMATCH',
    })
    expect(await events(ctx)).toBe(1)
  })

  test('is refused while the first is running; of many at once exactly one is done', async () => {
    const { ctx } = await freshProject(world)
    const calls = await Promise.allSettled(
      Array.from({ length: 4 }, () => trackEvent(keyed(ctx, 'race'), { email: 'ada@example.com', event: 'paid' })),
    )
    const refused = calls.filter(({ status }) => status === 'rejected').map((call) => (call as PromiseRejectedResult).reason.code)
    expect(refused.every((code) => code === 'IDEMPOTENCY_KEY_IN_PROGRESS')).toBe(true)
    const answers = calls
      .filter(({ status }) => status === 'fulfilled')
      .map((call) => (call as PromiseFulfilledResult<{ event: string }>).value.event)
    expect(new Set(answers).size).toBe(1)
    expect(await events(ctx)).toBe(1)
  })

  test('frees its key when it fails', async () => {
    const { ctx } = await freshProject(world)
    await expect(
      once(
        keyed(ctx, 'k1'),
        () => Promise.reject(new Error('broken')),
        (stored) => stored,
      ),
    ).rejects.toThrow('broken')
    await trackEvent(keyed(ctx, 'k1', 'other'), { email: 'ada@example.com', event: 'paid' })
    expect(await events(ctx)).toBe(1)
  })

  test('is replayed for 24 hours', async () => {
    const { ctx } = await freshProject(world)
    const call = () => trackEvent(keyed(ctx, 'k1'), { email: 'ada@example.com', event: 'paid' })
    const first = await call()
    world.clock.turn(24 * hour - 1_000)
    expect(await call()).toEqual(first)
    world.clock.turn(2_000)
    await forgetAnswers(world)
    expect((await call()).event).not.toBe(first.event)
  })

  test.each(['', 'x'.repeat(256), 'ümlaut', 'line\nbreak'])('refuses the key %j', async (key) => {
    const { ctx } = await freshProject(world)
    await expect(trackEvent(keyed(ctx, key), { email: 'ada@example.com', event: 'paid' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
  })

  test('belongs to its project', async () => {
    const one = await freshProject(world)
    const two = await freshProject(world)
    const [a, b] = await Promise.all([one, two].map(({ ctx }) => trackEvent(keyed(ctx, 'k1'), { email: 'ada@example.com', event: 'paid' })))
    expect(a?.event).not.toBe(b?.event)
  })
})
