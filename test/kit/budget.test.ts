import { describe, expect, test } from 'vitest'
import { createBudget } from '../../src/kit/budget.ts'

/** Takes amounts for owners, one request each as `a30`; `granted` lists those that were granted so far. */
function requests(max: number, wanted: string[], maxShare?: number) {
  const budget = createBudget(max, maxShare === undefined ? {} : { maxShare })
  const granted: string[] = []
  const gives = new Map<string, () => void>()
  for (const request of wanted)
    void budget.take(Number(request.slice(1)), request.slice(0, 1)).then((give) => {
      granted.push(request)
      gives.set(request, give)
    })
  const settled = async () => void (await new Promise((resolve) => setImmediate(resolve)))
  const giveBack = async (request: string) => {
    gives.get(request)?.()
    await settled()
  }
  return { granted, settled, giveBack }
}

test('so much is granted as is free; the others wait until it is given back', async () => {
  const { granted, settled, giveBack } = requests(100, ['a60', 'a30', 'a20', 'a10'])
  await settled()
  expect(granted).toEqual(['a60', 'a30'])
  await giveBack('a60')
  expect(granted).toEqual(['a60', 'a30', 'a20', 'a10'])
})

test('giving back twice gives back once', async () => {
  const { granted, settled, giveBack } = requests(100, ['a60', 'a40', 'a50', 'a51'])
  await settled()
  await giveBack('a60')
  await giveBack('a60')
  expect(granted).toEqual(['a60', 'a40', 'a50'])
})

test('more than the whole budget is granted when nothing else is taken', async () => {
  const { granted, settled, giveBack } = requests(100, ['a10', 'a500', 'a20'])
  await settled()
  expect(granted).toEqual(['a10'])
  await giveBack('a10')
  expect(granted).toEqual(['a10', 'a500'])
  await giveBack('a500')
  expect(granted).toEqual(['a10', 'a500', 'a20'])
})

test('owners that wait take turns, however much each waits for', async () => {
  const { granted, settled, giveBack } = requests(100, ['a99', 'a91', 'a92', 'a93', 'b94', 'c95'])
  await settled()
  for (const next of ['a99', 'a91', 'b94', 'c95', 'a92']) await giveBack(next)
  expect(granted).toEqual(['a99', 'a91', 'b94', 'c95', 'a92', 'a93'])
})

test('a large request is not passed by small ones of others for ever: who comes later waits behind it', async () => {
  const { granted, settled, giveBack } = requests(100, ['a60', 'b80', 'c10', 'd10'])
  await settled()
  expect(granted).toEqual(['a60'])
  await giveBack('a60')
  expect(granted).toEqual(['a60', 'b80', 'c10', 'd10'])
})

describe('a budget of which an owner has at most a share', () => {
  test('leaves the rest to others, however much one waits for and however long it keeps it', async () => {
    const { granted, settled, giveBack } = requests(100, ['a30', 'a31', 'a32', 'b10', 'b11', 'c5'], 0.75)
    await settled()
    expect(granted).toEqual(['a30', 'a31', 'b10', 'b11', 'c5'])
    await giveBack('b11')
    expect(granted).not.toContain('a32')
    await giveBack('a30')
    expect(granted.at(-1)).toBe('a32')
  })

  test('grants everybody one amount, however large; what waits behind it waits until it is given back', async () => {
    const { granted, settled, giveBack } = requests(100, ['a90', 'b10', 'b80', 'b1', 'c200'], 0.75)
    await settled()
    expect(granted).toEqual(['a90', 'b10'])
    for (const next of ['a90', 'b10', 'b80', 'c200']) await giveBack(next)
    expect(granted.slice(2)).toEqual(['b80', 'c200', 'b1'])
  })
})
