import { describe, expect, test } from 'vitest'
import { statement } from '../../../src/kit/postgres/db.ts'
import { getProject } from '../../../src/modules/projects/projects.ts'
import { resumeResets } from '../../../src/modules/resets/erase.ts'
import { startJobs } from '../../../src/modules/resets/jobs.ts'
import { deleteProject, resetProject } from '../../../src/modules/resets/resets.ts'
import { suspendProject } from '../../../src/modules/security/suspensions.ts'
import { emptied, filledProject, rowsOf } from '../../help/filled.ts'
import { accept } from '../../help/mails.ts'
import { freshUser } from '../../help/people.ts'
import { until } from '../../help/until.ts'
import { freshProject, testWorld } from '../../help/world.ts'

// The first world processes no jobs until a test does; the second one processes all.
const idle = await testWorld()
const world = await testWorld()
await startJobs(world)

const without = (rows: Record<string, number>, tables: string[]) =>
  Object.fromEntries(Object.entries(rows).filter(([table]) => !tables.includes(table)))
const dropJobs = statement<object>('test_drop_jobs', `delete from pgboss.job where name = 'project-reset'`, { allProjects: 'a test' })
const running = statement<object>('test_running', 'select 1 from resets where project_id = $1 and finished_at is null')
const erased = (projectId: string) => until(async () => (await world.db.run(running, [projectId])).length === 0)
const logOf = (projectId: string, { db } = world) => db.prisma.event.findMany({ where: { projectId }, select: { name: true, data: true } })
const recorded = (id: string) => ({ name: 'project.changed', data: { actor: { type: 'user', id }, fields: ['reset'] } })

