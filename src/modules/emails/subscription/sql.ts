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
 * What the subscription pages show of which a contact ($2) was sent the link in an email ($3): the address that was sent the email,
 * with what is known of the contact that has it now. A link that was in no email is about the address of the contact. No row when the
 * contact was deleted, or the email is not known any more.
 */
export const selectView = statement<SubscriptionView>(
  'emails_select_view',
  `select coalesce(e.to_address, c.email) as email, h.id as "contactId", coalesce(h.subscribed, false) as subscribed,
     coalesce(${hasOptedOut('h')}, false) as "optedOut", p.name as project, h.data->'locale' as locale, p.language
   from contacts c join projects p on p.id = c.project_id
   left join emails e on e.project_id = c.project_id and e.id = $3 and e.contact_id = c.id
   left join contacts h on h.project_id = c.project_id and h.email = coalesce(e.to_address, c.email) and h.deleted_at is null
   where c.project_id = $1 and c.id = $2 and c.deleted_at is null and ($3::text is null or e.id is not null)`,
)
