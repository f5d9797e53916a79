import type { EditedWorkflowFragment } from '../../../graphql/graphql.ts'
import { entryOf } from '../graph.ts'
import { exitsOf } from '../kinds.ts'

/** A place, in pixels. */
export interface Point {
  x: number
  y: number
}

/** How much room something takes. */
export interface Size {
  width: number
  height: number
}

/** Something at its place. */
export type Box = Point & Size

/** The sizes of what a canvas shows, in pixels. */
export const sizes = { step: { width: 240, height: 72 }, start: { width: 240, height: 48 }, end: { width: 128, height: 32 } }

/** What steps are placed on: the arrow keys move by one, and the mouse to the next. */
export const grid = 8

type Steps = EditedWorkflowFragment['steps']

const apiPitch = 150

/**
 * Whether somebody has placed the steps of a workflow, so that a canvas shows each where it is stored; otherwise it lays them out by
 * itself. Nothing stored says who chose a position. But the API puts a step that comes without one into the column x = 0, 150 below the
 * lowest, so that steps which are all in that column at such distances were most likely placed by nobody. Hence a canvas never stores x = 0 (see
 * `placed`), and stores the steps that it finds there when it stores any: what was dragged or arranged once stays placed.
 */
export function isPlaced(steps: Steps): boolean {
  return steps.some(({ position: { x, y } }) => x !== 0 || y % apiPitch !== 0)
}

/** A place as a canvas stores it: beside the column in which steps stand that nobody has placed. */
export function placed({ x, y }: Point): Point {
  return { x: x || 1, y }
}

/**
 * Where the steps of a placed workflow are shown: at their places, or where they have been moved since. One that nobody has placed,
 * such as one that another program has just added, is shown beside what it would cover.
 */
export function placesOf(steps: Steps, moved: ReadonlyMap<string, Point> = new Map()): Map<string, Point> {
  const all = steps.map(({ id, position: { x, y } }) => ({ id, at: moved.get(id) ?? { x, y } }))
  const places = new Map(all.filter(({ at }) => at.x !== 0).map(({ id, at }) => [id, at]))
  for (const { id, at } of all) if (!places.has(id)) places.set(id, freeSpot({ ...at, ...sizes.step }, boxesOf(places)))
  return new Map(all.map(({ id, at }) => [id, places.get(id) ?? at]))
}

/** Steps at their places, as boxes. */
export function boxesOf(places: ReadonlyMap<string, Point>): Box[] {
  return [...places.values()].map(({ x, y }) => ({ x, y, ...sizes.step }))
}

/** Whether one box covers a part of another, or comes nearer than `distance` to it. */
export function isNear(one: Box, other: Box, distance = 0): boolean {
  return (
    one.x < other.x + other.width + distance &&
    other.x < one.x + one.width + distance &&
    one.y < other.y + other.height + distance &&
    other.y < one.y + one.height + distance
  )
}

const [rows, columns] = [40, 40]
const step = 2 * grid

// From a box sideways and downwards, the nearest first.
const offsets: Point[] = Array.from({ length: rows }, (_, row) =>
  Array.from({ length: 2 * columns + 1 }, (_, column) => ({ x: (columns - column) * step, y: row * step })),
)
  .flat()
  .sort((one, other) => Math.hypot(one.x, one.y) - Math.hypot(other.x, other.y))

/** The place nearest to that of a box, beside it or below, where it covers none of others; its own where everything is taken. */
export function freeSpot(box: Box, taken: readonly Box[], distance = 0): Point {
  const isFree = ({ x, y }: Point) => !taken.some((one) => isNear({ ...box, x: box.x + x, y: box.y + y }, one, distance))
  const { x, y } = offsets.find(isFree) ?? { x: 0, y: 0 }
  return { x: box.x + x, y: box.y + y }
}

/** Between a step and the one below it: room for a line with its label. */
export const gap = 64
const distance = 16
const pitch = sizes.step.height + gap
const across = sizes.step.width + 2 * distance

/** Where a new step stands, and which ones move so that it covers none. */
export interface Room {
  position: Point
  moves: { stepId: string; position: Point }[]
}

/**
 * Room for a new step behind an exit of a step, or before the first one (`start`), in a placed workflow; undefined in others. Where
 * something follows, that and what stands as far below moves down, so that nothing comes nearer to anything else; otherwise it stands
 * at the nearest free place.
 */
export function roomFor(workflow: EditedWorkflowFragment, { add, exit }: { add: string; exit: string | undefined }): Room | undefined {
  const { steps } = workflow
  if (!isPlaced(steps)) return undefined
  const places = placesOf(steps)
  const before = steps.find(({ id }) => id === add)
  const exits = before ? exitsOf(before, workflow) : []
  const nth = exits.findIndex(({ branch }) => branch === (exit ?? null))
  const after = places.get((before ? exits[nth]?.to : entryOf(workflow)?.id) ?? '')
  const above = before && places.get(before.id)
  if (after) return pushed(places, { x: after.x, y: above ? above.y + pitch : after.y })
  if (!above) return undefined
  const ideal = { x: above.x + (Math.max(0, nth) - Math.max(0, exits.length - 1) / 2) * across, y: above.y + pitch, ...sizes.step }
  return { position: placed(freeSpot(ideal, boxesOf(places), distance)), moves: [] }
}

function pushed(places: ReadonlyMap<string, Point>, at: Point): Room {
  const box = { ...at, ...sizes.step }
  const inTheWay = boxesOf(places).filter((one) => isNear(one, box, distance))
  const from = Math.min(...inTheWay.map(({ y }) => y))
  const by = Math.ceil((at.y + pitch - from) / grid) * grid
  const below = [...places].filter(([, { y }]) => y >= from)
  return { position: placed(at), moves: below.map(([stepId, { x, y }]) => ({ stepId, position: placed({ x, y: y + by }) })) }
}
