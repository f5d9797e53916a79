import { statement } from '../../../kit/postgres/db.ts'
import { changedAt } from '../../../kit/unchanged.ts'
import type { SegmentConditions } from '../../filters/membership.ts'
import type { Condition } from '../../filters/shapes.ts'
import { turnsOwnerOf } from '../../projects/owner.ts'
import type { EmailType } from '../../templates/shapes.ts'
import type { CampaignAudience } from '../audience/shapes.ts'
import type { CampaignStatus } from '../shapes.ts'
import type { Stage } from '../sql.ts'

/** A campaign that a worker looks at, locked until the transaction ends. */
export interface DueCampaign {
  projectId: string
  id: string
  name: string
  status: CampaignStatus
  stage: Stage | null
  paused: boolean
  held: boolean
  deleted: boolean
  /** Whether its project is suspended. */
  disabled: boolean
  /** Whether the project may send from the domain of its sender. */
  verified: boolean
  erasing: boolean
  type: EmailType
  from: string
  audienceType: CampaignAudience
  segmentId: string | null
  audienceFilter: Condition | null
  sourceId: string | null
  sourceOutcome: string | null
  contentId: string | null
  /** When it was said who it is sent to. */
  audienceAt: Date
  startedAt: Date | null
  doneUpTo: string
  lastContact: string
  queuedUpTo: string
  totalRecipients: number
  maxPerHour: number | null
  paceTokens: number
  paceAt: Date | null
  paceWaiting: number
  scheduledFor: Date | null
  /** How often its step was tried without success. */
  tries: number
}

const columns = `k.project_id as "projectId", k.id, k.name, k.status::text as status, k.stage::text as stage, k.paused, k.held,
  k.deleted_at is not null as deleted, p.disabled, p.erasing_at is not null as erasing, k.type::text as type, k."from",
  k.audience_type::text as "audienceType", k.segment_id as "segmentId", k.audience_filter as "audienceFilter", k.source_id as "sourceId",
  k.source_outcome as "sourceOutcome", k.content_id as "contentId", coalesce(k.audience_at, k.created_at) as "audienceAt", k.started_at as "startedAt", k.done_up_to as "doneUpTo", k.last_contact as "lastContact",
  k.queued_up_to as "queuedUpTo", k.total_recipients as "totalRecipients", k.max_per_hour as "maxPerHour", k.pace_tokens as "paceTokens",
  k.pace_at as "paceAt", k.pace_waiting as "paceWaiting", k.scheduled_for as "scheduledFor", k.tries,
  exists (select from domains d where d.project_id = k.project_id and d.domain = split_part(k."from", '@', 2) and d.status = 'VERIFIED') as verified`

const everyProject = { allProjects: 'one loop per worker looks at the campaigns of all projects' }

// Those whose audience is to be read are left out where there is no room for them.
const fits = (hasRoom: string): string => `(o.stage is distinct from 'SNAPSHOT' or o.status <> 'SENDING' or ${hasRoom}::bool)`

/** A project that has campaigns which are due, and the account that owns it: the oldest owner, or the project itself where it has none. */
export interface DueProject {
  projectId: string
  account: string
}

/** Which projects have campaigns that are due at $1, also those whose audience is to be read ($2); found by one index lookup each. */
export const findDue = statement<DueProject>(
  'campaigns_find_due',
  `with recursive due as (
     (select o.project_id from campaigns o where o.wake_at <= $1 and ${fits('$2')} order by o.project_id limit 1)
     union all
     select n.project_id from due d cross join lateral (
       select o.project_id from campaigns o where o.project_id > d.project_id and o.wake_at <= $1 and ${fits('$2')}
       order by o.project_id limit 1) n
   )
   select d.project_id as "projectId", ${turnsOwnerOf('d.project_id')} as account
   from due d`,
  everyProject,
)

/**
 * Takes the campaign of a project ($1) that has been due longest at $2 until $3: no other worker does its step meanwhile, unless
 * somebody changes its state, and another takes it over when this one stops. One whose audience is to be read is taken only where
 * there is room for it ($4).
 */
export const takeDue = statement<DueCampaign>(
  'campaigns_take_due',
  `with due as (
     select o.project_id, o.id from campaigns o where o.project_id = $1 and o.wake_at <= $2 and ${fits('$4')}
     order by o.wake_at limit 1 for update skip locked)
   update campaigns k set wake_at = $3 from due d join projects p on p.id = d.project_id
   where k.project_id = d.project_id and k.id = d.id returning ${columns}`,
)

/** Makes campaigns due at $1 that would be due only after $2: later than any step waits, so that the clock was set back meanwhile. */
export const wakeAhead = statement<{ id: string }>(
  'campaigns_wake_ahead',
  `update campaigns k set wake_at = $1 where k.wake_at > $2 and k.stage is not null returning k.id`,
  everyProject,
)

