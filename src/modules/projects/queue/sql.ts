import { statement } from '../../../kit/postgres/db.ts'

/** Whether any email of a project ($1) is queued. */
export const hasQueue = statement<{ queued: boolean }>(
  'projects_has_queue',
  'select exists (select from deliveries d where d.project_id = $1) as queued',
)
