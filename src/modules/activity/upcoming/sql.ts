import { statement } from '../../../kit/postgres/db.ts'

/** A campaign that is going to be sent. */
export interface ScheduledCampaign {
  id: string
  at: Date
  name: string
  subject: string
  audienceType: string
  segmentName: string | null
}

/** The campaigns that are due first, up to a time ($2), at most $3; also those that are late. */
export const selectScheduled = statement<ScheduledCampaign>(
  'activity_select_scheduled',
  `select k.id, k.scheduled_for as at, k.name, k.subject, k.audience_type::text as "audienceType",
     (select s.name from segments s where s.project_id = k.project_id and s.id = k.segment_id) as "segmentName"
   from campaigns k where k.project_id = $1 and k.status = 'SCHEDULED' and k.deleted_at is null and k.scheduled_for <= $2
   order by k.scheduled_for, k.id limit $3`,
)

/** An execution that is going to go on. */
export interface WaitingExecution {
  id: string
  at: Date
  contactId: string
  contactEmail: string
  status: string
  waitsFor: string | null
  workflowId: string
  workflowName: string | null
  stepId: string | null
  stepName: string | null
  stepType: string | null
  /** The type of the step that it goes on to when the time has passed; null where it ends. */
  nextType: string | null
}

// More than a page, so that one is full although many of the contacts are being deleted.
const maxRead = 1_000

// A step of the version v.
const step = (id: string) => `select s.value as step from jsonb_array_elements(v.graph -> 'steps') s where s.value ->> 'id' = ${id} limit 1`

/**
 * The executions that are due first, after a time ($2) and up to another ($3), at most $4: those that wait, not those that a worker has
 * claimed, nor those of contacts that are being deleted. A wait for an event goes on by the exit $5 when its time has passed.
 */
export const selectWaiting = statement<WaitingExecution>(
  'activity_select_waiting',
  `select x.id, x.wake_at as at, x.contact_id as "contactId", x.email as "contactEmail", x.status::text as status, x.waits_for as "waitsFor",
     x.workflow_id as "workflowId", w.name as "workflowName", x.current_step_id as "stepId", here.step ->> 'name' as "stepName",
     here.step ->> 'type' as "stepType", next.step ->> 'type' as "nextType"
   from (
     select x.*, c.email from (
       select * from workflow_executions x where x.project_id = $1 and x.wake_at > $2 and x.wake_at <= $3 and x.claim is null
       order by x.wake_at limit ${maxRead}) x
     cross join lateral (select * from contacts o where o.project_id = x.project_id and o.id = x.contact_id limit 1) c
     where c.deleted_at is null
     order by x.wake_at, x.id limit $4) x
   left join workflows w on w.project_id = $1 and w.id = x.workflow_id
   left join workflow_versions v on v.project_id = $1 and v.workflow_id = x.workflow_id and v.version = x.version
   left join lateral (${step('x.current_step_id')}) here on true
   left join lateral (
     select e.value ->> 'stepId' as id from jsonb_array_elements(here.step -> 'next') e
     where e.value ->> 'exit' = case when x.waits_for is null then '' else $5 end limit 1) leads on true
   left join lateral (${step('leads.id')}) next on true
   order by x.wake_at, x.id`,
)
