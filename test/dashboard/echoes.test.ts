import { expect, test } from 'vitest'
import { createEchoes } from '../../src/dashboard/parts/visual/echoes.ts'

test('what an editor said is its own when it is handed back, also after it has said more', () => {
  const echoes = createEchoes('a')
  echoes.said('ab')
  echoes.said('abc')
  expect([echoes.isOne('ab'), echoes.isOne('abc')]).toEqual([true, true])
})

test('of texts that followed one another only the last may be handed back; then an older one is from elsewhere', () => {
  const echoes = createEchoes('a')
  for (const text of ['ab', 'abc', 'abcd']) echoes.said(text)
  expect([echoes.isOne('abcd'), echoes.isOne('ab'), echoes.isOne('loaded')]).toEqual([true, false, false])
})

test('what was taken back before it was handed over is waited for no more', () => {
  const echoes = createEchoes('a')
  echoes.said('ab')
  echoes.said('a')
  expect(echoes.isOne('ab')).toBe(false)
})
