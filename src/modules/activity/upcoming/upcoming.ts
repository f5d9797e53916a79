import type { Ctx } from '../../../kit/context.ts'
import { timeoutExit } from '../../workflows/steps/wait-for-event.ts'
import type { UpcomingActivity, UpcomingSearch } from './shapes.ts'
import { type ScheduledCampaign, selectScheduled, selectWaiting, type WaitingExecution } from './sql.ts'

const dayMs = 86_400_000

/** What is going to happen in the next days, soonest first: campaigns that are scheduled, also late ones, and executions that wait for a time. */
export async function listUpcomingActivity(
  { db, clock, projectId }: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { limit, daysAhead }: UpcomingSearch,
): Promise<{ activities: UpcomingActivity[]; data: UpcomingActivity[] }> {
  const now = clock.now()
  const until = new Date(now.getTime() + daysAhead * dayMs)
  const [campaigns, executions] = await Promise.all([
    db.run(selectScheduled, [projectId, until, limit]),
    db.run(selectWaiting, [projectId, now, until, limit, timeoutExit]),
  ])
  const all = [...campaigns.map(ofCampaign), ...executions.map(ofExecution)]
  const data = all.sort((one, other) => one.timestamp.getTime() - other.timestamp.getTime()).slice(0, limit)
  return { activities: data, data }
}

function ofCampaign({ id, at, name, subject, audienceType, segmentName }: ScheduledCampaign): UpcomingActivity {
  return {
    id,
    type: 'campaign.scheduled',
    timestamp: at,
    metadata: { campaignId: id, campaignName: name, subject, audienceType, ...(segmentName !== null && { segmentName }) },
  }
}

function ofExecution({ id, at, contactId, contactEmail, nextType, waitsFor, ...rest }: WaitingExecution): UpcomingActivity {
  return {
    id,
    type: nextType === 'SEND_EMAIL' ? 'workflow.email.scheduled' : 'workflow.waiting',
    timestamp: at,
    contactId,
    contactEmail,
    metadata: { executionId: id, ...rest, ...(waitsFor !== null && { eventName: waitsFor }) },
  }
}
