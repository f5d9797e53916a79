import type { Count } from '../../kit/counts.ts'
import { statement } from '../../kit/postgres/db.ts'
import { batchStatement, eraser } from '../../kit/postgres/erase.ts'
import type { Conditions, ListSql } from '../../kit/postgres/list.ts'
import { countSlots } from '../../kit/postgres/totals.ts'
import { countsAsSent, isPermanent } from '../events/outcomes/sql.ts'
import { isSimulated } from '../security/sql.ts'
import type { EmailSource, EmailStatus } from './shapes.ts'

/** The conditions of a list of emails as SQL has them: `search` escaped for LIKE, and a time with the ids that its emails may have. */
export interface EmailListConditions {
  contactId?: string | undefined
  campaignId?: string | undefined
  statuses?: readonly EmailStatus[] | undefined
  executionId?: string | undefined
  fromId?: string | undefined
  toId?: string | undefined
  createdFrom?: Date | undefined
  createdTo?: Date | undefined
  sources?: readonly EmailSource[] | undefined
  templateId?: string | undefined
  search?: string | undefined
}

const sources: Conditions<EmailListConditions>[number] = ['sources', (at) => `l.source = any(${at}::email_source[])`]
const contentOf = 'email_contents c where c.project_id = l.project_id and c.id = l.content_id'

/**
 * The list of the emails of a project. Emails of a deleted contact are hidden before they are removed: that costs one
 * lookup per email of a page, in an index that holds only deleted contacts.
 */
export const emailListSql: ListSql<EmailListConditions> = {
  name: 'emails',
  table: 'emails',
  columns: 'l.id, l.contact_id',
  conditions: [
    [
      'contactId',
      (at) => `l.contact_id = ${at}
        and (select true from contacts d where d.project_id = $1 and d.id = ${at} and d.deleted_at is not null) is not true`,
    ],
    ['campaignId', (at) => `l.campaign_id = ${at}`],
    // An email that a worker has claimed is shown as SENDING.
    [
      'statuses',
      (at) => `case when l.status = 'PENDING' then case when exists (
          select from deliveries q where q.project_id = l.project_id and q.email_id = l.id and q.claim is not null)
        then 'SENDING'::email_status else 'PENDING'::email_status end else l.status end = any(${at}::email_status[])`,
    ],
    // What an execution has sent stands in the records of its steps, at most 100.
    [
      'executionId',
      (at) => `l.execution_id = ${at} and l.id = any(array(select s.output ->> 'emailId' from workflow_step_executions s
        where s.project_id = $1 and s.execution_id = ${at}))`,
    ],
    ['fromId', (at) => `l.id >= ${at}`],
    ['toId', (at) => `l.id < ${at}`],
    ['createdFrom', (at) => `l.created_at >= ${at}`],
    ['createdTo', (at) => `l.created_at < ${at}`],
    [
      'search',
      (at) => `l.contact_id = any(array(select c.id from contacts c where c.project_id = $1 and c.deleted_at is null
        and c.email like '%' || ${at} || '%' order by c.id desc limit 1000))`,
    ],
  ],
  sparse: {
    compared: [sources, ['templateId', (at) => `(select c.template_id from ${contentOf}) = ${at}`]],
    counted: [sources, ['templateId', (at) => `exists (select from ${contentOf} and c.template_id = ${at})`]],
  },
  hidden: '(select true from contacts d where d.project_id = $1 and d.id = v.contact_id and d.deleted_at is not null) is true',
  shown: 'not exists (select 1 from contacts d where d.project_id = $1 and d.id = v.contact_id and d.deleted_at is not null)',
}

/** Locks an email ($2) that has not ended, until the transaction ends; no row for another. */
export const lockOpenEmail = statement<object>(
  'emails_lock_open_email',
  `select 1 from emails e where e.project_id = $1 and e.id = $2 and e.status = 'PENDING' for no key update of e`,
)

/** Takes an email ($2) out of the queue, unless a worker has claimed it; returns whether it may have arrived. */
export const removeUnclaimed = statement<{ uncertain: boolean }>(
  'emails_remove_unclaimed',
  'delete from deliveries where project_id = $1 and email_id = $2 and claim is null returning uncertain',
)

/** Cancels an email ($2, $3 why, $4 now, $5 whether it may have arrived) that is not in the queue any more; returns no row while a worker has it. */
export const cancelUnqueued = statement<{ id: string }>(
  'emails_cancel_unqueued',
  `update emails e set status = 'CANCELLED', reason = $3, updated_at = $4, uncertain = $5 where e.project_id = $1 and e.id = $2 and e.status = 'PENDING'
     and not exists (select from deliveries d where d.project_id = $1 and d.email_id = $2) returning e.id`,
)

