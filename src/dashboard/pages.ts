import type { IconName } from './parts/icon-names.ts'

/** What the navigation, the command palette, the keys and the tests know about a page. */
export interface PageEntry {
  title: string
  /** Set for pages that the navigation of a project lists. */
  icon?: IconName
  /** Pressed after `g`, it opens the page. */
  key?: string
  /** Words that the command palette finds it by, besides its title. */
  words?: string
  /** Shown to people who are not signed in. */
  open?: true
}

/**
 * Every page, by its address below /app: one entry per route of routes.tsx, which does not compile with an address that is missing here.
 * Those of a project begin with `/$project`; the navigation lists them in this order.
 */
export const pages = {
  '/': { title: 'Projects', words: 'choose switch create new' },
  '/account': { title: 'Account', words: 'password sessions sign out delete' },
  '/sign-in': { title: 'Sign in', open: true },
  '/sign-up': { title: 'Create an account', open: true },
  '/forgotten-password': { title: 'Forgotten password', open: true },
  '/parts': { title: 'Parts', words: 'controls components', open: true },
  '/$project': { title: 'Home', icon: 'home', key: 'h', words: 'start overview set up' },
  '/$project/activity': { title: 'Activity', icon: 'activity', key: 'a', words: 'live feed events log opens clicks bounces' },
  '/$project/emails': { title: 'Emails', icon: 'mail', key: 'e', words: 'sent messages outbox' },
  '/$project/emails/$email': { title: 'Email' },
  '/$project/contacts': { title: 'Contacts', icon: 'users', key: 'c', words: 'people subscribers audience export bulk' },
  '/$project/contacts/import': { title: 'Import contacts', words: 'csv upload file' },
  '/$project/contacts/$contact': { title: 'Contact' },
  '/$project/segments': { title: 'Segments', icon: 'list', key: 's', words: 'groups audience conditions lists' },
  '/$project/segments/new': { title: 'New segment', words: 'create condition rule' },
  '/$project/segments/$segment': { title: 'Segment' },
  '/$project/suppressions': { title: 'Suppressions', icon: 'alert', key: 'u', words: 'blocked bounces complaints opted out withheld' },
  '/$project/templates': { title: 'Templates', icon: 'file', key: 't', words: 'html liquid editor design' },
  '/$project/templates/$template': { title: 'Template' },
  '/$project/campaigns': { title: 'Campaigns', icon: 'send', key: 'm', words: 'newsletter broadcast send schedule' },
  '/$project/campaigns/$campaign': { title: 'Campaign' },
  '/$project/workflows': { title: 'Workflows', icon: 'workflow', key: 'w', words: 'automation journey series steps triggers drip' },
  '/$project/workflows/$workflow': { title: 'Workflow' },
  '/$project/workflows/$workflow/executions/$execution': { title: 'Execution' },
  '/$project/analytics': { title: 'Analytics', icon: 'chart', key: 'n', words: 'statistics figures report deliverability chart csv' },
  '/$project/domains': { title: 'Domains', icon: 'globe', key: 'd', words: 'dns dkim spf dmarc sender verify records warm-up' },
  '/$project/domains/$domain': { title: 'Domain' },
  '/$project/settings': {
    title: 'Settings',
    icon: 'settings',
    key: 'o',
    words: 'keys members billing caps security webhook secret danger',
  },
} as const satisfies Record<string, PageEntry>

/** The address of a page, with `$project` for the id of the project. */
export type PagePath = keyof typeof pages

/** The pages as a list, in the order of the navigation. */
export const allPages = Object.entries(pages).map(([path, page]): PageEntry & { path: PagePath } => ({ path: path as PagePath, ...page }))

/** The pages that the navigation of a project lists. */
export const projectPages = allPages.flatMap((page) => (page.icon ? [{ ...page, icon: page.icon }] : []))