describe('resetProject', () => {
  test('empties the project and keeps domains, keys, members and settings; another project keeps everything', async () => {
    const { projectId, owner, ctx } = await filledProject(world)
    const other = await filledProject(world)
    const [before, others] = [await rowsOf(world, projectId), await rowsOf(world, other.projectId)]
    expect(Object.keys(before)).toEqual(expect.arrayContaining(emptied))
    const project = await getProject(ctx, {})
    expect(await resetProject(owner.ctx, { id: projectId })).toEqual({
      success: true,
      message: 'Acme is empty. Its domains, keys, members and settings were kept.',
    })
    expect(await rowsOf(world, projectId)).toEqual({ ...without(before, emptied), resets: 1, events: 1 })
    expect(await logOf(projectId)).toEqual([recorded(owner.userId)])
    expect(before).toMatchObject({ domains: 1, project_keys: 2, memberships: 1, uploads: 1 })
    expect(await rowsOf(world, other.projectId)).toEqual(others)
    expect(await getProject(ctx, {})).toEqual(project)
    await accept(ctx)
    expect(await rowsOf(world, projectId)).toMatchObject({ contacts: 1, emails: 1 })
  })

  test('continues over several jobs when there is much to remove', async () => {
    const { projectId } = await freshProject(world)
    const owner = await freshUser(world, { member: { projectId, role: 'ADMIN' } })
    const fill = statement<object>(
      'test_fill_mailbox',
      `insert into captured_mails (id, project_id, "from", "to", subject, raw, created_at)
       select $1 || n, $1, '', '{}', '', '', $2::timestamptz from generate_series(1, 20500) n`,
    )
    await world.db.run(fill, [projectId, world.clock.now()])
    await resetProject(owner.ctx, { id: projectId })
    await erased(projectId)
    expect(await rowsOf(world, projectId)).toEqual({ memberships: 1, project_keys: 2, project_webhook_secrets: 1, resets: 1, events: 1 })
  })

  test('returns the job that continues when it is not done in time; a second call waits for the same job', async () => {
    const { projectId, owner } = await filledProject(idle)
    const calls = await Promise.all([resetProject(owner.ctx, { id: projectId }), resetProject(owner.ctx, { id: projectId })])
    expect(calls[0]).toEqual({
      message: 'Acme is being emptied. Until that is done, it can be read but not changed.',
      jobId: expect.stringMatching(/^job_/),
    })
    expect(calls[1]).toEqual(calls[0])
    expect(await rowsOf(idle, projectId)).toMatchObject({ resets: 1, contacts: 1 })
  })

  test('is resumed by another process when its worker crashed', async () => {
    const { projectId, owner } = await filledProject(idle)
    await resetProject(owner.ctx, { id: projectId })
    await idle.db.run(dropJobs, [])
    const second = await testWorld({ databaseUrl: idle.databaseUrl })
    await startJobs(second)
    await resumeResets(second)
    expect((await idle.db.run(running, [projectId])).length).toBe(1)
    second.clock.turn(3 * 60_000)
    await resumeResets(second)
    await until(async () => (await idle.db.run(running, [projectId])).length === 0)
    expect(Object.keys(await rowsOf(idle, projectId)).filter((table) => emptied.includes(table))).toEqual(['events'])
    expect(await logOf(projectId, idle)).toEqual([recorded(owner.userId)])
  })

  test('works only for the project of the call, and not while it is suspended', async () => {
    const { projectId, ctx, owner } = await filledProject(world)
    const before = await rowsOf(world, projectId)
    const stranger = await freshUser(world, { member: { projectId: (await freshProject(world)).projectId, role: 'OWNER' } })
    const reset = (as: typeof ctx) => resetProject(as, { id: projectId })
    await expect(reset(stranger.ctx)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
    await suspendProject({ world, projectId }, { reason: 'MANUAL', detail: 'Too many bounces.' })
    await expect(reset(owner.ctx)).rejects.toMatchObject({ code: 'PROJECT_DISABLED' })
    // The suspension itself is a line of the log.
    expect(without(await rowsOf(world, projectId), ['suspensions'])).toEqual({ ...before, events: (before.events ?? 0) + 1 })
  })
})

async function isStored(key: string): Promise<boolean> {
  const file = await world.storage.open(key)
  return file?.destroy() !== undefined
}

describe('deleteProject', () => {
  test('leaves nothing of the project, not even its files; another project keeps everything', async () => {
    const { projectId, owner } = await filledProject(world)
    const other = await filledProject(world)
    const others = await rowsOf(world, other.projectId)
    const { key } = await world.db.prisma.upload.findFirstOrThrow({ where: { projectId } })
    expect(await isStored(key)).toBe(true)
    await deleteProject(owner.ctx, { id: projectId })
    await until(async () => (await world.db.prisma.project.count({ where: { id: projectId } })) === 0)
    expect(await rowsOf(world, projectId)).toEqual({})
    expect(await isStored(key)).toBe(false)
    expect(await rowsOf(world, other.projectId)).toEqual(others)
  })

  test('replaces a running reset', async () => {
    const { projectId, owner } = await filledProject(idle)
    await resetProject(owner.ctx, { id: projectId })
    await deleteProject(owner.ctx, { id: projectId })
    expect(await rowsOf(idle, projectId)).toMatchObject({ resets: 1 })
    const second = await testWorld({ databaseUrl: idle.databaseUrl })
    await startJobs(second)
    await until(async () => Object.keys(await rowsOf(idle, projectId)).length === 0)
    expect(await idle.db.prisma.project.count({ where: { id: projectId } })).toBe(0)
  })

  test('is refused while there is a paid subscription, and changes nothing', async () => {
    const { projectId, ctx, owner } = await filledProject(world)
    const now = world.clock.now()
    await world.db.prisma.billingAccount.create({ data: { projectId, subscription: 'sub_1', createdAt: now, updatedAt: now } })
    const before = await rowsOf(world, projectId)
    await expect(deleteProject(owner.ctx, { id: projectId })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await rowsOf(world, projectId)).toEqual(before)
    await accept(ctx)
  })
})
