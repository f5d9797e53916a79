import { statement } from '../../../kit/postgres/db.ts'
import type { Recipient } from '../message/content.ts'

/** An email with everything its message is made from besides its content. */
export interface SourceRow extends Recipient {
  /** Null when there is no content, or none any more. */
  contentId: string | null
  fromAddress: string | null
  /** The domain it is sent from; null when that was removed. */
  domainId: string | null
  hasOwnLinks: boolean
  /** About how many bytes the message has: those that were captured, or those of its content. */
  bytes: number
}

/** An email ($2) with everything its message is made from besides its content; no row once its contact was deleted. */
export const selectSource = statement<SourceRow>(
  'emails_select_source',
  `select e.project_id as "projectId", e.id, e.contact_id as "contactId", e.source::text as source, e.campaign_id as "campaignId",
     e.to_address as "toAddress", e.to_name as "toName", e.created_at as "createdAt", c.subscribed, c.data as "contactData",
     p.name as "projectName", p.tracking, p.utm, p.language, b.id as "contentId", b.from_address as "fromAddress", d.id as "domainId",
     coalesce(d.own_links, false) as "hasOwnLinks", coalesce(
       (select octet_length(m.raw) from captured_mails m where m.project_id = e.project_id and m.email_id = e.id order by m.id desc limit 1),
       b.bytes, 0) as bytes
   from emails e
   join projects p on p.id = e.project_id
   join contacts c on c.project_id = e.project_id and c.id = e.contact_id and c.deleted_at is null
   left join email_contents b on b.project_id = e.project_id and b.id = e.content_id
   left join domains d on d.project_id = e.project_id and d.domain = split_part(b.from_address, '@', 2)
   where e.project_id = $1 and e.id = $2`,
)

/** At most $4 octets of a captured email ($2, its own id), from the $3rd on, from 1. Hand-written to read no more than these. */
export const selectOctets = statement<{ piece: Buffer }>(
  'emails_select_octets',
  'select substring(raw from $3 for $4) as piece from captured_mails where project_id = $1 and id = $2',
)

/** What the capture transport stored last of an email ($2), and how many octets it has. */
export const selectCaptured = statement<{ id: string; bytes: number }>(
  'emails_select_captured',
  `select m.id, octet_length(m.raw) as bytes from captured_mails m where m.project_id = $1 and m.email_id = $2
   order by m.id desc limit 1`,
)
