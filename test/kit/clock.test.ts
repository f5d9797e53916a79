import { expect, test } from 'vitest'
import { type Clock, sharedClock } from '../../src/kit/clock.ts'
import type { Executor } from '../../src/kit/postgres/db.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld()
const awayBy = (ms: number): Clock => ({ now: () => new Date(Date.now() + ms), aheadMs: 0 })

test('processes on machines whose clocks differ by minutes agree, once each has been compared with PostgreSQL', async () => {
  const clocks = [-120_000, 0, 90_000].map((ms) => sharedClock(world.db, world.log, awayBy(ms)))
  const apart = () => {
    const times = clocks.map((clock) => clock.now().getTime())
    return Math.max(...times) - Math.min(...times)
  }
  expect(apart()).toBeGreaterThan(200_000)
  for (const clock of clocks) await clock.compare()
  expect(apart()).toBeLessThan(10_000)
  for (const clock of clocks) clock.close()
})

test('an answer that took longer than the difference it shows changes nothing, and a quick one does', async () => {
  let time = 1_000_000
  const machine: Clock = { now: () => new Date(time), aheadMs: 0 }
  // PostgreSQL's clock is 2 seconds behind, and its answers take some time.
  const answering = (ms: number) =>
    ({
      run: async () => {
        const now = new Date(time + ms / 2 - 2_000)
        time += ms
        return [{ now }]
      },
    }) as unknown as Executor
  let db = answering(6_000)
  const clock = sharedClock({ run: (...call) => db.run(...call) }, world.log, machine)
  await clock.compare()
  expect(clock.now().getTime()).toBe(time)
  db = answering(10)
  await clock.compare()
  expect(clock.now().getTime()).toBe(time - 2_000)
  // While PostgreSQL is unavailable the last comparison stands.
  db = { run: () => Promise.reject(new Error('unavailable')) }
  await expect(clock.compare()).rejects.toThrow('unavailable')
  expect(clock.now().getTime()).toBe(time - 2_000)
  clock.close()
})
