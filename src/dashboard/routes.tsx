import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { oneOf, type Place, placeOf, someOf, text } from './data/search.ts'
import type { EmailStatus } from './graphql/graphql.ts'
import { activitySearch } from './pages/activity/search.ts'
import { analyticsSearch } from './pages/analytics/search.ts'
import { type CampaignSearch, type CampaignsSearch, campaignSearch, campaignsSearch } from './pages/campaigns/search.ts'
import { contactsSearch } from './pages/contacts/search.ts'
import { type EmailTab, emailTabs } from './pages/emails/tabs.ts'
import { personSearch } from './pages/person/search.ts'
import { segmentSearch } from './pages/segments/search.ts'
import { type SettingsTab, settingsTabs } from './pages/settings/tabs.ts'
import { suppressionsSearch } from './pages/suppressions/search.ts'
import { type TemplateSearch, templateSearch, templatesSearch } from './pages/templates/search.ts'
import { type WorkflowSearch, type WorkflowsSearch, workflowSearch, workflowsSearch } from './pages/workflows/search.ts'
import type { PagePath } from './pages.ts'
import { emailStatuses } from './parts/email-status.tsx'
import { lazyPage } from './parts/lazy.tsx'
import { AccountFrame } from './shell/account-frame.tsx'
import { Broken, NotFound } from './shell/failures.tsx'
import { Frame } from './shell/frame.tsx'
import { ProjectFrame } from './shell/project-frame.tsx'
import { SignedIn } from './shell/signed-in.tsx'

// Each route is written out: a helper around createRoute would lose the types of links. Pages are loaded when they are opened.
const root = createRootRoute({ component: Frame, notFoundComponent: NotFound, errorComponent: Broken })

const nextPage = (given: Record<string, unknown>): { next?: string | undefined } => ({ next: text(given.next) })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: nextPage,
  component: lazyPage(() => import('./pages/account/sign-in.tsx'), 'SignIn'),
})

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: nextPage,
  component: lazyPage(() => import('./pages/account/sign-up.tsx'), 'SignUp'),
})

const forgottenPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgotten-password',
  component: lazyPage(() => import('./pages/account/forgotten-password.tsx'), 'ForgottenPassword'),
})

const parts = createRoute({
  getParentRoute: () => root,
  path: '/parts',
  component: lazyPage(() => import('./pages/parts/parts.tsx'), 'Parts'),
})

const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: SignedIn })

const accountFrame = createRoute({ getParentRoute: () => signedIn, id: 'account', component: AccountFrame })

const projects = createRoute({
  getParentRoute: () => accountFrame,
  path: '/',
  // `project` and `checkout` stand in the addresses that the payment provider leads back to.
  validateSearch: (given): { project?: string | undefined; checkout?: string | undefined } => ({
    project: text(given.project),
    checkout: text(given.checkout),
  }),
  component: lazyPage(() => import('./pages/account/projects.tsx'), 'Projects'),
})

const account = createRoute({
  getParentRoute: () => accountFrame,
  path: '/account',
  component: lazyPage(() => import('./pages/account/account.tsx'), 'Account'),
})

const project = createRoute({ getParentRoute: () => signedIn, path: '/$project', component: ProjectFrame })

const home = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: lazyPage(() => import('./pages/home/home.tsx'), 'Home'),
})

const activity = createRoute({
  getParentRoute: () => project,
  path: '/activity',
  validateSearch: activitySearch,
  component: lazyPage(() => import('./pages/activity/activity.tsx'), 'Activity'),
})

const emails = createRoute({
  getParentRoute: () => project,
  path: '/emails',
  validateSearch: (given): Place & { status?: EmailStatus[] | undefined; search?: string | undefined } => ({
    status: someOf(emailStatuses, given.status),
    search: text(given.search),
    ...placeOf(given),
  }),
  component: lazyPage(() => import('./pages/emails/emails.tsx'), 'Emails'),
})

const email = createRoute({
  getParentRoute: () => project,
  path: '/emails/$email',
  validateSearch: (given): { tab?: EmailTab | undefined } => ({ tab: oneOf(emailTabs, given.tab) }),
  component: lazyPage(() => import('./pages/emails/email.tsx'), 'Email'),
})

const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  validateSearch: (given): { tab?: SettingsTab | undefined } => ({ tab: oneOf(settingsTabs, given.tab) }),
  component: lazyPage(() => import('./pages/settings/settings.tsx'), 'Settings'),
})

const contacts = createRoute({
  getParentRoute: () => project,
  path: '/contacts',
  validateSearch: contactsSearch,
  component: lazyPage(() => import('./pages/contacts/contacts.tsx'), 'Contacts'),
})

const importContacts = createRoute({
  getParentRoute: () => project,
  path: '/contacts/import',
  validateSearch: (given): { job?: string | undefined } => ({ job: text(given.job) }),
  component: lazyPage(() => import('./pages/contacts/import.tsx'), 'Import'),
})

