import { expect, test } from 'vitest'
import { countsOf } from '../../src/kit/counts.ts'
import { statement } from '../../src/kit/postgres/db.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld()
const lengths = statement<{ count: number }>(
  'test_lengths',
  `select length(q.project_id || q.id) as count from unnest($1::text[], $2::text[]) with ordinality q(project_id, id, ord) order by q.ord`,
)

test('all counts of one turn are one statement, and every caller gets its own count', async () => {
  const asked: number[] = []
  const counted = {
    ...world,
    db: {
      ...world.db,
      run: (...[which, values]: Parameters<typeof world.db.run>) => {
        asked.push((values[0] as string[]).length)
        return world.db.run(which, values)
      },
    } as typeof world.db,
  }
  const countOf = countsOf(lengths)
  const ids = ['a', 'bb', '', 'cccc', 'a']
  expect(await Promise.all(ids.map((id) => countOf(counted, { projectId: 'p', id })))).toEqual([2, 3, 1, 5, 2])
  expect(asked).toEqual([5])
  const many = Array.from({ length: 1_200 }, (_, at) => 'x'.repeat(at % 7))
  expect(await Promise.all(many.map((id) => countOf(counted, { projectId: 'p', id })))).toEqual(many.map((id) => id.length + 1))
  expect(asked.slice(1)).toEqual([500, 500, 200])
})

test('two counters do not mix', async () => {
  const other = countsOf(
    statement<{ count: number }>('test_ones', 'select 1 as count from unnest($1::text[], $2::text[]) q(project_id, id)'),
  )
  const one = countsOf(lengths)
  expect(await Promise.all([one(world, { projectId: 'p', id: 'abc' }), other(world, { projectId: 'p', id: 'abc' })])).toEqual([4, 1])
})
