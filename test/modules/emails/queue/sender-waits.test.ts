import { expect, test } from 'vitest'
import { settleEmail } from '../../../../src/modules/emails/delivery/settle.ts'
import { wakeStalled } from '../../../../src/modules/emails/delivery/worker.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { claimed, twoWorkers } from '../../../help/workers.ts'

const { world } = await twoWorkers()
const hourMs = 3_600_000
const wait = { kind: 'paused', reason: 'It waits.', waitMs: 0 } as const
const forDomain = { ...wait, waitsFor: 'DOMAIN:demo.test' } as const

test('the 24 hours of retries go on behind a wait for the sender domain, also where another wait follows it', async () => {
  const { ctx, projectId } = await sendingProject(world)
  await accept(ctx)
  const next = () => claimed(world, projectId)
  await settleEmail(world, await next(), { kind: 'retry', reason: '451 later', waitMs: 0 })
  world.clock.turn(hourMs)
  await settleEmail(world, await next(), forDomain)
  world.clock.turn(22 * hourMs)
  const found = await next()
  expect(found.sinceUnverifiedMs / hourMs).toBeCloseTo(22, 1)
  expect(found.sinceFirstMs / hourMs).toBeCloseTo(1, 1)
  await settleEmail(world, found, { ...wait, waitsFor: 'SENDER:demo.test' })
  world.clock.turn(8 * hourMs)
  const later = await next()
  expect([later.sinceUnverifiedMs, later.attempts]).toEqual([0, 2])
  expect(later.sinceFirstMs / hourMs).toBeCloseTo(9, 1)
})

test('a wait for the sender domain that began before the clock of Postgres was set back begins when that is found', async () => {
  const { ctx, projectId } = await sendingProject(world)
  await accept(ctx)
  await settleEmail(world, await claimed(world, projectId), forDomain)
  const ahead = new Date(world.clock.now().getTime() + 30 * 24 * hourMs)
  const change = (data: object) => world.db.prisma.delivery.updateMany({ where: { projectId }, data })
  await change({ unverifiedAt: ahead })
  const mine = await claimed(world, projectId)
  expect([mine.sinceUnverifiedMs, mine.sinceFirstMs < hourMs]).toEqual([0, true])
  await settleEmail(world, mine, forDomain)
  const since = async () => (await world.db.prisma.delivery.findFirstOrThrow({ where: { projectId } })).unverifiedAt
  expect(Number(await since())).toBeLessThan(Number(ahead) - hourMs)
  await change({ unverifiedAt: ahead, due: ahead })
  await wakeStalled(world)
  expect(Number(await since())).toBeLessThan(Number(ahead) - hourMs)
  expect((await claimed(world, projectId)).sinceUnverifiedMs).toBeLessThan(hourMs)
})