const person = createRoute({
  getParentRoute: () => project,
  path: '/contacts/$contact',
  validateSearch: personSearch,
  component: lazyPage(() => import('./pages/person/person.tsx'), 'Person'),
})

const segments = createRoute({
  getParentRoute: () => project,
  path: '/segments',
  validateSearch: placeOf,
  component: lazyPage(() => import('./pages/segments/segments.tsx'), 'Segments'),
})

const newSegment = createRoute({
  getParentRoute: () => project,
  path: '/segments/new',
  component: lazyPage(() => import('./pages/segments/new.tsx'), 'NewSegment'),
})

const segment = createRoute({
  getParentRoute: () => project,
  path: '/segments/$segment',
  validateSearch: segmentSearch,
  component: lazyPage(() => import('./pages/segments/segment.tsx'), 'Segment'),
})

const suppressions = createRoute({
  getParentRoute: () => project,
  path: '/suppressions',
  validateSearch: suppressionsSearch,
  component: lazyPage(() => import('./pages/suppressions/suppressions.tsx'), 'Suppressions'),
})

const templates = createRoute({
  getParentRoute: () => project,
  path: '/templates',
  validateSearch: templatesSearch,
  component: lazyPage(() => import('./pages/templates/templates.tsx'), 'Templates'),
})

const template = createRoute({
  getParentRoute: () => project,
  path: '/templates/$template',
  validateSearch: (given): TemplateSearch => templateSearch(given),
  component: lazyPage(() => import('./pages/templates/template.tsx'), 'Template'),
})

const campaigns = createRoute({
  getParentRoute: () => project,
  path: '/campaigns',
  validateSearch: (given): CampaignsSearch => campaignsSearch(given),
  component: lazyPage(() => import('./pages/campaigns/campaigns.tsx'), 'Campaigns'),
})

const campaign = createRoute({
  getParentRoute: () => project,
  path: '/campaigns/$campaign',
  validateSearch: (given): CampaignSearch => campaignSearch(given),
  component: lazyPage(() => import('./pages/campaigns/campaign.tsx'), 'Campaign'),
})

const workflows = createRoute({
  getParentRoute: () => project,
  path: '/workflows',
  validateSearch: (given): WorkflowsSearch => workflowsSearch(given),
  component: lazyPage(() => import('./pages/workflows/workflows.tsx'), 'Workflows'),
})

const workflow = createRoute({
  getParentRoute: () => project,
  path: '/workflows/$workflow',
  validateSearch: (given): WorkflowSearch => workflowSearch(given),
  component: lazyPage(() => import('./pages/workflows/workflow.tsx'), 'Workflow'),
})

const execution = createRoute({
  getParentRoute: () => project,
  path: '/workflows/$workflow/executions/$execution',
  component: lazyPage(() => import('./pages/workflows/executions/execution.tsx'), 'Execution'),
})

const analytics = createRoute({
  getParentRoute: () => project,
  path: '/analytics',
  validateSearch: analyticsSearch,
  component: lazyPage(() => import('./pages/analytics/analytics.tsx'), 'Analytics'),
})

const domains = createRoute({
  getParentRoute: () => project,
  path: '/domains',
  validateSearch: (given): { open?: 'add' | undefined } => ({ open: oneOf(['add'], given.open) }),
  component: lazyPage(() => import('./pages/domains/domains.tsx'), 'Domains'),
})

const domain = createRoute({
  getParentRoute: () => project,
  path: '/domains/$domain',
  component: lazyPage(() => import('./pages/domains/domain.tsx'), 'Domain'),
})

const ofProject = [
  home,
  activity,
  emails,
  email,
  contacts,
  importContacts,
  person,
  segments,
  newSegment,
  segment,
  suppressions,
  templates,
  template,
  campaigns,
  campaign,
  workflows,
  workflow,
  execution,
  analytics,
  domains,
  domain,
  settings,
] as const

const tree = root.addChildren([
  signIn,
  signUp,
  forgottenPassword,
  parts,
  signedIn.addChildren([accountFrame.addChildren([projects, account]), project.addChildren(ofProject)]),
])

/** The router of the dashboard. */
export const router = createRouter({
  routeTree: tree,
  basepath: '/app',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: Broken,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

// Every route has an entry in pages.ts, and the other way round: otherwise this does not compile.
type Served = keyof (typeof router)['routesByPath'] extends infer Path
  ? Path extends `${infer Start}/`
    ? Start extends ''
      ? '/'
      : Start
    : Path
  : never
type Same<One, Other> = [One] extends [Other]
  ? [Other] extends [One]
    ? true
    : [missing: Exclude<Other, One>]
  : [missing: Exclude<One, Other>]
true satisfies Same<Served, PagePath>