/** The number of emails of each of some contacts ($2). */
export const countEmailsOfContacts = statement<Count>(
  'emails_count_emails_of_contacts',
  `select q.id, (select count(*)::int from emails e where e.project_id = q.project_id and e.contact_id = q.id) as count
   from (select $1::text as project_id, u.id from unnest($2::text[]) as u(id) offset 0) q`,
)

/**
 * SQL, for a CTE of the statement that creates or removes emails, that counts them: `changes` is a query of `project_id` and
 * `change`, at most one row per project. The count is spread over slots like that of contacts.
 */
export function emailTally(changes: string): string {
  return `insert into email_counts as n (project_id, slot, count)
    select t.project_id, pg_backend_pid() % ${countSlots}, t.change from (${changes}) t order by t.project_id
    on conflict (project_id, slot) do update set count = n.count + excluded.count`
}

/** How many emails a project has, without those of deleted contacts, which are being removed. */
export const sumEmails = statement<{ count: number }>(
  'emails_sum_emails',
  `select (select coalesce(sum(n.count), 0) from email_counts n where n.project_id = $1)::float8
     - (select coalesce(sum((select count(*) from emails e where e.project_id = d.project_id and e.contact_id = d.id)), 0) from contacts d
        where d.project_id = $1 and d.deleted_at is not null)::float8 as count`,
)

/** The next project after an id ($1) that has contents before a content id ($2). */
export const findProjectWithContents = statement<{ id: string }>(
  'emails_find_project_with_contents',
  `select p.id from projects p where p.id > $1 and exists (select from email_contents c where c.project_id = p.id and c.id < $2) order by p.id limit 1`,
  { allProjects: 'old contents of all projects are removed, one project at a time' },
)

/**
 * Looks at the next $4 contents of a project ($1) between two ids ($2, $3) and detaches up to $7 emails from those before $5
 * whose emails have all ended and are before $6. Returns the last content it looked at, null at the end. An email that
 * somebody else is changing is left for another time, so that nobody waits.
 */
export const detachOldContents = statement<{ upTo: string | null; detached: number }>(
  'emails_detach_old_contents',
  `with batch as materialized (
     select c.project_id, c.id from email_contents c where c.project_id = $1 and c.id > $2 and c.id < $3 order by c.id limit $4
   ), ended as materialized (
     select b.project_id, b.id from batch b where b.id < $5 and (select true from emails o where o.project_id = b.project_id and o.content_id = b.id
       and (o.id >= $6 or o.status = 'PENDING' or exists (select from deliveries d where d.project_id = o.project_id and d.email_id = o.id)) limit 1) is null
   ), chosen as materialized (
     select e.project_id, e.id from ended x join emails e on e.project_id = x.project_id and e.content_id = x.id limit $7 for update of e skip locked
   ), detached as (
     update emails e set content_id = null from chosen o where e.project_id = o.project_id and e.id = o.id returning e.id
   )
   select (select max(id) from batch) as "upTo", (select count(*)::int from detached) as detached`,
)

/** Removes the contents of a project ($1) after an id ($2) up to another ($3) that no email refers to. */
export const removeUnusedContents = statement<object>(
  'emails_remove_unused_contents',
  `delete from email_contents c where c.project_id = $1 and c.id > $2 and c.id <= $3
     and (select true from emails e where e.project_id = c.project_id and e.content_id = c.id limit 1) is null
     and not exists (select from campaigns k where k.project_id = $1 and k.content_id = c.id and k.stage is not null)`,
)

/** Removes up to $2 captured emails before an id ($1), of all projects; returns how many it has chosen, fewer than $2 when none is left. */
export const removeOldCaptured = batchStatement<{ count: number }>(
  'emails_remove_old_captured',
  `with chosen as materialized (select id from captured_mails where id < $1 order by id limit $2),
   gone as (delete from captured_mails where id = any(array(select id from chosen)))
   select count(*)::int as count from chosen`,
  { allProjects: 'captured emails of all projects are kept for the same time' },
)

/**
 * SQL of when a row of emails left, or may have, by its row of deliveries if it is queued; null for one of which no report counts: one that
 * came in, that has not left, or that went to the mailbox simulator of Amazon SES.
 */
