import { afterEach, expect, test, vi } from 'vitest'
import { waitOutside } from '../../src/kit/outside.ts'
import { freshProject, testWorld } from '../help/world.ts'

const world = await testWorld()

afterEach(() => void vi.useRealTimers())

test('calls that wait for their turn to ask another server are refused when the process ends; those that ask are answered', async () => {
  const { ctx } = await freshProject(world)
  // No time passes: only the end of the process refuses them.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const closing = new AbortController()
  const ending = { ...ctx, world: { ...world, closing: closing.signal } }
  const answer = Promise.withResolvers<string>()
  const asking = Array.from({ length: 10 }, () => waitOutside(ending, () => answer.promise))
  const begun: string[] = []
  const waiting = waitOutside(ending, async () => void begun.push('too late'))
  closing.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '5' } })
  answer.resolve('found')
  expect(new Set(await Promise.all(asking))).toEqual(new Set(['found']))
  expect(begun).toEqual([])
})
