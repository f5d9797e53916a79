import { expect, test } from 'vitest'
import { Failure } from '../../../../src/kit/errors.ts'
import { statement } from '../../../../src/kit/postgres/db.ts'
import type { World } from '../../../../src/kit/world.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { letReadersKeepUp } from '../../../../src/modules/events/reader/keep-up.ts'
import { createJob } from '../../../../src/modules/jobs/job.ts'
import { runJob } from '../../../../src/modules/jobs/run.ts'
import { addSegmentMembers, removeSegmentMembers } from '../../../../src/modules/segments/members/members.ts'
import { createSegment, updateSegment } from '../../../../src/modules/segments/segments.ts'
import { computeSegment } from '../../../../src/modules/segments/tracking/compute.ts'
import { readers } from '../../../../src/server/worker.ts'
import { until } from '../../../help/until.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const across = { allProjects: 'a test moves the readers of its own database' }
const write = statement<object>(
  'test_write_lines',
  `insert into events (project_id, id, name, created_at) select $1, 'evt_' || $2 || lpad(n::text, 8, '0'), 'seen', $3 from generate_series(1, $4::int) n`,
)
const place = statement<object>(
  'test_place',
  `insert into log_readers (reader, epoch, xid, id, active_at) select $1, 0, '0', '', $2
   on conflict (reader) do update set xid = '0', active_at = excluded.active_at`,
  across,
)
const pass = statement<object>(
  'test_pass',
  'update log_readers set epoch = log_epoch(), xid = pg_current_xact_id() where reader = $1',
  across,
)

/** The world, and how often it was asked how far behind readers are. */
function watched(): { at: World; asked: () => number } {
  let count = 0
  const run: World['db']['lookups']['run'] = (...given) => {
    count++
    return world.db.lookups.run(...given)
  }
  return { at: { ...world, db: { ...world.db, lookups: { run } } }, asked: () => count }
}

async function passes(): Promise<number> {
  const { at, asked } = watched()
  await letReadersKeepUp(at)
  return asked()
}

test('work that writes many lines waits while a reader is far behind, for a second, and goes on when it has caught up', async () => {
  const { projectId } = await freshProject(world)
  const now = world.clock.now()
  await world.db.run(place, ['slow', now])
  await world.db.run(write, [projectId, 'a', now, 4_500])
  expect(await passes()).toBe(1)
  await world.db.run(write, [projectId, 'b', now, 1_500])
  expect(await passes()).toBe(10)
  const { at, asked } = watched()
  const waiting = letReadersKeepUp(at)
  await until(async () => asked() > 1)
  await world.db.run(pass, ['slow'])
  await waiting
  expect(asked()).toBeLessThan(10)
})

test('computing segments and the chunks of jobs wait so', async () => {
  const { ctx, projectId } = await freshProject(world)
  await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro' } })
  const condition = { field: 'data.plan', operator: 'equals', value: 'pro' } as const
  const { id } = await createSegment(ctx, { name: 'Pro', condition })
  await updateSegment(ctx, { id, trackMembership: true, condition: { ...condition, value: 'free' } })
  const computing = watched()
  await updateSegment(ctx, { id, condition })
  await computeSegment({ ...ctx, world: computing.at }, { id })
  expect(computing.asked()).toBeGreaterThan(0)
  await createJob(ctx, { kind: 'import', input: {} })
  const running = watched()
  await runJob(running.at, 'import', async function* () {
    for (const n of [1, 2]) yield { place: { n }, progress: n * 50, last: n === 2, write: async () => ({}) }
  })
  expect([projectId, running.asked()]).toEqual([projectId, 2])
})

test('a reader that has not been active for hours holds nobody back', async () => {
  await world.db.run(place, ['slow', new Date(world.clock.now().getTime() - 3 * 3_600_000)])
  expect(await passes()).toBe(1)
})

test('every reader takes enough lines at once to keep up with those who write them', () => {
  expect(readers.length).toBeGreaterThan(5)
  expect(readers.filter(({ maxLines }) => maxLines < 5_000).map(({ name }) => name)).toEqual([])
})

test('and so do calls that change more than 100 members of a segment, those of one account one after the other', async () => {
  const { ctx } = await freshProject(world)
  const emails = Array.from({ length: 101 }, (_, n) => `c${n}@example.com`)
  const { id } = await createSegment(ctx, { name: 'Some', type: 'STATIC' })
  const { at, asked } = watched()
  const call = { ...ctx, world: at }
  await addSegmentMembers(call, { id, emails: emails.slice(1), createMissing: true })
  expect(asked()).toBe(0)
  const answers = await Promise.all([0, 1, 2].map(() => addSegmentMembers(call, { id, emails, createMissing: true })))
  expect([asked(), answers.map(({ added }) => added)]).toEqual([3, [1, 0, 0]])
  expect(await removeSegmentMembers(call, { id, emails })).toEqual({ removed: 101 })
  expect(asked()).toBe(4)
  const gone = { ...call, rightsNow: () => Promise.reject(new Failure('UNAUTHORIZED', 'Your access to this project has ended.')) }
  await expect(addSegmentMembers(gone, { id, emails })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})
