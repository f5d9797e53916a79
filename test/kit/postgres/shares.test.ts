import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createShares, type Shared } from '../../../src/kit/postgres/shares.ts'

const sizes = { size: 10, scans: 4, prisma: 6 }

afterEach(() => void vi.restoreAllMocks())

/** Work of some owners that runs until it is ended, and how much of it has begun. */
function running() {
  const shares = createShares(sizes)
  const over = Promise.withResolvers<void>()
  let begun = 0
  const run = (kind: Shared, owner: string, count: number) =>
    Array.from({ length: count }, () =>
      shares[kind](owner, async () => {
        begun++
        await over.promise
      }),
    )
  return { shares, run, begun: () => nextTurn().then(() => begun), end: over.resolve }
}

describe('of a pool of 10 connections, 4 for scans and 6 of Prisma', () => {
  test.each<[Shared, number, number]>([
    ['scans', 2, 4],
    ['lists', 3, 6],
    ['large', 1, 2],
    ['statements', 3, 10],
    ['transactions', 3, 6],
    ['prisma', 3, 6],
    ['keys', 100, 1_000],
  ])('%s: an owner has at most %i at a time, and all callers together %i', async (kind, each, all) => {
    const { run, begun, end } = running()
    const first = run(kind, 'one', 200)
    expect(await begun()).toBe(each)
    const others = Array.from({ length: 9 }, (_, n) => run(kind, `other ${n}`, 200))
    expect(await begun()).toBe(all)
    end()
    await Promise.all([first, ...others].flat())
  })

  test.each<[Shared, number, number]>([
    ['scans', 2, 4],
    ['lists', 3, 6],
    ['statements', 5, 10],
    ['transactions', 3, 6],
    ['prisma', 3, 6],
  ])('%s: owners whose work takes a second have %i of the %i together, and leave the rest to others', async (kind, slow, all) => {
    const { shares, run, begun, end } = running()
    const owners = Array.from({ length: 10 }, (_, n) => `slow ${n}`)
    const now = vi.spyOn(performance, 'now').mockReturnValue(1_000)
    for (const owner of owners) {
      await shares[kind](owner, async () => void now.mockReturnValue(performance.now() + 1_000))
    }
    const waiting = owners.flatMap((owner) => run(kind, owner, 1))
    expect(await begun()).toBe(slow)
    const quick = Array.from({ length: 10 }, (_, n) => run(kind, `quick ${n}`, 1))
    expect(await begun()).toBe(all)
    end()
    await Promise.all([...waiting, ...quick].flat())
  })
})
