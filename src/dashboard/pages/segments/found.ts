import type { OneSegmentQuery } from '../../graphql/graphql.ts'

/** A segment that exists. */
export type FoundSegment = NonNullable<OneSegmentQuery['segment']>
