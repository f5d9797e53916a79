import { statement } from '../../../kit/postgres/db.ts'
import { usageCharge } from '../../billing/sql.ts'
import { contactWrites, contactWritesParameters } from '../../contacts/sql.ts'
import { emailTally } from '../sql.ts'

const at = (n: number): string => `$${contactWritesParameters + n}`

/**
 * The projects that receive email for some domains ($1), each with the domain and its last reset, if any; at most $2. Suspended ones
 * receive none.
 */
export const findInboundProjects = statement<{ projectId: string; domain: string; reset: string | null }>(
  'emails_find_inbound_projects',
  `select d.project_id as "projectId", d.domain,
     (select r.id from resets r where r.project_id = d.project_id order by r.started_at desc limit 1) as reset
   from domains d join projects p on p.id = d.project_id
   where d.domain = any($1::text[]) and d.status = 'VERIFIED' and not p.disabled and p.erasing_at is null
   order by d.project_id, d.domain limit $2`,
  { allProjects: 'the projects are determined by the domain' },
)

/**
 * Whether an email of a project exists ($1 project, $2 id), and whether the project receives email for a domain ($3) that came in at a time
 * ($4): not what came before its last reset.
 */
export const findInbound = statement<{ isStored: boolean; isReceiving: boolean }>(
  'emails_find_inbound',
  `select exists (select from emails e where e.project_id = $1 and e.id = $2) as "isStored",
     exists (select from domains d join projects p on p.id = d.project_id
       where d.project_id = $1 and d.domain = $3 and d.status = 'VERIFIED' and not p.disabled and p.erasing_at is null
         and not exists (select from resets r where r.project_id = $1 and r.started_at > $4)) as "isReceiving"`,
)

/**
 * Stores an email that came in: its sender as a contact (see contactWrites), the email (1 id, 2 address it came to, 3 subject, 4 now
 * after those of contactWrites), its line of the log (5 id, 6 data), and one unit of usage (7, see usageCharge). Hand-written because
 * all of it must be one durable round trip. It writes a table of another module, an exception that test/owners.test.ts lists.
 */
export const storeInbound = statement<{ id: string }>(
  'emails_store_inbound',
  `with ${contactWrites},
   mail as (
     insert into emails (project_id, id, contact_id, source, status, to_address, subject, created_at, updated_at)
     select r.project_id, ${at(1)}, r.id, 'INBOUND', 'RECEIVED', ${at(2)}, ${at(3)}, ${at(4)}, ${at(4)} from result r
     returning project_id, id, contact_id),
   tally as (${emailTally('select project_id, count(*)::int as change from mail group by project_id')}),
   recorded as (
     insert into events (project_id, id, name, contact_id, email_id, data, created_at)
     select m.project_id, ${at(5)}, 'email.received', m.contact_id, m.id, ${at(6)}::jsonb, ${at(4)} from mail m),
   ${usageCharge(at(7))}
   select id from mail`,
)
