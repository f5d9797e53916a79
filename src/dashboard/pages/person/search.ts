import { oneOf, type Place, placeOf, text } from '../../data/search.ts'

/** The parts of the page of a contact; the first is shown when the address names none. */
export const tabs = [
  { name: 'overview', label: 'Overview' },
  { name: 'timeline', label: 'Timeline' },
  { name: 'emails', label: 'Emails' },
  { name: 'segments', label: 'Segments' },
  { name: 'workflows', label: 'Workflows' },
] as const

/** What the address of a contact says. */
export interface PersonSearch extends Place {
  tab?: (typeof tabs)[number]['name'] | undefined
  /** The segment that is explained. */
  why?: string | undefined
}

const names = tabs.map(({ name }) => name)

/** Reads the address of a contact. */
export function personSearch(given: Record<string, unknown>): PersonSearch {
  return { ...placeOf(given), tab: oneOf(names, given.tab), why: text(given.why) }
}
