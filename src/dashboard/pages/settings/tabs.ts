/** The parts of the settings of a project. */
export const tabs = [
  { name: 'project', label: 'Project' },
  { name: 'keys', label: 'Keys' },
  { name: 'members', label: 'Members' },
  { name: 'billing', label: 'Billing' },
  { name: 'security', label: 'Security' },
  { name: 'danger', label: 'Danger zone' },
] as const

/** The name of one of them. */
export type SettingsTab = (typeof tabs)[number]['name']

/** Their names, for addresses. */
export const settingsTabs = tabs.map(({ name }) => name)
