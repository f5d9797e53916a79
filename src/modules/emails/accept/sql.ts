import { jobInsert } from '../../../kit/jobs.ts'
import { statement } from '../../../kit/postgres/db.ts'
import { usageCharge } from '../../billing/sql.ts'
import { bytesOfResult, contactWrites, contactWritesParameters } from '../../contacts/sql.ts'
import { storedAnswers } from '../../idempotency/sql.ts'
import { deliverQueue, lanes } from '../shapes.ts'
import { emailTally } from '../sql.ts'

const at = (n: number): string => `$${contactWritesParameters + n}`

/** An accepted email: its contact, the address it goes to, and its id. */
export interface AcceptedRow {
  contactId: string
  email: string
  emailId: string
  /** How many bytes of data the contact has. */
  bytes: number
}

// Stores contents, of a JSON list.
const contentInsert = (parameter: string, and = ''): string => `
     insert into email_contents (project_id, id, template_id, type, subject, preview_text, html, text, from_address, from_name, reply_to,
       cc, bcc, headers, data, tags, tracking, bytes, created_at)
     select c.* from json_to_recordset(${parameter}::json) as c(project_id text, id text, template_id text, type mail_type, subject text, preview_text text, html text,
       text text, from_address text, from_name text, reply_to text, cc jsonb, bcc jsonb, headers jsonb, data jsonb, tags jsonb,
       tracking bool, bytes int, at timestamptz)${and}`

// Accepts the emails of a group of calls in one statement: contacts (see contactWrites), one content with its attachments
// per call, one email per recipient with its delivery, the job, and the usage counted against the caps (see usageCharge).
// Hand-written because acceptance must be one durable round trip.
const acceptance = `${contactWrites},
   content as (${contentInsert(at(1))}),
   attachment as (
     insert into email_attachments (project_id, content_id, position, filename, content_type, cid, inline, bytes)
     select a.project_id, a.content_id, a.position, a.filename, a.content_type, a.cid, a.inline, b.bytes
     from json_to_recordset(${at(2)}::json) as a(ord int, project_id text, content_id text, position int, filename text, content_type text,
       cid text, inline bool)
     join unnest(${at(3)}::bytea[]) with ordinality as b(bytes, ord) on b.ord = a.ord),
   asked as (
     select * from json_to_recordset(${at(4)}::json)
       as a(ord int, id text, content_id text, to_name text, subject text, at timestamptz)),
   mail as (
     insert into emails (project_id, id, contact_id, content_id, to_address, to_name, subject, created_at, updated_at)
     select r.project_id, a.id, r.id, a.content_id, r.email, a.to_name, a.subject, a.at, a.at
     from asked a join item i on i.ord = a.ord join result r on r.grp = i.grp
     returning project_id, id),
   tally as (${emailTally('select project_id, count(*)::int as change from mail group by project_id')}),
   queued as (insert into deliveries (project_id, email_id, lane) select project_id, id, ${lanes.indexOf('transactional')} from mail),
   job as (${jobInsert(deliverQueue, `(select value as payload from jsonb_array_elements(${at(5)}::jsonb))`)}),
   ${usageCharge(at(6))}`

const accepted = `select r.id as "contactId", r.email, a.id as "emailId", ${bytesOfResult} from asked a join item i on i.ord = a.ord join result r on r.grp = i.grp order by a.ord`

/** Accepts the emails of a group of calls. */
export const acceptEmails = statement<AcceptedRow>('emails_accept_emails', `with ${acceptance} ${accepted}`)

// What a call is answered with again: one entry per distinct recipient, in their order. Their addresses are in the call that asks for
// it: an answer with them would still name a contact that was deleted.
const sendAnswers = `select a.content_id, jsonb_build_object('timestamp', min(a.at), 'emails',
    jsonb_agg(jsonb_build_object('contact', jsonb_build_object('id', r.id), 'email', a.id) order by a.ord))
  from asked a join item i on i.ord = a.ord join result r on r.grp = i.grp group by a.content_id`

/** The same for a group in which calls have idempotency keys (see storedAnswers). */
export const acceptEmailsOnce = statement<AcceptedRow>(
  'emails_accept_emails_once',
  `with ${acceptance}, ${storedAnswers(at(7), sendAnswers)} ${accepted}`,
)

// The content is what is stored or found as `content`, for the contact that is there.
const acceptanceOfExecution = (content: string): string => `with recipient as materialized (
     select o.id, o.email from contacts o where o.project_id = $1 and o.id = $2 and o.deleted_at is null for key share),
   content as (${content}),
   mail as (
     insert into emails (project_id, id, contact_id, content_id, execution_id, source, to_address, subject, created_at, updated_at)
     select $1, $3, r.id, b.id, $5, 'WORKFLOW', coalesce($6, r.email), b.subject, $7, $7 from recipient r cross join content b
     returning project_id, id, to_address),
   tally as (${emailTally('select project_id, count(*)::int as change from mail group by project_id')}),
   queued as (
     insert into deliveries (project_id, email_id, lane, to_contact) select project_id, id, ${lanes.indexOf('workflow')}, $6::text is null from mail),
   job as (${jobInsert(deliverQueue, `(select jsonb_build_object('turns', jsonb_build_array(jsonb_build_array($1::text, 'workflow'))) as payload from mail)`)})
   select to_address as "toAddress" from mail`

/**
 * Accepts an email to a contact ($2) of a workflow, with a job for the workers: $3 its id, $4 its content, as a JSON list, $5 the
 * execution, $6 another address than that of the contact, $7 now. Returns no row when the contact was deleted.
 */
export const acceptOfExecution = statement<{ toAddress: string }>(
  'emails_accept_of_execution',
  acceptanceOfExecution(`${contentInsert('$4', ', recipient')} returning id, subject`),
)

/** The same with a content ($4) that is stored already; no row when it is not there any more. */
export const acceptWithContent = statement<{ toAddress: string }>(
  'emails_accept_with_content',
  acceptanceOfExecution('select o.id, o.subject from email_contents o, recipient where o.project_id = $1 and o.id = $4 for key share of o'),
)
