import { oneOf, type Place, placeOf, someOf, text } from '../../data/search.ts'
import type { SuppressionReason } from '../../graphql/graphql.ts'

/** The reasons for which an address is on the list, from strong to weak. */
export const reasonNames: readonly SuppressionReason[] = ['COMPLAINT', 'BOUNCE', 'MANUAL', 'UNSUBSCRIBED']

/** What the address of the suppression list says. */
export interface SuppressionsSearch extends Place {
  q?: string | undefined
  reasons?: SuppressionReason[] | undefined
  open?: 'add' | 'import' | undefined
  /** The address whose details are open. */
  address?: string | undefined
}

/** Reads the address of the suppression list. */
export function suppressionsSearch(given: Record<string, unknown>): SuppressionsSearch {
  return {
    ...placeOf(given),
    q: text(given.q),
    reasons: someOf(reasonNames, given.reasons),
    open: oneOf(['add', 'import'] as const, given.open),
    address: text(given.address),
  }
}
