import { expect, test } from 'vitest'
import { deliverClaimed } from '../../../../src/modules/emails/delivery/attempt.ts'
import { leaseOf } from '../../../../src/modules/emails/queue/lease/lease.ts'
import { accept, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { mailServer, type Refusal } from '../../../help/smtp.ts'
import { claim, claimed, twoWorkers } from '../../../help/workers.ts'

const refusals = new Map<string, Refusal>()
const server = await mailServer({ refuse: (to) => refusals.get(to) ?? null })
const { world, other, stop } = await twoWorkers({ EMAIL_TRANSPORT: server.url })

test('copies that a worker had claimed, which was killed, are taken over by one that knows of copies, and by no other', async () => {
  const { ctx, projectId } = await sendingProject(world)
  refusals.set('bob@example.com', { code: 450, message: '4.7.1 Greylisted' })
  const { id } = await accept(ctx, { to: ['ada@example.com'], cc: ['bob@example.com'] })
  await turnAndSweep(world, 0)
  await world.db.prisma.delivery.updateMany({ where: { projectId }, data: { due: null } })
  expect(await claimed(world, projectId)).toMatchObject({ id, copies: ['bob@example.com'] })
  // A version before takes what is held by a worker that has no lease any more.
  const { worker } = await world.db.prisma.delivery.findFirstOrThrow({ where: { projectId } })
  const lease = await world.db.prisma.deliveryWorker.findUnique({ where: { id: worker ?? '' } })
  expect([worker, lease?.until.getUTCFullYear()]).toEqual([`copies:${leaseOf(world).worker}`, 9_999])
  expect(await claim(other, projectId)).toEqual([])
  await stop()
  refusals.clear()
  await deliverClaimed(other, await claimed(other, projectId))
  expect(server.mails.map(({ to }) => to)).toEqual([['ada@example.com'], ['bob@example.com']])
  expect(await world.db.prisma.delivery.count({ where: { projectId } })).toBe(0)
})
