import { describe, expect, test } from 'vitest'
import { createPlaces, type Place } from '../../../../src/modules/workflows/calls/places.ts'

function placesTest() {
  let ms = 0
  const places = createPlaces({ clock: { now: () => new Date(ms), aheadMs: 0 } as never })
  /** Takes as many places as an account may have. */
  const all = (owner: string, projectId = owner): Place[] => {
    const taken: Place[] = []
    for (let place = places.take({ projectId, owner }); place; place = places.take({ projectId, owner })) taken.push(place)
    return taken
  }
  const pass = (more: number): void => {
    ms += more
    places.review()
  }
  /** Calls a receiver that answers at once. */
  const answer = (owner: string): void => {
    const place = places.take({ projectId: owner, owner })
    place?.call()()
    place?.end()
  }
  return { places, all, pass, answer, end: (taken: Place[]) => taken.forEach((one) => void one.end()) }
}

const groupsOf = (taken: Place[]) => [
  taken.filter(({ group }) => group === 'quick').length,
  taken.filter(({ group }) => group === 'slow').length,
]

describe('an account', () => {
  test('of which nothing is known has two quick places at a time, and one more for each quick answer', () => {
    const { all, answer, end } = placesTest()
    const first = all('usr_a')
    expect(groupsOf(first)).toEqual([2, 0])
    end(first)
    for (let times = 0; times < 4; times++) answer('usr_a')
    expect(groupsOf(all('usr_a'))).toEqual([6, 0])
  })

  test('has at most eight of one project and sixteen in all, however many of them have been moved', () => {
    const { all, answer, pass } = placesTest()
    for (let times = 0; times < 20; times++) answer('usr_a')
    const taken = ['prj_1', 'prj_2', 'prj_3'].map((project) => all('usr_a', project))
    expect(taken.map(({ length }) => length)).toEqual([8, 8, 0])
    pass(1_000)
    expect(all('usr_a', 'prj_4')).toEqual([])
    expect(taken.map(groupsOf)).toEqual([
      [0, 8],
      [0, 8],
      [0, 0],
    ])
  })

  test('whose receiver was slow has no quick places for ten minutes; then two', () => {
    const { all, answer, end, pass } = placesTest()
    for (let times = 0; times < 9; times++) answer('usr_a')
    const taken = all('usr_a')
    for (const one of taken) one.call()
    pass(999)
    expect(groupsOf(taken)).toEqual([8, 0])
    pass(1)
    expect(groupsOf(taken)).toEqual([0, 8])
    end(taken)
    const later = all('usr_a')
    expect(groupsOf(later)).toEqual([0, 8])
    end(later)
    answer('usr_a')
    pass(10 * 60_000)
    expect(groupsOf(all('usr_a'))).toEqual([3, 0])
  })

  test('whose webhooks waited for something else than their receivers keeps its quick places', () => {
    const { all, answer, end, pass } = placesTest()
    for (let times = 0; times < 9; times++) answer('usr_a')
    const taken = all('usr_a')
    pass(1_000)
    expect(groupsOf(taken)).toEqual([0, 8])
    end(taken)
    expect(groupsOf(all('usr_a'))).toEqual([8, 0])
  })
})

test('a hundred accounts whose receivers answer after ten seconds only take no quick places from others', () => {
  const { all, pass, end } = placesTest()
  const seconds: Place[][] = []
  for (let second = 0; second < 60; second++) {
    end(seconds[second - 10] ?? [])
    seconds.push(Array.from({ length: 100 }, (_, nth) => all(`usr_${nth}`)).flat())
    for (const one of seconds[second] ?? []) one.call()
    pass(1_000)
  }
  expect(groupsOf(all('usr_victim'))).toEqual([2, 0])
})

test('there are no more than 64 quick places and 256 others; of an account that comes when half of them are taken fewer begin', () => {
  const { places, all, answer, pass } = placesTest()
  const slow = (owner: string): void => {
    const [one] = all(owner, `${owner}_1`)
    const answered = one?.call()
    pass(1_000)
    answered?.()
    one?.end()
  }
  for (let nth = 0; nth < 80; nth++) slow(`usr_${nth}`)
  for (let times = 0; times < 20; times++) answer('usr_quick')
  expect(['prj_1', 'prj_2', 'prj_3'].map((project) => groupsOf(all('usr_quick', project)))).toEqual([
    [8, 0],
    [8, 0],
    [0, 0],
  ])
  const taken = Array.from({ length: 80 }, (_, nth) => all(`usr_${nth}`, `prj_${nth}`))
  expect([taken[0]?.length, taken[40]?.length]).toEqual([8, 2])
  for (let nth = 0; nth < 80; nth++) all(`usr_${nth}`, `prj_more${nth}`)
  for (let nth = 0; nth < 40; nth++) all(`usr_new${nth}`)
  expect(places.isFull()).toBe(true)
})
