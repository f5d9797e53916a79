import { batch } from '../../kit/batch.ts'
import type { Ctx } from '../../kit/context.ts'
import { lowestId } from '../../kit/ids.ts'
import { statement } from '../../kit/postgres/db.ts'
import { perWorld } from '../../kit/world.ts'
import type { EventRow } from './sql.ts'
import { notErased } from './sql.ts'

/** A line of the log about a mail. */
export type EmailEvent = EventRow & { projectId: string; epoch: number }

interface Asked {
  projectId: string
  contactId: string
  emailId: string
  from: string
}

/** Lines shown of one mail, at most. */
export const mostOfEmail = 100
const mostAtOnce = 500
// The log of a mail begins when it is accepted; processes may differ a little about when that was.
const slackMs = 60_000

// There is no index by mail: its contact's lines from its acceptance on are few.
const linesOfEmails = statement<EmailEvent & { ord: number }>(
  'events_of_emails',
  `select q.ord::int as ord, e.* from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality q(project_id, contact_id, email_id, from_id, ord)
   cross join lateral (
     select e.project_id as "projectId", e.id, e.epoch, e.name, e.contact_id as "contactId", e.email_id as "emailId", e.data, e.created_at as "createdAt"
     from events e where e.project_id = q.project_id and e.contact_id = q.contact_id and e.email_id = q.email_id and e.id >= q.from_id and ${notErased}
     order by e.id limit ${mostOfEmail}) e order by q.ord, e.id`,
)

const lane = perWorld(({ db }) =>
  batch(async (asked: Asked[]) => {
    const column = (field: keyof Asked) => asked.map((one) => one[field])
    const rows = await db.run(linesOfEmails, [column('projectId'), column('contactId'), column('emailId'), column('from')])
    const lines: EmailEvent[][] = asked.map(() => [])
    for (const { ord, ...line } of rows) lines[ord - 1]?.push(line)
    return lines
  }, mostAtOnce),
)

/** What happened to a mail, oldest first, at most 100 lines; many asked at once are read in one statement. */
export async function listEventsOfEmail(
  { world, projectId }: Pick<Ctx, 'world' | 'projectId'>,
  { id, contactId, createdAt }: { id: string; contactId: string; createdAt: Date },
): Promise<EmailEvent[]> {
  return lane(world)({ projectId, contactId, emailId: id, from: lowestId('event', new Date(createdAt.getTime() - slackMs)) })
}
