import { expect, test } from 'vitest'
import { callIn } from '../../src/kit/context.ts'
import { type Count, countsOf } from '../../src/kit/counts.ts'
import { statement } from '../../src/kit/postgres/db.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld()
const asked = '(select $1::text as project_id, n.id from unnest($2::text[]) as n(id)) q where q.project_id = $1'
const lengths = statement<Count>('test_lengths', `select q.id, length(q.project_id || q.id) as count from ${asked}`)

/** A project, and how many ids each statement asked for, which all take the turns of lists. */
function project(projectId: string) {
  const asked: number[] = []
  const ctx = callIn(world, { projectId, actor: { kind: 'system' } })
  const lists = {
    run: (...[which, values]: Parameters<typeof world.db.run>) => {
      asked.push((values[1] as string[]).length)
      return world.db.lists.run(which, values)
    },
  } as typeof world.db.lists
  return { ctx: { ...ctx, db: { ...ctx.db, lists, run: ctx.db.impatient.run } }, asked }
}

test('all counts of a project of one turn are one statement in the turns of lists, and every caller gets its own count', async () => {
  const countOf = countsOf(lengths)
  const [one, other] = [project('p'), project('pp')]
  const ids = ['a', 'bb', '', 'cccc', 'a']
  const counts = await Promise.all([...ids.map((id) => countOf(one.ctx, id)), countOf(other.ctx, 'a')])
  expect(counts).toEqual([2, 3, 1, 5, 2, 3])
  expect([one.asked, other.asked]).toEqual([[4], [1]])
})

test('two counters do not mix, and what a statement says nothing of is 0', async () => {
  const none = countsOf(statement<Count>('test_none', `select q.id, 1 as count from ${asked} and q.id = $1`))
  const one = countsOf(lengths)
  const { ctx } = project('p')
  expect(await Promise.all([one(ctx, 'abc'), none(ctx, 'abc'), none(ctx, 'p')])).toEqual([4, 0, 1])
})
