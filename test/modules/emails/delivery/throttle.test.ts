import { expect, test } from 'vitest'
import { deliverEmails, deliveryIdle } from '../../../../src/modules/emails/delivery/worker.ts'
import { accept, sendingProject, turnAndSweep } from '../../../help/mails.ts'
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
  const ids: string[] = []
  for (let n = 0; n < 20; n++) ids.push((await accept(ctx, { to: `to${n}@example.com` })).id)
  await deliverEmails(world, { emails: ids.slice(0, 10).map((id) => [projectId, id]) })
  await deliverEmails(other, { emails: ids.slice(10).map((id) => [projectId, id]) })
  await Promise.all([deliveryIdle(world), deliveryIdle(other)])
  expect(await sentOf(projectId)).toBe(5)

  const quiet = await sendingProject(world)
  const single = await accept(quiet.ctx)
  await deliverEmails(world, { emails: [[quiet.projectId, single.id]] })
  await deliveryIdle(world)
  expect(await sentOf(quiet.projectId)).toBe(1)

  for (const expected of [10, 15, 20]) {
    await sweepBoth(1_000)
    expect(await sentOf(projectId)).toBe(expected)
  }
  const attempts = await world.db.prisma.email.findMany({ where: { projectId }, select: { attempts: true } })
  expect(attempts.every((email) => email.attempts === 1)).toBe(true)
})
