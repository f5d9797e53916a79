import { statement } from '../../kit/postgres/db.ts'

/** How many mails contacts have ($1 projects, $2 contacts). Hand-written: Prisma counts one contact at a time. */
export const countOfContacts = statement<{ count: number }>(
  'emails_count_of_contacts',
  `select (select count(*)::int from emails e where e.project_id = q.project_id and e.contact_id = q.contact_id) as count
   from unnest($1::text[], $2::text[]) with ordinality q(project_id, contact_id, ord) order by q.ord`,
)
