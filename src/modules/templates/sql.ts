import { statement } from '../../kit/postgres/db.ts'
import { eraser } from '../../kit/postgres/erase.ts'

// Each may be megabytes long.
const templatesAtOnce = 500

/** Removes one batch of a project's templates; answers how many, 0 when none is left. */
export const eraseSomeTemplates = eraser('templates', 'id', templatesAtOnce)

/** How many mails made from each of some templates ($1 projects, $2 ids, in pairs) have left, in order. */
export const sentOfTemplates = statement<{ count: number }>(
  'templates_sent',
  `select (select count(*)::int from email_contents c join emails e on e.project_id = c.project_id and e.content_id = c.id
     where c.project_id = q.project_id and c.template_id = q.id and e.sent_at is not null) as count
   from unnest($1::text[], $2::text[]) with ordinality q(project_id, id, ord) order by q.ord`,
)
