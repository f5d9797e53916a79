import { describe, expect, test } from 'vitest'
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

describe('networks of one IPv6 site', () => {
  const networks = ['2001:db8:1:1::/64', '2001:db8:1:2::/64', '2001:db8:1:3::/64', '2001:db8:2:1::/64']

  function withNetworks() {
    const rotation = createRotation<Item>()
    for (const network of networks) for (const n of [1, 2]) rotation.add(network, { name: `${network[9]}-${network[11]} ${n}` })
    return rotation
  }

  test('take the turns of one owner, in turns of their own', () => {
    const rotation = withNetworks()
    const taken = all(() => rotation.take())
    expect(taken).toEqual(['1-1 1', '2-1 1', '1-2 1', '2-1 2', '1-3 1', '1-1 2', '1-2 2', '1-3 2'])
    expect([rotation.isEmpty(), rotation.has('2001:db8:1:1::/64')]).toEqual([true, false])
  })

  test('are passed over together, and removed alone', () => {
    const rotation = withNetworks()
    const asked: string[] = []
    const taken = all(() =>
      rotation.take(undefined, undefined, (site) => {
        asked.push(site)
        return site === '2001:db8:2::/48'
      }),
    )
    expect(taken).toEqual(['2-1 1', '2-1 2'])
    expect(asked.slice(0, 2)).toEqual(['2001:db8:1::/48', '2001:db8:2::/48'])
    expect(rotation.removeAll('2001:db8:1:2::/64').map(({ name }) => name)).toEqual(['1-2 1', '1-2 2'])
    expect(rotation.has('2001:db8:1:2::/64')).toBe(true)
    expect(rotation.count(() => true, 10)).toBe(4)
  })
})
