import type { HostedPage } from '../kit/html/page.ts'
import type { Route } from '../kit/route.ts'
import { routes as activity } from '../modules/activity/rest.ts'
import { routes as analytics } from '../modules/analytics/rest.ts'
import { routes as auth } from '../modules/auth/rest.ts'
import { routes as billing } from '../modules/billing/rest.ts'
import { routes as campaigns } from '../modules/campaigns/rest.ts'
import { routes as bulk } from '../modules/contacts/bulk/rest.ts'
import { routes as exports } from '../modules/contacts/export/rest.ts'
import { routes as contactFields } from '../modules/contacts/fields/rest.ts'
import { routes as imports } from '../modules/contacts/import/rest.ts'
import { routes as contacts } from '../modules/contacts/rest.ts'
import { routes as domains } from '../modules/domains/rest.ts'
import { routes as sending } from '../modules/emails/accept/rest.ts'
import { pages as mailboxPages } from '../modules/emails/mailbox/pages.ts'
import { routes as previews } from '../modules/emails/preview/rest.ts'
import { routes as emails } from '../modules/emails/rest.ts'
import { routes as emailSources } from '../modules/emails/source/rest.ts'
import { pages as subscriptionPages } from '../modules/emails/subscription/pages.ts'
import { pages as trackingPages } from '../modules/emails/tracking/pages.ts'
import { routes as warmUps } from '../modules/emails/warm-up/rest.ts'
import { routes as events } from '../modules/events/rest.ts'
import { pages as oauthPages } from '../modules/oauth/pages.ts'
import { pages as accountPages } from '../modules/platform/pages.ts'
import { routes as projects } from '../modules/projects/rest.ts'
import { routes as resets } from '../modules/resets/rest.ts'
import { routes as security } from '../modules/security/rest.ts'
import { routes as segments } from '../modules/segments/rest.ts'
import { routes as ses } from '../modules/ses/rest.ts'
import { routes as suppressions } from '../modules/suppressions/rest.ts'
import { routes as templates } from '../modules/templates/rest.ts'
import { pages as uploadPages } from '../modules/uploads/pages.ts'
import { routes as uploads } from '../modules/uploads/rest.ts'
import { routes as users } from '../modules/users/rest.ts'
import { routes as verification } from '../modules/verification/rest.ts'
import { routes as workflows } from '../modules/workflows/rest.ts'
import { pages as dashboardPages } from './dashboard.ts'
import { routes as system } from './system.ts'

/** Every route of the REST interface. */
export const routes: Route[] = [
  ...sending,
  ...emails,
  ...emailSources,
  ...verification,
  ...resets,
  ...contacts,
  ...imports,
  ...exports,
  ...bulk,
  ...contactFields,
  ...suppressions,
  ...segments,
  ...templates,
  ...campaigns,
  ...workflows,
  ...previews,
  ...events,
  ...domains,
  ...warmUps,
  ...activity,
  ...analytics,
  ...billing,
  ...projects,
  ...security,
  ...auth,
  ...users,
  ...uploads,
  ...ses,
  ...system,
]

/** Every hosted page. */
export const pages: HostedPage[] = [
  ...subscriptionPages,
  ...trackingPages,
  ...mailboxPages,
  ...uploadPages,
  ...accountPages,
  ...oauthPages,
  ...dashboardPages,
]
