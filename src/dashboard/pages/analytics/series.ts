import type { SeriesPointFragment } from '../../graphql/graphql.ts'

/** One line or one part of the bars: a count of every part of the series. */
export interface Series {
  name: string
  count: Exclude<keyof SeriesPointFragment, 'start' | 'day' | '__typename'>
}

/** The sum of a count over all parts of a series. */
export function sumOf(points: readonly SeriesPointFragment[], count: Series['count']): number {
  return points.reduce((sum, point) => sum + point[count], 0)
}
