import type { Ctx } from '../../../kit/context.ts'
import { cancelJob, createJob, getJob } from '../../jobs/job.ts'
import { type JobQueued, type JobRow, resultOf } from '../../jobs/shapes.ts'
import { freezeAudience, newestContact, requireSegments } from '../audience/audience.ts'
import { type BulkInput, type BulkOperation, BulkResult, type BulkSelection } from './shapes.ts'

/**
 * Subscribes contacts, in the background; changes are logged with the source `bulk`. The contacts are given by their ids, or
 * by a filter: then those that exist now and match when they are reached, by the conditions that segments have now. Fails with SEGMENT_NOT_FOUND, with VALIDATION_ERROR for
 * a condition that names segments that do not exist, and with LIMIT_REACHED while 20 jobs of the project wait or run. The job
 * fails when a segment of the filter, or one that it refers to, or a field or an event that these asked, is deleted before it ends: what was
 * done before stays.
 */
export async function bulkSubscribeContacts(ctx: Ctx, selection: BulkSelection): Promise<JobQueued> {
  return queue(ctx, 'subscribe', selection)
}

/** Unsubscribes contacts as bulkSubscribeContacts subscribes them. */
export async function bulkUnsubscribeContacts(ctx: Ctx, selection: BulkSelection): Promise<JobQueued> {
  return queue(ctx, 'unsubscribe', selection)
}

/** Deletes contacts with their emails and events, selected as by bulkSubscribeContacts. */
export async function bulkDeleteContacts(ctx: Ctx, selection: BulkSelection): Promise<JobQueued> {
  return queue(ctx, 'delete', selection)
}

/** The job of a bulk operation. Fails with RESOURCE_NOT_FOUND, also for a job of another kind. */
export async function getBulkJob(ctx: Ctx, { jobId }: { jobId: string }) {
  return bulkOf(await getJob(ctx, { id: jobId, kind: 'bulk' }))
}

/** Cancels a bulk operation: what was done stays. Fails with RESOURCE_NOT_FOUND, and with CONFLICT when it has ended. */
export async function cancelBulkJob(ctx: Ctx, { jobId }: { jobId: string }) {
  return bulkOf(await cancelJob(ctx, { id: jobId, kind: 'bulk' }))
}

async function queue(ctx: Ctx, operation: BulkOperation, selection: BulkSelection): Promise<JobQueued> {
  const input: BulkInput = { operation, select: await selectOf(ctx, selection) }
  const jobId = await createJob(ctx, { kind: 'bulk', input })
  return { message: `Bulk ${operation} queued successfully`, jobId }
}

async function selectOf(ctx: Ctx, { filter, excludeIds = [], ...named }: BulkSelection): Promise<BulkInput['select']> {
  if (filter) await requireSegments(ctx, filter)
  if (filter) return { by: 'filter', filter, ...(await freezeAudience(ctx, filter)), excludeIds, upTo: await newestContact(ctx) }
  const ids = named.contactIds ?? ('ids' in named ? named.ids : undefined) ?? []
  const excluded = new Set(excludeIds)
  return { by: 'ids', ids: [...new Set(ids)].filter((id) => !excluded.has(id)) }
}

function bulkOf(row: JobRow) {
  const { kind: _, ...job } = row
  return { ...job, result: resultOf(row, 'bulk', BulkResult) }
}