export const leftAt = (email: string, delivery: string): string =>
  `case when ${email}.source <> 'INBOUND' and (${hasLeftForCertain(email)} or ${email}.uncertain or ${delivery}.copies is null and (${delivery}.uncertain or ${delivery}.claim is not null))
     and not ${isSimulated(`${email}.to_address`)} then coalesce(${email}.sent_at, ${email}.updated_at) end`

/** SQL that is true for a row of emails that also went to others, by its row of contents; false once that is removed. */
export const isCopied = (content: string): string => `coalesce(${content}.cc <> '[]' or ${content}.bcc <> '[]', false)`

/** SQL that is true for a row of emails that has left for certain. */
export const hasLeftForCertain = (email: string): string =>
  `coalesce(${email}.sent_at, ${email}.delivered_at, ${email}.bounced_at, ${email}.complained_at, ${email}.proved_at) is not null`

/**
 * The data that every `email.*` event has in common, as a JSON object in SQL over a row of `emails` and its row of
 * `email_contents`; each kind of event adds its own fields with `||`.
 */
export function emailEventData(email: string, content: string): string {
  return `jsonb_build_object('subject', ${email}.subject, 'from', ${content}.from_address, 'fromName', ${content}.from_name,
    'messageId', ${email}.id || '@' || split_part(${content}.from_address, '@', 2), 'emailId', ${email}.id,
    'templateId', ${content}.template_id, 'campaignId', ${email}.campaign_id, 'sourceType', ${email}.source)`
}

/** Whether a line of the log says that somebody unsubscribed by a link of an email, as SQL. */
export function isByLink(line: string): string {
  return `(${line}.name = 'contact.unsubscribed' and ${line}.data ->> 'source' in ('page', 'one_click'))`
}

/**
 * What became of emails, counted in SQL over lines of the log (`project_id`, `name`, `email_id`, `data`): sent, delivered, opened, clicked,
 * opens and clicks of machines, bounced, complained, unsubscribed by a link of it, failed. Opened and clicked count the first time that
 * a person did it. One that had failed, and did arrive or bounce after all, has not failed: it is taken off again.
 */
export function emailTallies(line: string): string {
  const is = (name: string) => `${line}.name = 'email.${name}'`
  const says = (key: string) => `${line}.data ->> '${key}' = 'true'`
  const failed = `${is('failed')} and ${line}.data ->> 'status' in ('FAILED', 'REJECTED')`
  const counted = [
    ['sent', countsAsSent(line)],
    ['delivered', is('delivery')],
    ['opened', `${is('open')} and ${says('isFirstByPerson')}`],
    ['clicked', `${is('click')} and ${says('isFirstByPerson')}`],
    ['machine_opened', `${is('open')} and ${says('bot')}`],
    ['machine_clicked', `${is('click')} and ${says('bot')}`],
    ['bounced', `${is('bounce')} and ${isPermanent(line)}`],
    ['complained', is('complaint')],
    ['unsubscribed', isByLink(line)],
  ]
  const tallies = counted.map(([name, condition]) => `count(*) filter (where ${condition})::int as ${name}`)
  const net = `(count(*) filter (where ${failed}) - count(*) filter (where ${line}.data ? 'replaces'))::int as failed`
  return [...tallies, net].join(',\n       ')
}

/**
 * About how many bytes a row of `email_contents` takes in memory, with its attachments, as SQL. Those accepted by a version that
 * did not store it are estimated.
 */
export function bytesInMemory(content: string): string {
  return `coalesce(${content}.bytes, 1000 + 2 * (octet_length(${content}.html) + coalesce(octet_length(${content}.text), 0))
    + 10 * pg_column_size(${content}.data) + coalesce((select sum(octet_length(a.bytes)) * 1.37 from email_attachments a
      where a.project_id = ${content}.project_id and a.content_id = ${content}.id), 0))::int`
}

/** How many contents are removed per batch: each may have megabytes of attachments. */
export const contentsPerBatch = 200

/** Removes one batch of a project's deliveries; returns how many, 0 when none is left. */
export const eraseSomeDeliveries = eraser('deliveries', 'email_id', 2_000)

/** Removes the count of a project's emails, once they are removed; returns how many rows, 0 when none is left. */
export const eraseEmailCounts = eraser('email_counts', 'slot', countSlots)

/** Removes one batch of a project's captured emails; returns how many, 0 when none is left. */
export const eraseSomeCaptured = eraser('captured_mails', 'id', contentsPerBatch)

/** Removes the sending-rate bucket of a deleted project; returns how many rows. */
export const eraseSendBucket = eraser('send_buckets', 'project_id', 1)
