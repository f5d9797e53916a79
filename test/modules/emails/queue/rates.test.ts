import { describe, expect, test } from 'vitest'
import { deliverEmails, deliveryIdle } from '../../../../src/modules/emails/delivery/worker.ts'
import { suppressAddress } from '../../../../src/modules/suppressions/suppressions.ts'
import { accept, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { claim } from '../../../help/workers.ts'
import { type TestWorld, testWorld } from '../../../help/world.ts'

const mailServer = { send: async () => ({ kind: 'accepted' as const, response: '250 ok' }), check: async () => null, async close() {} }
const world = await testWorld({ mailServer, env: { SEND_RATE_PER_PROJECT: '5' } })
const other = await testWorld({ mailServer, env: { SEND_RATE_PER_PROJECT: '5' }, databaseUrl: world.databaseUrl })

async function sentOf(projectId: string): Promise<number> {
  return world.db.prisma.email.count({ where: { projectId, status: 'SENT' } })
}

async function sweepBoth(ms: number): Promise<void> {
  for (const at of [world, other] satisfies TestWorld[]) await turnAndSweep(at, ms)
}

test('a project’s sending rate applies across processes: other emails wait, none is lost, other projects are not slowed', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const started = performance.now()
  for (let n = 0; n < 20; n++) await accept(ctx, { to: `to${n}@example.com` })
  for (const at of [world, other]) await deliverEmails(at, { turns: [[projectId, 'transactional']] })
  await Promise.all([deliveryIdle(world), deliveryIdle(other)])
  const sent = await sentOf(projectId)
  expect(sent).toBeGreaterThanOrEqual(5)
  expect(sent).toBeLessThanOrEqual(5 + Math.ceil(((performance.now() - started) / 1_000) * 5))

  const quiet = await sendingProject(world)
  await accept(quiet.ctx)
  await deliverEmails(world, { turns: [[quiet.projectId, 'transactional']] })
  await deliveryIdle(world)
  expect(await sentOf(quiet.projectId)).toBe(1)

  for (let second = 0; second < 4; second++) await sweepBoth(1_000)
  expect(await sentOf(projectId)).toBe(20)
  const attempts = await world.db.prisma.email.findMany({ where: { projectId }, select: { attempts: true } })
  expect(attempts.every((email) => email.attempts === 1)).toBe(true)
})

test('an email that was cancelled has used nothing of the rate: the next one is sent at once', async () => {
  const { ctx, projectId } = await sendingProject(world)
  for (let n = 0; n < 200; n++) await accept(ctx, { to: `to${n}@example.com` })
  await deliverEmails(world, { turns: [[projectId, 'transactional']] })
  await deliveryIdle(world)
  await world.db.prisma.delivery.deleteMany({ where: { projectId } })
  world.clock.turn(1_000)
  const { id } = await accept(ctx, { to: 'late@example.com' })
  await turnAndSweep(world, 0)
  expect(await world.db.prisma.email.findMany({ where: { projectId, id }, select: { status: true } })).toEqual([{ status: 'SENT' }])
})

test('a transactional email goes before the bulk of its project, which waits for the rate', async () => {
  const { ctx, projectId } = await sendingProject(world)
  for (let n = 0; n < 40; n++) await accept(ctx, { to: `to${n}@example.com` })
  await world.db.prisma.delivery.updateMany({ where: { projectId }, data: { lane: 2 } })
  await turnAndSweep(world, 0)
  const { id } = await accept(ctx, { to: 'person@example.com' })
  await turnAndSweep(world, 1_000)
  expect(await world.db.prisma.email.findMany({ where: { projectId, id }, select: { status: true } })).toEqual([{ status: 'SENT' }])
  expect(await sentOf(projectId)).toBeLessThan(20)
})

test('bulk of a project gets nothing of its rate while a transactional email waits, and what is left once that is claimed', async () => {
  const { ctx, projectId } = await sendingProject(world)
  await accept(ctx, { to: ['a@example.com', 'b@example.com'] })
  await world.db.prisma.delivery.updateMany({ where: { projectId }, data: { lane: 2 } })
  await accept(ctx, { to: 'person@example.com' })
  expect(await claim(world, projectId, 'campaign')).toEqual([])
  expect(await claim(world, projectId)).toHaveLength(1)
  expect(await claim(world, projectId, 'campaign')).toHaveLength(2)
})

test('emails that do not leave use nothing of the rate: those after them are sent at once', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const to = Array.from({ length: 5 }, (_, n) => `suppressed${n}@example.com`)
  await accept(ctx, { to })
  for (const email of to) await suppressAddress(ctx, { email, reason: 'BOUNCE' })
  await accept(ctx, { to: Array.from({ length: 5 }, (_, n) => `good${n}@example.com`) })
  await turnAndSweep(world, 0)
  // The next look at a project with five emails per second; alone it would allow one more.
  await turnAndSweep(world, 200)
  expect(await sentOf(projectId)).toBe(5)
  expect(await world.db.prisma.email.count({ where: { projectId, status: 'SUPPRESSED' } })).toBe(5)
})

describe('where the clock of Postgres was ahead, and is set right, emails', () => {
  /** A project whose bucket was written an hour ahead, with so many tokens, and whose emails wait. */
  async function ahead(tokens: number) {
    const { ctx, projectId } = await sendingProject(world)
    await accept(ctx)
    await turnAndSweep(world, 0)
    const inAnHour = () => Date.now() + world.clock.aheadMs + 3_600_000
    await world.db.prisma.sendBucket.update({ where: { projectId }, data: { tokens, updatedAt: new Date(inAnHour()) } })
    await accept(ctx, { to: Array.from({ length: 12 }, (_, n) => `to${n}@example.com`) })
    const bucket = async () => {
      const { updatedAt, ...row } = await world.db.prisma.sendBucket.findUniqueOrThrow({ where: { projectId } })
      return { tokens: row.tokens, isNow: updatedAt.getTime() < inAnHour() - 1_800_000 }
    }
    return { projectId, bucket }
  }

  test('leave at the rate of their project from then on', async () => {
    const { projectId, bucket } = await ahead(0)
    expect(await claim(world, projectId)).toEqual([])
    expect(await bucket()).toEqual({ tokens: 0, isNow: true })
    world.clock.turn(1_000)
    expect(await claim(world, projectId)).toHaveLength(5)
    world.clock.turn(1_000)
    expect(await claim(world, projectId)).toHaveLength(5)
  })

  test('that the rate allowed already leave at once, and no more', async () => {
    const { projectId, bucket } = await ahead(3)
    expect(await claim(world, projectId)).toHaveLength(3)
    expect(await bucket()).toEqual({ tokens: 0, isNow: true })
  })
})
