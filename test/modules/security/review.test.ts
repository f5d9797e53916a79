import { describe, expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import type { NotificationJob } from '../../../src/modules/notifications/shapes.ts'
import { reviewReputations } from '../../../src/modules/security/review.ts'
import { getSecurity } from '../../../src/modules/security/security.ts'
import { liftSuspension, suspendProject } from '../../../src/modules/security/suspensions.ts'
import { countWholeReputation, logMails } from '../../help/reputation.ts'
import { freshProject, type TestWorld, testWorld } from '../../help/world.ts'

const world = await testWorld()
const other = await testWorld({ databaseUrl: world.databaseUrl })
const lenient = await testWorld({ env: { AUTO_PROJECT_DISABLE: 'false' } })
const hour = 3_600_000
const day = 24 * hour

let serial = 0
async function projectWithOwner(on: TestWorld = world) {
  const project = await freshProject(on)
  const now = on.clock.now()
  const id = `usr_${serial++}`
  await on.db.prisma.user.create({ data: { id, email: `${id}@example.com`, createdAt: now, updatedAt: now } })
  await on.db.prisma.membership.create({ data: { projectId: project.projectId, userId: id, role: 'OWNER', createdAt: now } })
  return { ...project, owner: `${id}@example.com` }
}

async function review(...worlds: TestWorld[]): Promise<void> {
  for (const one of worlds) await countWholeReputation(one)
  await Promise.all(worlds.map((one) => reviewReputations(one)))
}

type Project = Awaited<ReturnType<typeof projectWithOwner>>
const stateOf = ({ projectId }: Project, on: TestWorld = world) =>
  on.db.prisma.project.findUniqueOrThrow({ where: { id: projectId }, select: { disabled: true, disabledReason: true } })
const securityOf = ({ ctx, projectId }: Project) => getSecurity(ctx, { id: projectId })
const toldOf = async ({ owner }: Project) => {
  const jobs = await world.db.prisma.$queryRawUnsafe<{ data: NotificationJob }[]>(
    `select data from pgboss.job where name = 'platform-mail' and data ->> 'to' = '${owner}' order by data ->> 'id'`,
  )
  return jobs.map(({ data }) => data.notification.kind)
}
const active = { disabled: false, disabledReason: null }
const suspended = { disabled: true, disabledReason: 'EMAIL_REPUTATION' }

test('counts that are left of a deleted project stop the review of no other', async () => {
  const gone = await projectWithOwner()
  await logMails(gone.ctx, { sent: 200, bounces: 20 })
  await countWholeReputation(world)
  await world.db.prisma.project.delete({ where: { id: gone.projectId } })
  const project = await projectWithOwner()
  await logMails(project.ctx, { sent: 200, bounces: 20 })
  await review(world)
  expect(await stateOf(project)).toEqual(suspended)
})

describe('a critical project', () => {
  test('is suspended once by two workers, with the reason as a sentence, and its owner is notified once', async () => {
    const project = await projectWithOwner()
    await logMails(project.ctx, { sent: 200, bounces: 20 })
    await review(world, other)
    await review(world, other)
    expect(await stateOf(project)).toEqual(suspended)
    expect(await toldOf(project)).toEqual(['project-suspended'])
    expect((await securityOf(project)).recentSuspensions).toEqual([
      {
        id: expect.stringMatching(/^sus_/),
        reason: 'EMAIL_REPUTATION',
        detail: expect.stringMatching(/^10 % hard bounces in the last 7 days \(20 of 200 emails\)\. .* 10 % hard bounces in total/),
        suspendedAt: world.clock.now(),
        liftedAt: null,
      },
    ])
  })

  test('is suspended for complaints as well; temporary bounces do not count', async () => {
    const bounced = await projectWithOwner()
    const complained = await projectWithOwner()
    await logMails(bounced.ctx, { sent: 200, bounces: 9, soft: 100 })
    await logMails(complained.ctx, { sent: 200, complaints: 5 })
    await review(world)
    expect(await stateOf(bounced)).toEqual(active)
    expect(await stateOf(complained)).toEqual(suspended)
    expect((await securityOf(bounced)).status).toMatchObject({
      allTime: { total: 200, bounces: 9, bounceRate: 4.5 },
      warnings: [expect.any(String)],
    })
  })

  test('stays active below 100 emails; without AUTO_PROJECT_DISABLE it stays active but is shown as critical', async () => {
    const few = await projectWithOwner()
    await logMails(few.ctx, { sent: 99, bounces: 99 })
    await review(world)
    expect(await stateOf(few)).toEqual(active)
    const bad = await projectWithOwner(lenient)
    await logMails(bad.ctx, { sent: 100, bounces: 50 })
    await review(lenient)
    expect(await stateOf(bad, lenient)).toEqual(active)
    expect(await getSecurity(bad.ctx, { id: bad.projectId })).toMatchObject({
      status: { isHealthy: false, shouldDisable: true },
      levels: { bounce7Day: 'critical', complaint7Day: 'healthy' },
      isDisabled: false,
      recentSuspensions: [],
    })
  })
})

describe('after a lift', () => {
  test('only what happened since counts', async () => {
    const project = await projectWithOwner()
    await logMails(project.ctx, { sent: 1_000, bounces: 200 })
    await review(world)
    expect(await stateOf(project)).toEqual(suspended)
    await logMails(project.ctx, { bounces: 5 })
    await liftSuspension(project.ctx)
    expect(await stateOf(project)).toEqual(active)
    expect(await toldOf(project)).toEqual(['project-suspended', 'project-lifted'])
    world.clock.turn(1)
    await logMails(project.ctx, { sent: 99, bounces: 9 })
    await review(world)
    expect(await stateOf(project)).toEqual(active)
    expect((await securityOf(project)).status).toMatchObject({
      isHealthy: true,
      sevenDay: { total: 99, bounces: 9 },
      allTime: { total: 99, bounces: 9 },
    })
    await logMails(project.ctx, { sent: 1, bounces: 1 })
    await review(world)
    expect(await stateOf(project)).toEqual(suspended)
    expect((await securityOf(project)).recentSuspensions.map(({ liftedAt }) => liftedAt !== null)).toEqual([false, true])
  })

  test('it stays suspended for another reason; each reason is lifted separately', async () => {
    const project = await projectWithOwner()
    await suspendProject(project.ctx, { reason: 'PAYMENT_FAILED', detail: 'The invoice was not paid.' })
    await suspendProject(project.ctx, { reason: 'PAYMENT_FAILED', detail: 'Again.' })
    await logMails(project.ctx, { sent: 100, complaints: 10 })
    await review(world)
    expect(await stateOf(project)).toEqual({ disabled: true, disabledReason: 'PAYMENT_FAILED' })
    await liftSuspension(project.ctx, { reason: 'PAYMENT_FAILED' })
    expect(await stateOf(project)).toEqual(suspended)
    await liftSuspension(project.ctx, { reason: 'MANUAL' })
    expect(await stateOf(project)).toEqual(suspended)
    await liftSuspension(project.ctx)
    expect(await stateOf(project)).toEqual(active)
    expect((await securityOf(project)).recentSuspensions.map(({ reason, detail }) => [reason, detail.slice(0, 25)])).toEqual([
      ['EMAIL_REPUTATION', '10 % complaints in the las'.slice(0, 25)],
      ['PAYMENT_FAILED', 'The invoice was not paid.'],
    ])
  })
})

describe('windows', () => {
  test('24 hours, 7 days and all time have the right bounds, and only a metric that increased may suspend', async () => {
    const mine = await testWorld()
    const project = await projectWithOwner(mine)
    const windows = async () => {
      await countWholeReputation(mine)
      const { status } = await securityOf(project)
      return [status.twentyFourHour.total, status.sevenDay.total, status.allTime.total]
    }
    await logMails(project.ctx, { sent: 100 })
    expect(await windows()).toEqual([100, 100, 100])
    mine.clock.turn(23 * hour)
    await logMails(project.ctx, { sent: 1 })
    expect(await windows()).toEqual([101, 101, 101])
    mine.clock.turn(hour)
    expect(await windows()).toEqual([1, 101, 101])
    mine.clock.turn(6 * day)
    expect(await windows()).toEqual([0, 1, 101])
    mine.clock.turn(day)
    expect(await windows()).toEqual([0, 0, 101])

    // The bounces are still critical, but did not increase: a complaint alone must not suspend for them.
    await logMails(project.ctx, { sent: 100, bounces: 60 })
    await countWholeReputation(mine)
    await mine.db.prisma.reputation.update({ where: { projectId: project.projectId }, data: { bouncesMoved: false } })
    await logMails(project.ctx, { complaints: 1 })
    await review(mine)
    expect(await stateOf(project, mine)).toEqual(active)
    expect((await securityOf(project)).status.shouldDisable).toBe(true)
    await logMails(project.ctx, { bounces: 1 })
    await review(mine)
    expect(await stateOf(project, mine)).toEqual(suspended)
  })
})

test('deleting the log does not improve a reputation, and two processes do not count twice', async () => {
  const project = await projectWithOwner()
  await logMails(project.ctx, { sent: 200, bounces: 10 })
  await countWholeReputation(world)
  await Promise.all([countWholeReputation(world), countWholeReputation(other)])
  await world.db.prisma.event.deleteMany({ where: { projectId: project.projectId } })
  expect((await securityOf(project)).status.allTime).toEqual({ total: 200, bounces: 10, complaints: 0, bounceRate: 5, complaintRate: 0 })
})

test('a project that does not exist cannot be suspended', async () => {
  const nobody = callIn(world, { projectId: 'prj_nothing', actor: { kind: 'system' } })
  await expect(suspendProject(nobody, { reason: 'MANUAL', detail: 'x' })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
  await expect(liftSuspension(nobody)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
})
