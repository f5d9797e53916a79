import { expect, test } from 'vitest'
import { readAhead } from '../../src/kit/ahead.ts'

function numbers(max: number, end: () => void = () => undefined) {
  const asked: number[] = []
  async function* source(): AsyncGenerator<number> {
    try {
      for (let n = 1; n <= max; n++) {
        asked.push(n)
        yield n
      }
    } finally {
      end()
    }
    throw new Error('The source broke')
  }
  return { asked, source: source() }
}

test('the next item is asked for while the last one is worked on, and no more', async () => {
  const { asked, source } = numbers(3)
  const seen: number[][] = []
  const read = async (): Promise<void> => {
    for await (const _ of readAhead(source)) {
      await new Promise((resolve) => setImmediate(resolve))
      seen.push([...asked])
    }
  }
  await expect(read()).rejects.toThrow('The source broke')
  expect(seen).toEqual([
    [1, 2],
    [1, 2, 3],
    [1, 2, 3],
  ])
})

test('a consumer that ends early closes the source, also when it has broken', async () => {
  let ended = 0
  const end = (): void => {
    ended++
  }
  for await (const n of readAhead(numbers(5, end).source)) if (n === 2) break
  expect(ended).toBe(1)
  for await (const n of readAhead(numbers(1, end).source)) if (n === 1) break
  expect(ended).toBe(2)
})
