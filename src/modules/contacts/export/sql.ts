import { type Statement, statement } from '../../../kit/postgres/db.ts'
import { stoppingAtBytes, windowSql } from '../../../kit/postgres/list.ts'
import type { Json } from '../../../kit/shapes.ts'
import { behind } from '../audience/audience.ts'
import { type ContactSearchSql, contacts } from '../audience/sql.ts'
import type { Contact, SubscriptionSource } from '../shapes.ts'

/** Most rows of a batch. */
export const maxBatchRows = 1_000
// Taking in a batch keeps the thread busy, and it stays in memory for as long as its caller takes to read it.
const maxBatchBytes = 512 * 1024

// Large values end a batch early; the sizes of later rows are not looked at.
const bounded = (rows: string): string => stoppingAtBytes(rows, { long: 'v.data' }, { orderBy: { id: 'asc' } }, maxBatchBytes)

/** A contact as it is exported: what is stored of it is JSON. */
export type ExportedContact = Contact & { data: Record<string, Json> }

/**
 * The next contacts after an id and up to another, by the conditions of the list of contacts: as a statement with its values after
 * the project and the number of rows. Hand-written to bound a batch by its size.
 */
export function selectContactsBetween(
  filter: ContactSearchSql,
  after: string,
  upTo: string,
): { batch: Statement<ExportedContact>; values: unknown[] } {
  const { key, sql, values } = windowSql(contacts, filter, { orderBy: { id: 'asc' }, where: { id: { gt: after, lt: behind(upTo) } } })
  return { batch: statement(`contacts_export_${key}`, bounded(sql)), values }
}

/** The keys of the custom fields of a project, in order. */
export const selectKeys = statement<{ key: string }>(
  'contacts_select_keys',
  'select key from contact_fields where project_id = $1 order by key',
)

/** Why no email is sent to an address, and since when. */
export const selectSuppression = statement<{ reason: string; since: Date }>(
  'contacts_select_suppression',
  'select s.reason::text as reason, s.created_at as since from suppressions s where s.project_id = $1 and s.email = $2',
)

/** A line of the log about a contact. */
export interface ExportedEvent {
  id: string
  name: string
  emailId: string | null
  data: Record<string, unknown> | null
  createdAt: Date
}

/** The newest line of the log about a contact ($2), and the newest email to it. */
export const selectNewestOf = statement<{ event: string; email: string }>(
  'contacts_select_newest_of',
  `select coalesce((select id from events where project_id = $1 and contact_id = $2 order by id desc limit 1), '') as event,
     coalesce((select id from emails where project_id = $1 and contact_id = $2 order by id desc limit 1), '') as email`,
)

/** The next lines of the log about a contact ($2) after an id ($3) and up to another ($4). Hand-written, as the next ones, to bound a batch by its size. */
export const selectEventsAfter = statement<ExportedEvent>(
  'contacts_select_events_after',
  bounded(
    `select v.id, v.name, v.email_id as "emailId", v.data, v.created_at as "createdAt" from events v
     where v.project_id = $1 and v.contact_id = $2 and v.id > $3 and v.id <= $4 order by v.id limit ${maxBatchRows}`,
  ),
)

/** A change of the subscription of a contact. */
export interface ExportedFlip {
  id: string
  subscribed: boolean
  source: SubscriptionSource
  reason: string | null
  at: Date
}

/** The next changes of the subscription of a contact ($2) after an id ($3) and up to another ($4). */
export const selectFlipsAfter = statement<ExportedFlip>(
  'contacts_select_flips_after',
  `select v.id, v.name = 'contact.subscribed' as subscribed, v.data ->> 'source' as source, v.data ->> 'reason' as reason, v.created_at as at
   from events v where v.project_id = $1 and v.contact_id = $2 and v.id > $3 and v.id <= $4 and v.name in ('contact.subscribed', 'contact.unsubscribed')
   order by v.id limit ${maxBatchRows}`,
)

/** An email to a contact, with what is known of its content. */
export interface ExportedEmail {
  id: string
  status: string
  source: string
  subject: string
  to: { email: string; name: string | null }
  from: { email: string; name: string | null } | null
  replyTo: string | null
  templateId: string | null
  tags: string[]
  attachments: { filename: string; contentType: string; size: number }[]
  reason: string | null
  opens: number
  clicks: number
  machineOpens: number
  machineClicks: number
  createdAt: Date
  sentAt: Date | null
  deliveredAt: Date | null
  openedAt: Date | null
  clickedAt: Date | null
  bouncedAt: Date | null
  complainedAt: Date | null
}

/** The next emails to a contact ($2) after an id ($3) and up to another ($4); the content of an email may have been removed because of its age. */
export const selectEmailsAfter = statement<ExportedEmail>(
  'contacts_select_emails_after',
  `select e.id, e.status::text as status, e.source::text as source, e.subject,
     json_build_object('email', e.to_address, 'name', e.to_name) as to,
     case when c.id is not null then json_build_object('email', c.from_address, 'name', c.from_name) end as from,
     c.reply_to as "replyTo", c.template_id as "templateId", coalesce(c.tags, '[]') as tags,
     coalesce((select json_agg(json_build_object('filename', a.filename, 'contentType', a.content_type, 'size', octet_length(a.bytes)) order by a.position)
       from email_attachments a where a.project_id = c.project_id and a.content_id = c.id), '[]') as attachments,
     e.reason, e.opens, e.clicks, e.machine_opens as "machineOpens", e.machine_clicks as "machineClicks", e.created_at as "createdAt", e.sent_at as "sentAt", e.delivered_at as "deliveredAt",
     e.opened_at as "openedAt", e.clicked_at as "clickedAt", e.bounced_at as "bouncedAt", e.complained_at as "complainedAt"
   from emails e left join lateral (select * from email_contents o where o.project_id = e.project_id and o.id = e.content_id limit 1) c on true
   where e.project_id = $1 and e.contact_id = $2 and e.id > $3 and e.id <= $4 order by e.id limit 200`,
)
