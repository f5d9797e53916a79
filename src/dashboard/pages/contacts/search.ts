import type { Place } from '../../data/search.ts'
import { oneOf, placeOf, text } from '../../data/search.ts'
import type { ContactFilter, ContactOrder } from '../../graphql/graphql.ts'

const states = ['subscribed', 'unsubscribed'] as const
const orders = ['created', 'email', 'email-desc', 'created-asc'] as const
const maxColumns = 12

/** What is open over the list. */
export const overlays = ['add', 'columns'] as const

/** What the address of the list of contacts says. */
export interface ContactsSearch extends Place {
  q?: string | undefined
  segment?: string | undefined
  state?: (typeof states)[number] | undefined
  order?: (typeof orders)[number] | undefined
  /** The custom fields that are shown. */
  columns?: string[] | undefined
  open?: (typeof overlays)[number] | undefined
  /** The bulk operation that is watched. */
  job?: string | undefined
}

/** Reads the address of the list of contacts. */
export function contactsSearch(given: Record<string, unknown>): ContactsSearch {
  const listed = Array.isArray(given.columns) ? given.columns.flatMap((one) => text(one) ?? []) : []
  return {
    ...placeOf(given),
    q: text(given.q),
    segment: text(given.segment),
    state: oneOf(states, given.state),
    order: oneOf(orders, given.order),
    columns: listed.length > 0 ? [...new Set(listed)].slice(0, maxColumns) : undefined,
    open: oneOf(overlays, given.open),
    job: text(given.job),
  }
}

/** The contacts that the address means. */
export function filterOf({ q, segment, state }: ContactsSearch): ContactFilter {
  return {
    ...(q !== undefined && { search: q }),
    ...(segment !== undefined && { segmentId: segment }),
    ...(state !== undefined && { subscribed: state === 'subscribed' }),
  }
}

/** The order that the address means. */
export function orderOf({ order = 'created' }: ContactsSearch): ContactOrder {
  const [by, direction] = order.split('-')
  if (by === 'email') return { by: 'EMAIL', direction: direction === 'desc' ? 'DESC' : 'ASC' }
  return { by: 'CREATED_AT', direction: direction === 'asc' ? 'ASC' : 'DESC' }
}
