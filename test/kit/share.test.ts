import { afterEach, expect, test, vi } from 'vitest'
import { createShare } from '../../src/kit/share.ts'

afterEach(() => void vi.useRealTimers())

test('work that has waited 15 s for its turn fails with what is busy, and does not begin later', async () => {
  vi.useFakeTimers()
  const inShare = createShare({ max: 2, maxPerOwner: 1, busy: 'Others are read.' })
  const first = Promise.withResolvers<void>()
  const running = inShare(['ada', 'one'], () => first.promise)
  const begun: string[] = []
  const late = expect(inShare(['ada', 'two'], async () => void begun.push('late'))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'Others are read.',
    headers: { 'Retry-After': '5' },
  })
  expect(await inShare(['bob', 'three'], async () => 'not held up')).toBe('not held up')
  await vi.advanceTimersByTimeAsync(15_000)
  await late
  first.resolve()
  await running
  expect([begun, await inShare(['ada', 'two'], async () => 'done')]).toEqual([[], 'done'])
})
