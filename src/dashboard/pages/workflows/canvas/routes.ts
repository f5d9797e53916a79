import { type Box, gap, isNear, type Point } from './placement.ts'

/** A curve by its four points (cubic Bézier). */
export type Curve = [Point, Point, Point, Point]

/** The way of a line: its bends, or null for a curve, and the points on it by the share of the way. */
export interface Route {
  bends: Point[] | null
  pointAt(share: number): Point
}

const margin = 8
const aside = 24
const [down, radius] = [20, 12]

/** The way from one place to another: a curve, or with bends around the boxes that the curve would pass behind. */
export function routeOf(from: Point, to: Point, others: readonly Box[]): Route {
  const curve = curveOf(from, to)
  const isFree = (one: Box) => !others.some((box) => isNear(one, box, margin))
  const points = Array.from({ length: 41 }, (_, nth) => curveAt(curve, nth / 40))
  if (points.every((point) => isFree({ ...point, width: 0, height: 0 }))) return { bends: null, pointAt: (share) => curveAt(curve, share) }
  const sides = others.flatMap(({ x, width }) => [x - aside, x + width + aside])
  const lengthOf = (side: number) => Math.abs(side - from.x) + Math.abs(side - to.x)
  const corners = sides
    .toSorted((one, other) => lengthOf(one) - lengthOf(other))
    .map((side) => cornersOf(from, to, side))
    .find((way) => pairs([from, ...way, to]).every(([one, other]) => isFree(boxOf(one, other))))
  if (!corners) return { bends: null, pointAt: (share) => curveAt(curve, share) }
  return { bends: rounded([from, ...corners, to]), pointAt: (share) => alongAt([from, ...corners, to], share) }
}

function cornersOf(from: Point, to: Point, side: number): Point[] {
  const [above, below] = [from.y + down, to.y - down]
  return [
    { x: from.x, y: above },
    { x: side, y: above },
    { x: side, y: below },
    { x: to.x, y: below },
  ]
}

const pairs = (points: readonly Point[]): [Point, Point][] => points.slice(1).map((point, nth) => [points[nth] ?? point, point])

function boxOf(one: Point, other: Point): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)]
  return { x, y, width: Math.abs(one.x - other.x), height: Math.abs(one.y - other.y) }
}

// Each corner with a point before and after it: a line from bend to bend keeps near them then.
function rounded(points: readonly Point[]): Point[] {
  return points.slice(1, -1).flatMap((corner, nth) => {
    const [before = corner, after = corner] = [points[nth], points[nth + 2]]
    return [towards(corner, before), corner, towards(corner, after)]
  })
}

function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const share = length === 0 ? 0 : Math.min(radius, length / 2) / length
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
}

function alongAt(points: readonly Point[], share: number): Point {
  const parts = pairs(points).map(([one, other]) => ({ one, other, length: Math.hypot(other.x - one.x, other.y - one.y) }))
  let left = share * parts.reduce((sum, { length }) => sum + length, 0)
  for (const { one, other, length } of parts) {
    if (left <= length && length > 0)
      return { x: one.x + ((other.x - one.x) * left) / length, y: one.y + ((other.y - one.y) * left) / length }
    left -= length
  }
  return points.at(-1) ?? { x: 0, y: 0 }
}

/** A curve that leaves downwards and arrives from above. */
export function curveOf(from: Point, to: Point): Curve {
  const bend = Math.max(gap / 2, Math.abs(to.y - from.y) / 2)
  return [from, { x: from.x, y: from.y + bend }, { x: to.x, y: to.y - bend }, to]
}

function curveAt(curve: Curve, share: number): Point {
  const rest = 1 - share
  const weights = [rest ** 3, 3 * rest ** 2 * share, 3 * rest * share ** 2, share ** 3]
  const sum = (axis: 'x' | 'y') => curve.reduce((total, point, nth) => total + point[axis] * (weights[nth] ?? 0), 0)
  return { x: sum('x'), y: sum('y') }
}
