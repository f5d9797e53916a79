import { z } from 'zod'
import { Failure } from '../../kit/errors.ts'

// The feed speaks in the past tense where the log names an event.
const byType = {
  'email.sent': 'email.sent',
  'email.delivered': 'email.delivery',
  'email.received': 'email.received',
  'email.opened': 'email.open',
  'email.clicked': 'email.click',
  'email.bounced': 'email.bounce',
  'email.complaint': 'email.complaint',
  'email.failed': 'email.failed',
  'contact.subscribed': 'contact.subscribed',
  'contact.unsubscribed': 'contact.unsubscribed',
  'campaign.scheduled': 'campaign.scheduled',
  'campaign.sent': 'campaign.sent',
  'workflow.started': 'workflow.started',
  'workflow.completed': 'workflow.completed',
  'workflow.email.scheduled': 'workflow.email.scheduled',
} as const

/** What tracked events, and all others the feed has no word of its own for, are called in it. */
export const triggered = 'event.triggered'

/** Every type of the feed. */
export const activityTypes = [triggered, ...Object.keys(byType)] as [typeof triggered, ...(keyof typeof byType)[]]

/** A type of the feed. */
export const ActivityType = z.enum(activityTypes)
/** A type of the feed. */
export type ActivityType = z.output<typeof ActivityType>

/** Event names the feed has a word of its own for. */
export const namedEvents: readonly string[] = Object.values(byType)

const typeByName = new Map<string, ActivityType>(Object.entries(byType).map(([type, name]) => [name, type as ActivityType]))
const nameByType = new Map<string, string>(Object.entries(byType))

/** The feed's word for an event name. */
export function typeOf(eventName: string): ActivityType {
  return typeByName.get(eventName) ?? triggered
}

/** What a filter by types means: its event names, or null for no filter. Throws BAD_REQUEST for an unknown type. */
export function askedTypes(types: readonly string[] | null | undefined): { names: string[]; others: boolean } | null {
  if (!types || types.length === 0) return null
  const asked = namesOf(types)
  if (!asked)
    throw new Failure('BAD_REQUEST', 'There is no such type of activity.', { suggestion: `Types are ${activityTypes.join(', ')}.` })
  return asked
}

/** The event names of some types, in either spelling (`email.opened` or `email.open`); null when one is neither. */
export function namesOf(types: readonly string[]): { names: string[]; others: boolean } | null {
  const names = types.filter((type) => type !== triggered).map((type) => nameByType.get(type) ?? (typeByName.has(type) ? type : null))
  if (names.includes(null)) return null
  return { names: [...new Set(names as string[])], others: types.includes(triggered) }
}
