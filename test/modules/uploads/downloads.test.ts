import { expect, test } from 'vitest'
import { createDownloads, type Place } from '../../../src/modules/uploads/downloads.ts'

const minMs = 30_000

/** Downloads of owners, with a clock: `take` begins one, or waits for its place. */
function downloads(max: number, maxPerOwner: number, maxForFirst = 0) {
  const clock = { now: 0 }
  const takePlace = createDownloads({ max, maxPerOwner, maxForFirst, minMs, busy: 'Too many.' }, () => clock.now)
  const begun: string[] = []
  const cutOff: string[] = []
  const take = async (name: string, left?: AbortSignal): Promise<Place> => {
    const place = await takePlace(name.split(' ')[0] ?? '', left)
    begun.push(name)
    place.use(() => void cutOff.push(name))
    return place
  }
  return { clock, begun, cutOff, take }
}

/** Lets what has its place begin. */
const settled = () => new Promise(setImmediate)

test('nobody is cut off before 30 s, nor while there are places', async () => {
  const { clock, cutOff, begun, take } = downloads(3, 2)
  await Promise.all([take('a 1'), take('a 2')])
  clock.now = minMs
  const third = await take('b 1')
  expect(cutOff).toEqual([])
  third.leave()
  await take('c 1')
  clock.now = minMs - 1
  const gone = new AbortController()
  const waiting = take('d 1', gone.signal)
  await settled()
  expect([cutOff, begun]).toEqual([[], ['a 1', 'a 2', 'b 1', 'c 1']])
  gone.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: 'Too many.', headers: { 'Retry-After': '5' } })
})

test('who waits takes the place of the longest of the owner with the most', async () => {
  const { clock, cutOff, take } = downloads(6, 3)
  for (const name of ['few 1', 'most 1', 'most 2', 'few 2', 'most 3', 'one 1']) await take(name)
  clock.now = minMs
  for (const name of ['new 1', 'other 1', 'another 1']) await take(name)
  expect(cutOff).toEqual(['most 1', 'few 1', 'most 2'])
})

test('who is cut off and comes back takes no place of those who have as many', async () => {
  const { clock, cutOff, begun, take } = downloads(4, 2)
  for (const name of ['a 1', 'a 2', 'b 1', 'b 2']) await take(name)
  clock.now = minMs
  const one = await take('new 1')
  const back = take('a 3')
  await settled()
  expect(cutOff).toEqual(['a 1'])
  one.leave()
  await back
  expect([cutOff, begun.at(-1)]).toEqual([['a 1'], 'a 3'])
})

test('a place that is given back goes to who has the fewest', async () => {
  const { begun, take } = downloads(5, 5)
  const places = await Promise.all(['a 1', 'a 2', 'a 3', 'a 4', 'b 1'].map((name) => take(name)))
  const waiting = ['a 5', 'b 2', 'c 1'].map((name) => take(name))
  for (const place of places.slice(0, 3)) {
    place.leave()
    place.leave()
    await settled()
  }
  await Promise.all(waiting)
  expect(begun.slice(5)).toEqual(['c 1', 'b 2', 'a 5'])
})

test('the last places are for owners who have none', async () => {
  const { begun, take } = downloads(4, 3, 2)
  const places = await Promise.all([take('a 1'), take('a 2')])
  const more = take('a 3')
  await take('b 1')
  const third = await take('c 1')
  expect(begun).toEqual(['a 1', 'a 2', 'b 1', 'c 1'])
  third.leave()
  places[0]?.leave()
  await settled()
  expect(begun).toHaveLength(4)
  places[1]?.leave()
  await more
})
