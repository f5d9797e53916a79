import type { Failure } from '../../kit/errors.ts'
import type { Executor, Transaction } from '../../kit/postgres/db.ts'
import type { World } from '../../kit/world.ts'
import { billingTopic, whileGivingBack } from './caps.ts'
import { type Charge, recordCharge } from './charge.ts'
import { periodOf } from './period.ts'
import { deferCharge, findDeferral, findDeferrals, holdAccount, returnDeferral, settleDeferrals } from './sql.ts'

/** A charge by its id, which the caller chooses. */
export interface ChargeKey {
  projectId: string
  id: string
}

/**
 * Counts a charge that can still be given back in a transaction, like `recordCharge`: caps and consumption count it at once, and the payment
 * provider is told once it is settled, because a report cannot be taken back. What a project is charged within the free allowance is not
 * deferred, as it is never reported.
 */
export async function recordDeferredCharge(tx: Transaction, world: World, { id, ...charge }: Charge & ChargeKey): Promise<Failure | null> {
  const { projectId, count, at } = charge
  // So that the subscription is the same for the charge and its deferral, and its end sees both.
  await tx.run(holdAccount, [projectId])
  const refusal = await recordCharge(tx, world, charge)
  if (refusal) return refusal
  await tx.run(deferCharge, [projectId, id, periodOf(at).start, count])
  return null
}

/**
 * Gives a charge back, in the month it was counted in, which may be over: there is as much room again under its caps. What is reported
 * stays as it is: the charge was deferred, or free before a subscription began that its month is closed for.
 */
export async function returnCharge(tx: Transaction, world: World, { id, ...charge }: Charge & ChargeKey): Promise<void> {
  const { projectId, count, at, allowance } = charge
  const month = periodOf(at).start
  const [account] = await tx.run(holdAccount, [projectId])
  await whileGivingBack(tx, { projectId, month, account, allowance }, async () => {
    await recordCharge(tx, world, { ...charge, count: -count })
    await tx.run(returnDeferral, [projectId, id, month, count])
  })
  // Processes remember that there was no room.
  tx.afterCommit(() => world.notices.publish(billingTopic, projectId))
}

/** Settles a charge that cannot be given back any more: it is reported in the present month. One that is not deferred stays as it is. */
export async function settleCharge(tx: Transaction, { clock }: Pick<World, 'clock'>, { projectId, id }: ChargeKey): Promise<void> {
  await tx.run(settleDeferrals, [projectId, id, periodOf(clock.now()).start])
}

/** Whether a charge is deferred. */
export async function isDeferred(on: Executor, { projectId, id }: ChargeKey): Promise<boolean> {
  return (await on.run(findDeferral, [projectId, id])).length > 0
}

/** The ids of the charges of a project that are deferred. */
export async function listDeferred(on: Executor, projectId: string): Promise<string[]> {
  return (await on.run(findDeferrals, [projectId])).map(({ id }) => id)
}
