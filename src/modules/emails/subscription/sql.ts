import { statement } from '../../../kit/postgres/db.ts'
import { hasOptedOut } from '../../contacts/sql.ts'

/** A contact as its subscription pages show it. */
export interface SubscriptionView {
  email: string
  subscribed: boolean
  /** Whether marketing emails are withheld: a contact that was never subscribed may still be sent some. */
  optedOut: boolean
  project: string
  locale: unknown
  language: string
}

/** What the subscription pages of a contact show ($1 project, $2 contact). */
export const selectView = statement<SubscriptionView>(
  'emails_select_view',
  `select c.email, c.subscribed, ${hasOptedOut('c')} as "optedOut", p.name as project, c.data->'locale' as locale, p.language
   from contacts c join projects p on p.id = c.project_id where c.project_id = $1 and c.id = $2 and c.deleted_at is null`,
)
