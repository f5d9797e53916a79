import { oneOf, type Place, placeOf, text } from '../../data/search.ts'

/** The parts of the page of a segment; the first is shown when the address names none. */
export const tabs = [
  { name: 'members', label: 'Members' },
  { name: 'rule', label: 'Rule' },
  { name: 'why', label: 'Why in or out' },
  { name: 'settings', label: 'Settings' },
] as const

const names = tabs.map(({ name }) => name)

/** What the address of a segment says. */
export interface SegmentSearch extends Place {
  tab?: (typeof tabs)[number]['name'] | undefined
  /** A part of the addresses of members. */
  q?: string | undefined
  /** The contact that is explained. */
  contact?: string | undefined
  open?: 'add' | 'remove' | undefined
}

/** Reads the address of a segment. */
export function segmentSearch(given: Record<string, unknown>): SegmentSearch {
  return {
    ...placeOf(given),
    tab: oneOf(names, given.tab),
    q: text(given.q),
    contact: text(given.contact),
    open: oneOf(['add', 'remove'] as const, given.open),
  }
}
