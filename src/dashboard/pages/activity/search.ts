import { someOf, text } from '../../data/search.ts'
import type { ActivityType } from '../../graphql/graphql.ts'
import { activityTypeNames } from '../../parts/activity.tsx'

/** The address of the stream: its filters, and the item that is open. */
export interface ActivitySearch {
  types?: ActivityType[] | undefined
  contact?: string | undefined
  campaign?: string | undefined
  item?: string | undefined
}

/** What the address of the stream says. */
export function activitySearch(given: Record<string, unknown>): ActivitySearch {
  return {
    types: someOf(activityTypeNames, given.types),
    contact: text(given.contact),
    campaign: text(given.campaign),
    item: text(given.item),
  }
}
