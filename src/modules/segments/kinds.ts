import type { Condition } from '../filters/shapes.ts'
import type { Segment, SegmentType } from './shapes.ts'

/** What segments of one type are. */
interface Kind {
  /** Whether its members are the contacts that match its condition at the moment of asking; otherwise they are those that are stored. */
  hasCondition: boolean
  /** Whether callers add and remove its members, each of which is logged whatever `trackMembership` says. */
  takesMembers: boolean
}

/**
 * What the types of segments are: operations ask here. Statements never ask for a type: they ask whether a segment has a condition, and
 * whether its members are stored (storesMembers), by its columns.
 */
export const kinds: Record<SegmentType, Kind> = {
  DYNAMIC: { hasCondition: true, takesMembers: false },
  STATIC: { hasCondition: false, takesMembers: true },
}

/** The condition that says who is a member of a segment; null when its members are stored. */
export function conditionOf({ type, condition }: Pick<Segment, 'type' | 'condition'>): Condition | null {
  return kinds[type].hasCondition ? condition : null
}
