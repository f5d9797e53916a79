import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLoopShare } from '../../src/kit/loop-share.ts'

const max = 100

/** What visitors do in each turn of the loop, who all take pieces of work until they have had enough. */
async function workPerTurn(visitors: { name: string; pieces: number; units: number }[]): Promise<{ units: number; who: string }[]> {
  const share = createLoopShare({ maxUnits: max })
  let turn = { units: 0, who: '' }
  const turns = [turn]
  let busy = visitors.length
  // Begun before the share looks at the turns, and so before it in each of them.
  const counted = (async () => {
    while (busy > 0) {
      await nextTurn()
      turn = { units: 0, who: '' }
      turns.push(turn)
    }
  })()
  for (const { name, pieces, units } of visitors) {
    void (async () => {
      for (let done = 0; done < pieces; done++) {
        await share.take(units)
        turn.units += units
        turn.who += name
      }
      busy--
    })()
  }
  await counted
  return turns
}

test('all who compute together take no more than the share of each turn of the loop', async () => {
  const visitors = Array.from({ length: 8 }, (_, at) => ({ name: String(at), pieces: 20, units: 30 }))
  const turns = await workPerTurn(visitors)
  expect(turns.reduce((sum, { units }) => sum + units, 0)).toBe(8 * 20 * 30)
  expect(Math.max(...turns.map(({ units }) => units))).toBeLessThanOrEqual(max)
  expect(turns.length).toBeGreaterThanOrEqual((8 * 20 * 30) / max)
})

test('whoever waits is served in order, however much another has to do', async () => {
  const turns = await workPerTurn([
    { name: 'a', pieces: 50, units: 60 },
    { name: 'b', pieces: 2, units: 60 },
  ])
  const order = turns.map(({ who }) => who).join('')
  expect(order.indexOf('bb')).toBe(-1)
  expect(order.lastIndexOf('b')).toBeLessThan(6)
})

test('work that is more than the share has a turn of its own', async () => {
  const turns = await workPerTurn([
    { name: 'large', pieces: 3, units: 5 * max },
    { name: '-', pieces: 3, units: 10 },
  ])
  for (const { who } of turns) expect(who).toMatch(/^(large)?$|^-+$/)
})

test('work that is little goes on at once', async () => {
  const share = createLoopShare({ maxUnits: max })
  expect([share.take(60), share.take(40)]).toEqual([undefined, undefined])
  expect(share.take(1)).toBeInstanceOf(Promise)
})
