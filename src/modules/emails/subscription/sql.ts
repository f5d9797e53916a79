import { statement } from '../../../kit/postgres/db.ts'
import { hasOptedOut } from '../../contacts/sql.ts'

/** An address as its subscription pages show it. */
export interface SubscriptionView {
  email: string
  /** The contact that has the address now; null when none has. */
  contactId: string | null
  /** Without a contact: whether the address has not opted out. */
  subscribed: boolean
  /** Whether marketing emails are withheld: a contact that was never subscribed may still be sent some. */
  optedOut: boolean
  project: string
  locale: unknown
  language: string
}

/** How often a contact ($2) was subscribed by its pages since an event id ($3), up to $4. */
export const countSubscribed = statement<{ count: number }>(
  'emails_count_subscribed',
  `select count(*)::int as count from (
     select 1 from events e where e.project_id = $1 and e.contact_id = $2 and e.id >= $3 and e.name = 'contact.subscribed' limit $4) e`,
)

/**
 * What the subscription pages show of which a contact ($2) was sent the link in an email ($3) to an address ($4): that address, with what
 * is known of the contact that has it now. A link that was in no email is about the address of the contact; in one of an earlier version,
 * which has no address, about that of the email. No row when the project was deleted, and of a link without an address when the contact
 * was, or the email is not known any more.
 */
export const selectView = statement<SubscriptionView>(
  'emails_select_view',
  `select a.email, h.id as "contactId", coalesce(h.subscribed, false) as subscribed,
     coalesce(${hasOptedOut('h')}, false) as "optedOut", p.name as project, h.data->'locale' as locale, p.language
   from projects p
   left join contacts c on $4::text is null and c.project_id = $1 and c.id = $2 and c.deleted_at is null
   left join emails e on $4::text is null and e.project_id = $1 and e.id = $3 and e.contact_id = c.id
   cross join lateral (select coalesce($4, e.to_address, c.email) as email) a
   left join contacts h on h.project_id = $1 and h.email = a.email and h.deleted_at is null
   where p.id = $1 and ($4::text is not null or (c.id is not null and ($3::text is null or e.id is not null)))`,
)
