import { expect, test } from 'vitest'
import { createRotation } from '../../src/kit/rotation.ts'

interface Item {
  name: string
}

function filled(...names: string[]) {
  const rotation = createRotation<Item>()
  const items = names.map((name) => ({ name }))
  for (const item of items) rotation.add(item.name[0] ?? '', item)
  return { rotation, items }
}

const all = (take: () => Item | undefined): string[] => {
  const taken: string[] = []
  for (let item = take(); item; item = take()) taken.push(item.name)
  return taken
}

test('owners take turns, each in its order', () => {
  const { rotation } = filled('a1', 'a2', 'a3', 'b1', 'c1', 'c2')
  expect(all(() => rotation.take())).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
  expect([rotation.isEmpty(), rotation.first()]).toEqual([true, undefined])
})

test('an owner that may not have its turn keeps its place', () => {
  const { rotation } = filled('a1', 'a2', 'b1', 'b2')
  expect(all(() => rotation.take((owner) => owner !== 'a'))).toEqual(['b1', 'b2'])
  expect([rotation.first()?.name, rotation.has('a'), rotation.has('b')]).toEqual(['a1', true, false])
})

test('what does not wait any more is passed over', () => {
  const { rotation, items } = filled('a1', 'a2', 'b1')
  for (const item of items.slice(0, 2)) rotation.remove('a', item)
  rotation.remove('c', { name: 'c1' })
  expect(all(() => rotation.take())).toEqual(['b1'])
})
