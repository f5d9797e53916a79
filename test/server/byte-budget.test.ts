import { beforeEach, describe, expect, test } from 'vitest'
import { createByteBudget, type Taken } from '../../src/server/byte-budget.ts'

const plan = { max: 100, maxAtOnce: 200, maxPerOwner: 40, maxPerOwnerAtOnce: 80, littlePerOwner: 2, oldMs: 10 }
let now = 0
let unread = createByteBudget(plan, () => now)
const cut: string[] = []

beforeEach(() => {
  now = 0
  cut.length = 0
  unread = createByteBudget(plan, () => now)
})

const taken = () => unread.use().taken

/** An answer that is being sent to owners, the first of whom it is named after. */
function sent(bytes: number, ...owners: string[]): Taken {
  const one = unread.of(owners)
  one.add(bytes)
  one.yields(() => void cut.push(owners[0] ?? ''))
  return one
}

describe('who is sent more', () => {
  test('an owner is not with more than its own bytes, whichever of the owners of an answer it is', () => {
    sent(30, 'key', 'address')
    expect(unread.of(['key', 'other']).full(10)).toBeUndefined()
    expect(unread.of(['key', 'other']).full(11)).toBe('owner')
    expect(unread.of(['other', 'address']).full(11)).toBe('owner')
  })

  test('above the total those who have nothing unread are, and those who have a little', () => {
    for (const owner of ['a', 'b', 'c']) sent(33, owner)
    sent(2, 'little')
    expect(unread.of(['a']).full(0)).toBe('all')
    expect(unread.of(['new', 'a']).full(0)).toBe('all')
    expect([unread.of(['new']).full(40), unread.of(['little']).full(30)]).toEqual([undefined, undefined])
    sent(1, 'little')
    expect(unread.of(['little']).full(0)).toBe('all')
  })

  test('what is given back or released leaves room again, once', () => {
    const [one, other] = [sent(30, 'a'), sent(30, 'a')]
    one.add(-30)
    expect(unread.of(['a']).full(10)).toBeUndefined()
    other.release()
    other.release()
    other.add(5)
    expect([taken(), unread.of(['a']).full(40)]).toEqual([0, undefined])
  })
})

describe('who is cut off above the total', () => {
  test('nobody while nothing is old', () => {
    for (const owner of ['a', 'b', 'c', 'd', 'e']) sent(30, owner)
    expect([cut, taken()]).toEqual([[], 150])
  })

  test('of the owner with the most what is unread longest, as much as makes the room', () => {
    const [few, most, mostLater] = [sent(30, 'few'), sent(20, 'most'), sent(19, 'most')]
    now = 5
    sent(30, 'young')
    now = 10
    expect(unread.of(['new']).full(1)).toBeUndefined()
    expect(cut).toEqual([])
    expect(unread.of(['new']).full(2)).toBeUndefined()
    expect([cut, taken()]).toEqual([['most'], 79])
    most.release()
    expect(taken()).toBe(79)
    sent(40, 'new')
    expect([cut, taken()]).toEqual([['most', 'few'], 89])
    for (const one of [few, mostLater]) one.release()
    expect(taken()).toBe(70)
  })

  test('also what is not old, once twice as much is unread', () => {
    for (const owner of ['a', 'b', 'c', 'd', 'e', 'f']) sent(32, owner)
    expect(cut).toEqual([])
    sent(30, 'g')
    expect([cut, taken()]).toEqual([['a'], 190])
  })

  test('not what is still being made, nor streams that are read', () => {
    unread.of(['made']).add(40)
    const stream = sent(30, 'stream')
    now = 9
    stream.add(-30)
    stream.add(30)
    now = 10
    sent(40, 'new')
    expect(cut).toEqual([])
    now = 19
    expect(unread.of(['newer']).full(0)).toBeUndefined()
    expect(cut).toEqual(['stream'])
  })
})

test('what an owner has above twice as much is cut off: of an address, the oldest of the key with the most', () => {
  sent(10, 'reader', 'address')
  for (let at = 0; at < 3; at++) sent(20, 'flood', 'address')
  expect(cut).toEqual([])
  sent(20, 'flood', 'address')
  expect([cut, taken()]).toEqual([['flood'], 70])
  sent(90, 'new')
  expect(cut).toEqual(['flood'])
})
