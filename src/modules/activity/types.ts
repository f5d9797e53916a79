import { z } from 'zod'
import { Failure } from '../../kit/errors.ts'

// Types of activity are in the past tense; the log has other names for the same events.
const byType = {
  'email.sent': 'email.sent',
  'email.delivered': 'email.delivery',
  'email.received': 'email.received',
  'email.opened': 'email.open',
  'email.clicked': 'email.click',
  'email.bounced': 'email.bounce',
  'email.complaint': 'email.complaint',
  'email.failed': 'email.failed',
  'email.copy.failed': 'email.copy.failed',
  'contact.subscribed': 'contact.subscribed',
  'contact.unsubscribed': 'contact.unsubscribed',
  'campaign.scheduled': 'campaign.scheduled',
  'campaign.sent': 'campaign.sent',
  'workflow.started': 'workflow.started',
  'workflow.completed': 'workflow.completed',
  'workflow.email.scheduled': 'workflow.email.scheduled',
} as const

/** The type of tracked events, and of all events that have no type of their own. */
export const triggered = 'event.triggered'

/** Every type of activity. */
export const activityTypes = [triggered, ...Object.keys(byType)] as [typeof triggered, ...(keyof typeof byType)[]]

/** A type of activity. */
export const ActivityType = z.enum(activityTypes)
/** A type of activity. */
export type ActivityType = z.output<typeof ActivityType>

/** Names of the events that have a type of their own. */
export const namesWithOwnType: readonly string[] = Object.values(byType)

const typeByName = new Map<string, ActivityType>(Object.entries(byType).map(([type, name]) => [name, type as ActivityType]))
const nameByType = new Map<string, string>(Object.entries(byType))

/** The type of activity of an event name. */
export function activityTypeOf(eventName: string): ActivityType {
  return typeByName.get(eventName) ?? triggered
}

/** The event names that a filter by types selects, or null without a filter. Fails with BAD_REQUEST for an unknown type. */
export function typeFilterOf(types: readonly string[] | null | undefined): { names: string[]; others: boolean } | null {
  if (!types || types.length === 0) return null
  const names = namesOf(types)
  if (!names)
    throw new Failure('BAD_REQUEST', 'There is no such type of activity.', { suggestion: `Types are ${activityTypes.join(', ')}.` })
  return names
}

/** The event names of types given in either spelling (`email.opened` or `email.open`); null when one of them is unknown. */
export function namesOf(types: readonly string[]): { names: string[]; others: boolean } | null {
  const names = types.filter((type) => type !== triggered).map((type) => nameByType.get(type) ?? (typeByName.has(type) ? type : null))
  if (names.includes(null)) return null
  return { names: [...new Set(names as string[])], others: types.includes(triggered) }
}
