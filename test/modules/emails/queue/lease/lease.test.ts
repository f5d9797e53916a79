import { describe, expect, test } from 'vitest'
import type { Handover } from '../../../../../src/kit/mailer.ts'
import { deliverEmails, startDelivery } from '../../../../../src/modules/emails/delivery/worker.ts'
import { getEmail } from '../../../../../src/modules/emails/emails.ts'
import { confirmClaim, renewClaims } from '../../../../../src/modules/emails/queue/claim.ts'
import { leaseOf } from '../../../../../src/modules/emails/queue/lease/lease.ts'
import { claimTurns } from '../../../../../src/modules/emails/queue/sql.ts'
import { holder } from '../../../../help/holder.ts'
import { accept, sendingProject } from '../../../../help/mails.ts'
import { until } from '../../../../help/until.ts'
import { accepts, claim, claimed, twoWorkers } from '../../../../help/workers.ts'

const { world, other, pass, stop, turn } = await twoWorkers()

describe('a lease that has ended', () => {
  /** An email of `world`, whose lease has ended, that `other` takes over in a transaction which is still open. */
  async function takenOver(before = async (): Promise<void> => undefined) {
    const { ctx, projectId } = await sendingProject(world)
    await accept(ctx)
    const mine = await claimed(world, projectId)
    await stop()
    await before()
    const takeover = await holder(world)
    const { worker, endMs } = leaseOf(other)
    const values = [[projectId], [''], [10], 0, worker, 'clm_theirs', 0, other.clock.aheadMs, true, endMs()]
    expect(await takeover.run(claimTurns.text, values)).toMatchObject([{ id: mine.id, attempts: 2 }])
    return { mine, takeover }
  }

  test('does not hold again before an email that is being taken over now is known to be lost', async () => {
    const { mine, takeover } = await takenOver()
    const confirmed = confirmClaim(world, mine)
    await takeover.waitedFor()
    expect([leaseOf(world).holds(), mine.lost]).toEqual([false, false])
    await takeover.commit()
    expect([await confirmed, mine.lost, leaseOf(world).holds()]).toEqual([false, true, true])
  })

  test('and was forgotten meanwhile: its process asks what others have taken until it is answered, and sends nothing before', async () => {
    const id = leaseOf(world).worker
    const { mine, takeover } = await takenOver(async () => void (await world.db.prisma.deliveryWorker.delete({ where: { id } })))
    const confirmed = confirmClaim(world, mine)
    // The renewal that `confirmed` waits for.
    await expect(renewClaims(world)).rejects.toThrow('lock timeout')
    expect([leaseOf(world).holds(), mine.lost]).toEqual([false, false])
    await takeover.commit()
    expect([await confirmed, mine.lost, leaseOf(world).holds()]).toEqual([false, true, true])
  })

  test('but is being renewed is not taken for that of a worker that has stopped', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    await pass()
    await claimed(world, projectId)
    await stop()
    const renewal = await holder(world)
    await renewal.run('select from delivery_workers where id = $1 for update', [leaseOf(world).worker])
    expect([leaseOf(other).mayTakeOver(), await claim(other, projectId)]).toEqual([true, []])
    await renewal.commit()
    expect(await claim(other, projectId)).toMatchObject([{ id, attempts: 2 }])
  })
})

test('a process that could not renew its lease takes nothing over until the others had time to renew theirs', async () => {
  await pass()
  turn(15_000)
  const row = await holder(other)
  await row.run('select from delivery_workers where id = $1 for update', [leaseOf(other).worker])
  const renewal = expect(renewClaims(other)).rejects.toThrow('terminating connection')
  await row.terminate(await row.waitedFor())
  await renewal
  await row.commit()
  await renewClaims(other)
  expect([leaseOf(other).holds(), leaseOf(other).mayTakeOver()]).toEqual([true, false])
  await pass()
  expect(leaseOf(other).mayTakeOver()).toBe(true)
})

test('the lease of a process that is closing is kept until its last delivery has ended, and given up then', async () => {
  const pair = await twoWorkers()
  const { world: closing, other: observer } = pair
  startDelivery(closing)
  const { ctx, projectId } = await sendingProject(observer)
  const { id } = await accept(ctx)
  const answer = Promise.withResolvers<Handover>()
  pair.server.answer = () => answer.promise
  await deliverEmails(closing, { turns: [[projectId, 'transactional']] })
  await until(async () => pair.sent.includes(id))
  const closed = closing.close()
  closing.close = () => closed
  const where = { id: leaseOf(closing).worker }
  const endOfLease = async () => (await observer.db.prisma.deliveryWorker.findUnique({ where }))?.until ?? new Date(0)
  // More than two leases of 30 s.
  for (let turned = 0; turned < 66_000; turned += 11_000) {
    const before = await endOfLease()
    pair.turn(11_000)
    await until(async () => (await endOfLease()) > before)
    expect(await claim(observer, projectId)).toEqual([])
  }
  expect(leaseOf(observer).mayTakeOver()).toBe(true)
  answer.resolve(await accepts())
  await closed
  expect(pair.sent).toEqual([id])
  expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT', attempts: 1 })
  expect(await observer.db.prisma.deliveryWorker.findUnique({ where })).toBeNull()
})
