import { expect, test } from 'vitest'
import { createTurns } from '../../src/kit/turns.ts'

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
