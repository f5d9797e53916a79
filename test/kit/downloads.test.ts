import { expect, test } from 'vitest'
import { createDownloads, type Place } from '../../src/kit/downloads.ts'

const minMs = 30_000

/** Downloads of owners, with a clock: `take` begins one, or waits for its place, from a site of its owner or a given one. */
function downloads(max: number, maxPerOwner: number, maxForFirst = 0, maxPerSite = max) {
  const clock = { now: 0 }
  const takePlace = createDownloads({ max, maxPerOwner, maxPerSite, maxForFirst, minMs, busy: 'Too many.' }, () => clock.now)
  const begun: string[] = []
  const cutOff: string[] = []
  const take = async (name: string, left?: AbortSignal): Promise<Place> => {
    const [owner = '', , site = owner] = name.split(' ')
    const place = await takePlace({ owners: [owner], site: `site ${site}` }, left)
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

test('who waits takes the place of the longest of the owner with the most at the site with the most', async () => {
  const { clock, cutOff, take } = downloads(6, 3)
  for (const name of ['a 1 many', 'b 1 many', 'b 2 many', 'c 1 few', 'c 2 few', 'd 1 many']) await take(name)
  clock.now = minMs
  for (const name of ['new 1 here', 'new 1 there']) await take(name)
  expect(cutOff).toEqual(['b 1 many', 'a 1 many'])
})

test('at a site with many, who waits takes the place of an owner with more', async () => {
  const { clock, cutOff, take } = downloads(4, 3)
  for (const name of ['a 1 one', 'b 1 one', 'b 2 one', 'b 3 one']) await take(name)
  clock.now = minMs
  await take('c 1 one')
  expect(cutOff).toEqual(['b 1 one'])
})

test('those whose site has the fewest are served first, and a site has no more than it may', async () => {
  const { begun, take } = downloads(5, 5, 0, 3)
  const places = await Promise.all(['a 1 one', 'b 1 one', 'c 1 one', 'd 1 two'].map((name) => take(name)))
  const more = take('e 1 one')
  await take('f 1 two')
  const last = take('g 1 three')
  await settled()
  expect(begun).toHaveLength(5)
  places[0]?.leave()
  await last
  expect(begun.at(-1)).toBe('g 1 three')
  places[3]?.leave()
  await more
})

test('the last places are not for other owners of a site that has some', async () => {
  const { begun, take } = downloads(4, 3, 2)
  const places = await Promise.all([take('a 1 one'), take('b 1 one')])
  const more = take('c 1 one')
  await take('d 1 two')
  expect(begun).toHaveLength(3)
  for (const place of places) place.leave()
  await more
})
