/** The parts of an email, as its page shows them. */
export const tabs = [
  { name: 'timeline', label: 'Timeline' },
  { name: 'html', label: 'HTML' },
  { name: 'text', label: 'Text' },
  { name: 'headers', label: 'Headers' },
  { name: 'attachments', label: 'Attachments' },
  { name: 'source', label: 'Source' },
] as const

/** The name of one of them. */
export type EmailTab = (typeof tabs)[number]['name']

/** Their names, for addresses. */
export const emailTabs = tabs.map(({ name }) => name)
