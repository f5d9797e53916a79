import { expect, test } from 'vitest'
import { callIn } from '../../../../src/kit/context.ts'
import { createSegment } from '../../../../src/modules/segments/segments.ts'
import { recomputeSegments } from '../../../../src/modules/segments/tracking/recompute.ts'
import { createUser } from '../../../../src/modules/users/users.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
// On a slow machine one turn may take longer than a run.
const unhurried = Number.POSITIVE_INFINITY
const condition = { field: 'data.plan', operator: 'equals', value: 'pro' } as const

/** A project of somebody with a segment that is due for some seconds. */
async function due(userId: string, seconds: number): Promise<string> {
  const { ctx, projectId } = await freshProject(world)
  const { id } = await createSegment(ctx, { name: 'Pro', type: 'DYNAMIC', condition, trackMembership: true })
  const now = world.clock.now()
  await world.db.prisma.membership.create({ data: { projectId, userId, role: 'OWNER', createdAt: now } })
  const dueAt = new Date(now.getTime() - seconds * 1_000)
  await world.db.prisma.segment.update({ where: { projectId_id: { projectId, id } }, data: { dueAt } })
  return projectId
}

test('a person with many projects waits for one computation of another, and not the other for all of theirs', async () => {
  const owner = async (name: string) =>
    (await createUser(callIn(world), { email: `${name}@example.com`, password: 'correct horse battery' })).id
  const [busy, other] = [await owner('busy'), await owner('other')]
  const many = [await due(busy, 900), await due(busy, 800), await due(busy, 700)]
  const single = await due(other, 600)
  const order: string[] = []
  const { run } = world.db
  const noting: typeof run = (statement, values) => {
    if (statement.name === 'segments_take_segment_due') order.push(String(values[0]))
    return run(statement, values)
  }
  await recomputeSegments({ ...world, db: { ...world.db, run: noting } }, unhurried)
  const [first = '', second = '', third = ''] = many
  expect(order.filter((id) => id === single || many.includes(id)).slice(0, 4)).toEqual([first, single, second, third])
})

test('a segment with very many changes takes a turn for 20,000 of them, and goes on when others have had theirs', async () => {
  const { ctx, projectId } = await freshProject(world)
  const { id } = await createSegment(ctx, { name: 'Everybody', type: 'DYNAMIC', condition, trackMembership: true })
  await world.db.prisma.$executeRawUnsafe(
    `insert into contacts (project_id, id, email, data, created_at, updated_at)
     select '${projectId}', 'cnt_' || n, n || '@example.com', '{"plan": "pro"}', now(), now() from generate_series(1, 20_500) n`,
  )
  const dueAt = new Date(world.clock.now().getTime() - 1_000)
  await world.db.prisma.segment.update({ where: { projectId_id: { projectId, id } }, data: { dueAt } })
  const other = await due((await createUser(callIn(world), { email: 'patient@example.com', password: 'correct horse battery' })).id, 0)
  const members: [string, number][] = []
  const { run } = world.db
  const noting: typeof run = async (statement, values) => {
    const project = String(values[0])
    if (statement.name === 'segments_take_segment_due' && [projectId, other].includes(project))
      members.push([project, await world.db.prisma.segmentMember.count({ where: { projectId } })])
    return run(statement, values)
  }
  await recomputeSegments({ ...world, db: { ...world.db, run: noting } }, unhurried)
  expect(members.slice(0, 3)).toEqual([
    [projectId, 0],
    [other, 20_000],
    [projectId, 20_000],
  ])
  expect(await world.db.prisma.segmentMember.count({ where: { projectId } })).toBe(20_500)
})
