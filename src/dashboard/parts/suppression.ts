import type { SuppressionReason, SuppressionSource } from '../graphql/graphql.ts'
import type { Tone } from './state.tsx'

/** Why an address is on the list, and what that means, from strong to weak. */
export const reasons: Record<SuppressionReason, { label: string; effect: string; tone: Tone }> = {
  COMPLAINT: { label: 'Complaint', effect: 'Every email to it is withheld.', tone: 'bad' },
  BOUNCE: { label: 'Bounce', effect: 'Every email to it is withheld.', tone: 'bad' },
  MANUAL: { label: 'By hand', effect: 'Every email to it is withheld.', tone: 'neutral' },
  UNSUBSCRIBED: { label: 'Opted out', effect: 'Marketing email to it is withheld.', tone: 'warn' },
}

/** The reasons as options to choose from. */
export const reasonOptions = (Object.keys(reasons) as SuppressionReason[]).map((value) => ({ value, label: reasons[value].label }))

/** What put an address on the list. */
export const sources: Record<SuppressionSource, string> = {
  API: 'a person or a program',
  DELIVERY: 'what became of an email',
  IMPORT: 'a file',
}
