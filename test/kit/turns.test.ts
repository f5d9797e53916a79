import { expect, onTestFinished, test, vi } from 'vitest'
import { createTurns, TurnMissed } from '../../src/kit/turns.ts'

/** Starts work of the given owners, which ends when told to; `running` lists the owners whose work runs. */
function started(turns: ReturnType<typeof createTurns>, owners: string) {
  const running: string[] = []
  const ends: (() => void)[] = []
  const all = [...owners].map((owner) =>
    turns.run(owner, async () => {
      running.push(owner)
      await new Promise<void>((resolve) => ends.push(resolve))
      running.splice(running.indexOf(owner), 1)
    }),
  )
  const settled = async () => void (await new Promise((resolve) => setImmediate(resolve)))
  return {
    all,
    settled,
    now: () => running.join(''),
    async end() {
      ends.shift()?.()
      await settled()
    },
  }
}

test('at most so much work runs at a time, in all and per owner', async () => {
  const work = started(createTurns({ max: 3, maxPerOwner: 2 }), 'aaaabcd')
  await work.settled()
  expect(work.now()).toBe('aab')
})

test('owners that wait take turns, however much each has waiting', async () => {
  const work = started(createTurns({ max: 1, maxPerOwner: 1 }), 'aaaabbc')
  const order: string[] = []
  await work.settled()
  while (work.now() !== '') {
    order.push(work.now())
    await work.end()
  }
  expect(order.join('')).toBe('aabcaba')
  await Promise.all(work.all)
})

test('work that fails frees its place and is reported to its own caller only', async () => {
  const turns = createTurns({ max: 1, maxPerOwner: 1 })
  const failing = turns.run('a', () => Promise.reject(new Error('broken')))
  const next = turns.run('a', async () => 'done')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('done')
})

test('work of several owners counts for each of them', async () => {
  const turns = createTurns({ max: 3, maxPerOwner: 1 })
  const running: string[] = []
  const leaves: (() => void)[] = []
  const start = (person: string, project: string) =>
    turns.run([person, project], async () => {
      running.push(`${person} ${project}`)
      await new Promise<void>((leave) => leaves.push(leave))
    })
  const all = [start('ada', 'one'), start('ada', 'two'), start('bob', 'one'), start('bob', 'two')]
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  await settled()
  expect(running).toEqual(['ada one', 'bob two'])
  leaves.shift()?.()
  await settled()
  expect(running).toEqual(['ada one', 'bob two'])
  leaves.shift()?.()
  await settled()
  expect(running.slice(2)).toEqual(['ada two', 'bob one'])
  for (const leave of leaves) leave()
  await Promise.all(all)
})

test('work that nobody waits for any more, or that has waited too long, never begins', async () => {
  const turns = createTurns({ max: 1, maxPerOwner: 1 })
  const first = Promise.withResolvers<void>()
  const begun: string[] = []
  const begin = (name: string) => async () => void begun.push(name)
  const running = turns.run('a', () => first.promise)
  const ended = new AbortController()
  const given = expect(turns.run('a', begin('given up'), { ended: ended.signal })).rejects.toThrow(TurnMissed)
  const late = expect(turns.run('b', begin('late'), { maxMs: 1 })).rejects.toThrow(TurnMissed)
  const next = turns.run('a', begin('next'), { maxMs: 30_000, ended: new AbortController().signal })
  ended.abort()
  await Promise.all([given, late])
  first.resolve()
  await Promise.all([running, next])
  await expect(turns.run('a', begin('over before'), { ended: ended.signal })).rejects.toThrow(TurnMissed)
  expect(begun).toEqual(['next'])
})

test('owners rest after their work: others have their places meanwhile, and how many run or rest is known', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const rested: [string, number][] = []
  const restOf = (owner: string, { turns, busyMs }: { turns: number; busyMs: number }): number => {
    expect(busyMs).toBeGreaterThanOrEqual(0)
    rested.push([owner, turns])
    return owner === 'c' ? 0 : 50
  }
  const work = started(createTurns({ max: 1, maxPerOwner: 1, restOf }), 'aabcc')
  await work.settled()
  const order: string[] = []
  for (let nth = 0; nth < 4; nth++) {
    order.push(work.now())
    await work.end()
  }
  expect(order.join('')).toBe('abcc')
  expect(work.now()).toBe('')
  vi.advanceTimersByTime(50)
  await work.settled()
  expect(work.now()).toBe('a')
  await work.end()
  await Promise.all(work.all)
  expect(rested).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 3],
    ['c', 3],
    ['a', 1],
  ])
})

test('owners whose turns take long have some of the places only, all of them together, until they are quick again', async () => {
  let now = 0
  const turns = createTurns({ max: 4, maxPerOwner: 4, slow: { fromMs: 100, max: 1, now: () => now } })
  const took = (owner: string, ms: number) =>
    turns.run(owner, async () => {
      now += ms
    })
  await took('a', 100)
  await took('b', 200)
  await took('c', 99)
  const work = started(turns, 'aabbccd')
  await work.settled()
  // One of `a` and `b` together; `c` and `d` have the rest.
  expect(work.now()).toBe('accd')
  await work.end()
  expect(work.now()).toBe('ccda')
  while (work.now() !== '') await work.end()
  await Promise.all(work.all)
  now += 2_000
  const later = started(turns, 'aabb')
  await later.settled()
  expect(later.now()).toBe('aabb')
  while (later.now() !== '') await later.end()
  await Promise.all(later.all)
})
