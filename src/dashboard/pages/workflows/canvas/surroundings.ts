import type { WorkflowStepItemFragment } from '../../../graphql/graphql.ts'
import type { Exit } from '../graph.ts'
import type { Layout, Line, Parts } from './drawing.ts'
import { type Box, boxesOf, freeSpot, gap, isNear, type Point, sizes } from './placement.ts'
import { type Route, routeOf } from './routes.ts'

const distance = 8
const labelHeight = 28

/** The start, the ends and the lines of a workflow whose steps stand at places that people have chosen: near them, and covering none. */
export function besidePlaces({ first, steps, ends, lines }: Parts, places: ReadonlyMap<string, Point>): Layout {
  const all = new Map(places)
  const taken = boxesOf(places)
  const put = (id: string, box: Box) => {
    const spot = freeSpot(box, taken, distance)
    taken.push({ ...box, ...spot })
    all.set(id, spot)
  }
  const at = (id: string): Point => all.get(id) ?? { x: 0, y: 0 }
  const orders = new Map(steps.map(({ step, exits }) => [step.id, leftToRight(at(step.id), exits, at)]))
  const ordered = ({ id }: Pick<WorkflowStepItemFragment, 'id'>, exits: Exit[]) => orders.get(id) ?? exits
  const handleOf = (id: string, exit: Exit): Point => {
    const exits = orders.get(id) ?? []
    const share = (exits.findIndex(({ branch }) => branch === exit.branch) + 1) / (exits.length + 1)
    return { x: at(id).x + share * sizes.step.width, y: at(id).y + sizes.step.height }
  }
  if (first !== undefined) {
    const { x, y } = at(first)
    const box = { x, y: y - sizes.start.height - gap, ...sizes.start }
    // Above whatever is there: below, the line would lead backwards.
    const top = Math.min(...taken.filter((one) => isNear({ ...box, height: sizes.start.height + gap }, one)).map((one) => one.y), y)
    put('start', { ...box, y: top - sizes.start.height - gap })
  }
  for (const { id, step, exit } of ends) {
    const own = ordered(step, []).filter(({ to }) => to === null)
    const nth = own.findIndex(({ branch }) => branch === exit.branch) - (own.length - 1) / 2
    const middle = own.length === 1 ? handleOf(step.id, exit).x : at(step.id).x + sizes.step.width / 2 + nth * (sizes.end.width + 16)
    put(id, { x: middle - sizes.end.width / 2, y: at(step.id).y + sizes.step.height + gap, ...sizes.end })
  }
  const routes = routesOf(lines, { places, at, handleOf })
  const labels = labelsOf(lines, routes, taken)
  const lineOf: Layout['lineOf'] = (line) => ({
    ...line,
    bends: routes.get(line.id)?.bends ?? null,
    label: labels.get(line.id) ?? { x: 0, y: 0 },
  })
  return { at, ordered, lineOf }
}

// By where they lead to; those that lead nowhere stay in the middle.
function leftToRight({ x }: Point, exits: Exit[], at: (id: string) => Point): Exit[] {
  const xOf = ({ to }: Exit) => (to === null ? x : at(to).x)
  return exits.toSorted((one, other) => xOf(one) - xOf(other))
}

interface Surroundings {
  places: ReadonlyMap<string, Point>
  at(id: string): Point
  handleOf(id: string, exit: Exit): Point
}

// Around the steps that are neither where a line begins nor where it ends.
function routesOf(lines: Parts['lines'], { places, at, handleOf }: Surroundings): Map<Line['id'], Route> {
  return new Map(
    lines.map(({ id, source, target, exit }) => {
      const from = exit ? handleOf(source, exit) : { x: at(source).x + sizes.start.width / 2, y: at(source).y + sizes.start.height }
      const to = { x: at(target).x + (places.has(target) ? sizes.step : sizes.end).width / 2, y: at(target).y }
      const others = new Map([...places].filter(([one]) => one !== source && one !== target))
      return [id, routeOf(from, to, boxesOf(others))]
    }),
  )
}

// Where on their lines, and how far beside them: as near to the middle as they cover neither a step nor each other.
const shares = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82]
const asides = [0, 16, -16, 32, -32, 48, -48, 64, -64]
const widthOf = (exit: Exit | null): number => Math.ceil(6.6 * (exit?.label?.length ?? 0)) + (exit?.to === null ? 8 : 36)

function labelsOf(lines: Parts['lines'], routes: ReadonlyMap<Line['id'], Route>, taken: readonly Box[]): Map<Line['id'], Point> {
  const boxes = [...taken]
  return new Map(
    lines.map(({ id, exit }) => {
      const pointAt = (share: number) => routes.get(id)?.pointAt(share) ?? { x: 0, y: 0 }
      const width = widthOf(exit)
      const boxAt = ({ x, y }: Point) => ({ x: x - width / 2, y: y - labelHeight / 2, width, height: labelHeight })
      const points = shares.map(pointAt)
      const possible = asides.flatMap((aside) => points.map(({ x, y }) => ({ x: x + aside, y })))
      const point = possible.find((one) => !boxes.some((box) => isNear(boxAt(one), box))) ?? pointAt(0.5)
      boxes.push(boxAt(point))
      return [id, point]
    }),
  )
}
