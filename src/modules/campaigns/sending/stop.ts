import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../../kit/context.ts'
import { Failure, notFound } from '../../../kit/errors.ts'
import type { Executor, Transaction } from '../../../kit/postgres/db.ts'
import { countInQueue, putRecipientsAside } from '../../emails/ledger/ledger.ts'
import { freshMs } from '../../emails/queue/claim.ts'
import { getCampaign } from '../campaigns.ts'
import { settleCancelled } from '../run/cancel.ts'
import { logCampaign } from '../run/finish.ts'
import { applyStep, type CampaignStep } from '../run/sql.ts'
import { wakeRunner } from '../run/wake.ts'
import type { EditedCampaign } from '../shapes.ts'
import { type LockedCampaign, lockCampaign } from '../sql.ts'

// What is being handed to a mail server ends within seconds, or the server hangs.
const maxWaitMs = 10_000
const pollMs = 20

/**
 * Cancels a campaign: nothing of it leaves after the answer. One that is scheduled, or of which nothing has left yet, becomes a draft
 * again; otherwise it is CANCELLED for good, and what has not left is cancelled. Fails with RESOURCE_NOT_FOUND, and with CONFLICT in
 * another state.
 */
export async function cancelCampaign(ctx: Ctx, { id }: { id: string }): Promise<EditedCampaign> {
  const { clock, projectId } = ctx
  const before = await change(ctx, id, async (locked, tx) => {
    if (locked.status === 'SCHEDULED') {
      await logCampaign(tx, ctx, { projectId, id, name: locked.name }, { name: 'campaign.cancelled' })
      return { status: 'DRAFT', scheduledFor: null, wakeAt: locked.stage === null ? null : clock.now() }
    }
    if (locked.status !== 'SENDING') throw wrongState(locked, 'cancelled', 'Only a campaign that is SCHEDULED or SENDING can be.')
    // The worker goes on after a while if this process stops.
    return { status: 'CANCELLED', statusReason: null, paused: false, wakeAt: new Date(clock.now().getTime() + 2 * maxWaitMs) }
  })
  if (before.status === 'SENDING') {
    await untilNoneIsSent(ctx, id)
    await ctx.db.transaction((tx) => settleCancelled(tx, ctx.world, { projectId: ctx.projectId, id }))
  }
  wakeRunner(ctx)
  return getCampaign(ctx, { id })
}

/**
 * Pauses a campaign that is SENDING: nothing of it leaves after the answer, until it is resumed. Fails with RESOURCE_NOT_FOUND, and
 * with CONFLICT when it is not SENDING; pausing it again changes nothing.
 */
export async function pauseCampaign(ctx: Ctx, { id }: { id: string }): Promise<EditedCampaign> {
  await change(ctx, id, async (locked, tx) => {
    if (locked.status !== 'SENDING') throw wrongState(locked, 'paused', 'Only a campaign that is SENDING can be.')
    await putRecipientsAside(tx, ctx, { projectId: ctx.projectId, campaignId: id })
    return { paused: true, held: true, wakeAt: ctx.clock.now() }
  })
  await untilNoneIsSent(ctx, id)
  wakeRunner(ctx)
  return getCampaign(ctx, { id })
}

/** Resumes a campaign that was paused. Fails with RESOURCE_NOT_FOUND, and with CONFLICT when it is not paused. */
export async function resumeCampaign(ctx: Ctx, { id }: { id: string }): Promise<EditedCampaign> {
  await change(ctx, id, (locked) => {
    if (locked.status !== 'SENDING' || !locked.paused) throw wrongState(locked, 'resumed', 'Only a campaign that is paused can be.')
    return { paused: false, wakeAt: ctx.clock.now() }
  })
  wakeRunner(ctx)
  return getCampaign(ctx, { id })
}

async function change(
  { db, clock, projectId }: Ctx,
  id: string,
  next: (locked: LockedCampaign, tx: Transaction) => CampaignStep | Promise<CampaignStep>,
): Promise<LockedCampaign> {
  return db.transaction(async (tx) => {
    const locked = await lockCampaign(tx, { projectId, id })
    if (!locked) throw notFound()
    await tx.run(applyStep, [projectId, id, clock.now(), JSON.stringify(await next(locked, tx))])
    return locked
  })
}

/** Waits until no worker has an email of a campaign that was put aside, at most 10 s: what is being handed over ends meanwhile. */
export async function untilNoneIsSent(
  { db, clock, projectId }: Pick<Ctx, 'clock' | 'projectId'> & { db: Executor },
  campaignId: string,
): Promise<void> {
  // Monotonic, and turned by tests.
  const now = (): number => performance.now() + clock.aheadMs
  const until = now() + maxWaitMs
  // A claim that began before may not be visible yet, and its emails leave on what it has read for a moment.
  await sleep(freshMs * 2)
  while ((await countInQueue(db, { projectId, campaignId })).claimed > 0 && now() < until) await sleep(pollMs)
}

function wrongState({ status, paused }: LockedCampaign, done: string, suggestion: string): Failure {
  return new Failure('CONFLICT', `A campaign that is ${paused ? 'paused' : status} cannot be ${done}.`, { suggestion })
}
