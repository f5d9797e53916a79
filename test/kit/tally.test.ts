import { expect, test } from 'vitest'
import { createTally } from '../../src/kit/tally.ts'

test('what belongs to several owners counts for each of them, and once in the total', () => {
  const tally = createTally()
  tally.add(['account a', 'project p'], 3)
  tally.add('account a', 2)
  expect([tally.of('account a'), tally.of('project p'), tally.of('project q'), tally.total]).toEqual([5, 3, 0, 5])
})

test('owners who have nothing any more are forgotten', () => {
  const tally = createTally()
  tally.add(['a', 'b'], 2)
  tally.add('a', -2)
  expect([...tally.owners()]).toEqual(['b'])
  expect([tally.of('a'), tally.total]).toEqual([0, 0])
})
