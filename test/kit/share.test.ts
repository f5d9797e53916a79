import { afterEach, expect, test, vi } from 'vitest'
import { untilLeft } from '../../src/kit/postgres/patience.ts'
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

test('work that follows a change of its caller waits as long as it takes, as it is done whether they have left or not', async () => {
  vi.useFakeTimers()
  const inShare = createShare({ max: 1, maxPerOwner: 1, busy: 'Others are read.' })
  const caller = new AbortController()
  const patience = untilLeft(() => caller.signal)
  const first = Promise.withResolvers<void>()
  const running = inShare('ada', () => first.promise)
  patience.changes()
  const next = inShare('bob', async () => 'done', patience.next())
  caller.abort()
  await vi.advanceTimersByTimeAsync(60_000)
  first.resolve()
  await running
  expect(await next).toBe('done')
})
