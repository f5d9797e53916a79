import type { Ctx } from '../../../kit/context.ts'
import { newId } from '../../../kit/ids.ts'
import type { Executor, Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { pausedMs } from '../queue/waits.ts'
import { deliverQueue } from '../shapes.ts'
import {
  cancelNext,
  countQueued,
  findLeft,
  hasLeft,
  hasNext,
  hasSent,
  insertContent,
  insertRecipients,
  putAside,
  type QueuedCounts,
  queueNext,
  removeRecipients,
  takeBack,
  takeOut,
  unqueue,
} from './sql.ts'

/** A campaign, whose recipients are one email each: the ledger. */
export interface CampaignKey {
  projectId: string
  campaignId: string
}

type Work = Pick<Ctx, 'clock' | 'jobs'>

/** Stores the content of a campaign as it is now, for all of its emails; returns its id. */
export async function freezeContent(
  tx: Transaction,
  { clock }: Pick<World, 'clock'>,
  { projectId, campaignId }: CampaignKey,
): Promise<string> {
  const now = clock.now()
  const id = newId('content', now)
  await tx.run(insertContent, [projectId, id, campaignId, now])
  return id
}

/** Adds contacts to the ledger of a campaign, each once however often it is called; returns how many were added. */
export async function addRecipients(
  tx: Transaction,
  { clock }: Pick<World, 'clock'>,
  { projectId, campaignId, contentId, contactIds }: CampaignKey & { contentId: string; contactIds: string[] },
): Promise<number> {
  const now = clock.now()
  const ids = contactIds.map(() => newId('email', now))
  const [added] = await tx.run(insertRecipients, [projectId, campaignId, contactIds, ids, contentId, now])
  return added?.count ?? 0
}

/**
 * Hands the next recipients of a campaign, at most `limit`, to the delivery queue, in the order of their contacts. Returns the last
 * contact that was looked at; null at the end of the ledger.
 */
export async function queueRecipients(
  tx: Transaction,
  { jobs }: Pick<World, 'jobs'>,
  { projectId, campaignId, after, limit }: CampaignKey & { after: string; limit: number },
): Promise<{ count: number; last: string | null }> {
  const [queued] = await tx.run(queueNext, [projectId, campaignId, after, limit])
  if (queued && queued.count > 0) tx.afterCommit(() => jobs.wake(deliverQueue))
  return queued ?? { count: 0, last: null }
}

/** How many emails of a campaign the delivery queue has, and how many of them are being sent. */
export async function countInQueue(on: Executor, { projectId, campaignId }: CampaignKey): Promise<QueuedCounts> {
  return (await on.run(countQueued, [projectId, campaignId]))[0] ?? { queued: 0, deferred: 0, claimed: 0 }
}

/** Puts the emails of a campaign aside that are queued; those that are being sent see by themselves that it is paused. */
export async function putRecipientsAside(
  tx: Transaction,
  { clock }: Pick<World, 'clock'>,
  { projectId, campaignId }: CampaignKey,
): Promise<void> {
  await tx.run(putAside, [projectId, campaignId, pausedMs, clock.aheadMs])
}

/** Queues the emails of a campaign again that were put aside. */
export async function takeRecipientsBack(
  tx: Transaction,
  { jobs }: Pick<Work, 'jobs'>,
  { projectId, campaignId }: CampaignKey,
): Promise<void> {
  await tx.run(takeBack, [projectId, campaignId])
  tx.afterCommit(() => jobs.wake(deliverQueue))
}

/** Whether the ledger of a campaign goes on after a contact. */
export async function hasMoreRecipients(on: Executor, { projectId, campaignId, after }: CampaignKey & { after: string }): Promise<boolean> {
  return (await on.run(hasNext, [projectId, campaignId, after]))[0]?.more ?? false
}

/**
 * Takes the emails of a campaign out of the queue that were not attempted yet. Returns the contact after which the ledger goes on; null
 * when there were none.
 */
export async function unqueueRecipients(tx: Transaction, { projectId, campaignId }: CampaignKey): Promise<string | null> {
  return (await tx.run(unqueue, [projectId, campaignId]))[0]?.upTo ?? null
}

/** Whether any email of a campaign, up to a contact, has left or may have. */
export async function hasAnyLeft(on: Executor, { projectId, campaignId, upTo }: CampaignKey & { upTo: string }): Promise<boolean> {
  return (await on.run(hasLeft, [projectId, campaignId, upTo]))[0]?.left ?? false
}

/** Whether any email of a campaign, up to a contact, has left for certain, which it stays. */
export async function hasAnySent(on: Executor, { projectId, campaignId, upTo }: CampaignKey & { upTo: string }): Promise<boolean> {
  return (await on.run(hasSent, [projectId, campaignId, upTo]))[0]?.sent ?? false
}

/** Which of some campaigns have emails that have left, or may have; `sent`: for certain, which it stays. */
export async function findCampaignsLeft(
  on: Executor,
  { projectId, campaignIds }: { projectId: string; campaignIds: readonly string[] },
): Promise<{ id: string; sent: boolean }[]> {
  return on.run(findLeft, [projectId, campaignIds])
}

/**
 * Takes emails of some campaigns out of the queue, at most `limit`, that no worker has claimed; returns how many. When it returns 0, every
 * claim that was made on what was read before is visible. Those that may have left already stay.
 */
export async function takeRecipientsOut(
  on: Executor,
  { projectId, campaignIds, limit }: { projectId: string; campaignIds: readonly string[]; limit: number },
): Promise<number> {
  return (await on.run(takeOut, [projectId, campaignIds, limit]))[0]?.count ?? 0
}

/** Cancels the next emails of a campaign that have not ended, at most `limit`; returns the last contact that was looked at, null at the end. */
export async function cancelRecipients(
  tx: Transaction,
  { clock }: Pick<World, 'clock'>,
  { projectId, campaignId, after, limit }: CampaignKey & { after: string; limit: number },
): Promise<string | null> {
  return (await tx.run(cancelNext, [projectId, campaignId, after, limit, clock.now()]))[0]?.last ?? null
}

/** Removes up to `limit` emails from the ledger of a campaign that nothing was sent of; returns how many. */
export async function dropRecipients(tx: Transaction, { projectId, campaignId, limit }: CampaignKey & { limit: number }): Promise<number> {
  return (await tx.run(removeRecipients, [projectId, campaignId, limit]))[0]?.count ?? 0
}