/** The state of a campaign ($2) that was taken, locked until the transaction ends. */
export const lockTaken = statement<
  Pick<
    DueCampaign,
    'status' | 'stage' | 'paused' | 'deleted' | 'contentId' | 'startedAt' | 'doneUpTo' | 'queuedUpTo' | 'maxPerHour' | 'scheduledFor'
  >
>(
  'campaigns_lock_taken',
  `select k.status::text as status, k.stage::text as stage, k.paused, k.deleted_at is not null as deleted, k.content_id as "contentId",
     k.started_at as "startedAt", k.done_up_to as "doneUpTo", k.queued_up_to as "queuedUpTo", k.max_per_hour as "maxPerHour",
     k.scheduled_for as "scheduledFor"
   from campaigns k where k.project_id = $1 and k.id = $2 for update`,
)

/** What changes of a campaign after a step; what is left out stays. */
export interface CampaignStep {
  status?: CampaignStatus
  statusReason?: string | null
  stage?: Stage | null
  wakeAt?: Date | null
  contentId?: string | null
  segments?: SegmentConditions | null
  doneUpTo?: string
  lastContact?: string
  queuedUpTo?: string
  held?: boolean
  paused?: boolean
  totalRecipients?: number
  paceTokens?: number
  paceAt?: Date | null
  paceWaiting?: number
  scheduledFor?: Date | null
  startedAt?: Date | null
  sentAt?: Date | null
  finishedAt?: Date | null
  chargedAt?: Date | null
  tries?: number
}

const steps: Record<keyof CampaignStep, [column: string, type: string]> = {
  status: ['status', 'campaign_status'],
  statusReason: ['status_reason', 'text'],
  stage: ['stage', 'campaign_stage'],
  wakeAt: ['wake_at', 'timestamptz'],
  contentId: ['content_id', 'text'],
  segments: ['segments', 'json'],
  doneUpTo: ['done_up_to', 'text'],
  lastContact: ['last_contact', 'text'],
  queuedUpTo: ['queued_up_to', 'text'],
  held: ['held', 'bool'],
  paused: ['paused', 'bool'],
  totalRecipients: ['total_recipients', 'int'],
  paceTokens: ['pace_tokens', 'float8'],
  paceAt: ['pace_at', 'timestamptz'],
  paceWaiting: ['pace_waiting', 'int'],
  scheduledFor: ['scheduled_for', 'timestamptz'],
  startedAt: ['started_at', 'timestamptz'],
  sentAt: ['sent_at', 'timestamptz'],
  finishedAt: ['finished_at', 'timestamptz'],
  chargedAt: ['charged_at', 'timestamptz'],
  tries: ['tries', 'int'],
}

// What readers see of it. Steps move the other columns again and again, which is no change that `ifUpdatedAt` is about.
const shown: (keyof CampaignStep)[] = ['status', 'statusReason', 'paused', 'totalRecipients', 'scheduledFor', 'sentAt', 'finishedAt']

const columnOf = (name: keyof CampaignStep): string => steps[name][0]

function nextOf(name: keyof CampaignStep): string {
  const [column, type] = steps[name]
  return `case when $4::jsonb ? '${name}' then ($4::jsonb ->> '${name}')::${type} else ${column} end`
}

const change = (Object.keys(steps) as (keyof CampaignStep)[]).map((name) => `${columnOf(name)} = ${nextOf(name)}`).join(', ')
const isSeen = `(${shown.map(nextOf).join(', ')}) is distinct from (${shown.map(columnOf).join(', ')})`

/** Changes a campaign ($2) that the transaction has locked: $4 is a CampaignStep as JSON, $3 now. */
export const applyStep = statement<object>(
  'campaigns_apply_step',
  `update campaigns set ${change}, updated_at = case when ${isSeen} then ${changedAt('$3', 'campaigns')} else updated_at end
   where project_id = $1 and id = $2`,
)

/** The conditions that the segments of a campaign ($2) had when it started; null when they are not stored. */
export const selectSegments = statement<{ segments: SegmentConditions | null }>(
  'campaigns_select_segments',
  'select k.segments from campaigns k where k.project_id = $1 and k.id = $2',
)

/** The newest contact of a project; later ones are not sent the campaign. */
export const selectNewestContact = statement<{ id: string | null }>(
  'campaigns_select_newest_contact',
  'select max(c.id) as id from contacts c where c.project_id = $1',
)

const links = 'links as (delete from campaign_links where project_id = $1 and campaign_id = $2)'

/** Removes the counts of a campaign ($2) that was not sent. */
export const removeCounts = statement<object>(
  'campaigns_remove_counts',
  `with ${links} delete from campaign_counts where project_id = $1 and campaign_id = $2`,
)

/** Removes a campaign ($2) with its counts. */
export const removeCampaign = statement<object>(
  'campaigns_remove_campaign',
  `with ${links}, counts as (delete from campaign_counts where project_id = $1 and campaign_id = $2)
   delete from campaigns where project_id = $1 and id = $2`,
)
