import { Graph, layout } from '@dagrejs/dagre'
import type { EditedWorkflowFragment, WorkflowStepItemFragment } from '../../../graphql/graphql.ts'
import { type Exit, entryOf } from '../graph.ts'
import { shownExits } from '../kinds.ts'
import type { Drawing, Layout, Line, Parts, Spot } from './drawing.ts'
import { grid, isPlaced, type Point, placesOf, sizes } from './placement.ts'
import { besidePlaces } from './surroundings.ts'

/**
 * Where a canvas shows the steps of a workflow: where people have placed them, or have just moved them to, and otherwise from top to
 * bottom without any that overlap.
 */
export function laidOut(workflow: EditedWorkflowFragment, moved: ReadonlyMap<string, Point> = new Map()): Drawing {
  const parts = partsOf(workflow)
  const isByHand = moved.size > 0 || isPlaced(workflow.steps)
  const { at, lineOf, ordered } = isByHand ? besidePlaces(parts, placesOf(workflow.steps, moved)) : automatic(parts)
  const spots: Spot[] = [
    { id: 'start', ...at('start'), kind: 'start' },
    ...parts.steps.map(({ step, exits }): Spot => ({ id: step.id, ...at(step.id), kind: 'step', step, exits: ordered(step, exits) })),
    ...parts.ends.map((end): Spot => ({ ...end, ...at(end.id), kind: 'end' })),
  ]
  // The order of the keyboard is that of the eyes.
  return { spots: spots.toSorted((one, other) => one.y - other.y || one.x - other.x), lines: parts.lines.map(lineOf) }
}

/** The places of the steps of a workflow from top to bottom, without any that overlap. */
export function arrangementOf(workflow: EditedWorkflowFragment): Map<string, Point> {
  const { at } = automatic(partsOf(workflow))
  return new Map(workflow.steps.map(({ id }) => [id, at(id)]))
}

function partsOf(workflow: EditedWorkflowFragment): Parts {
  const steps = workflow.steps.map((step) => ({ step, exits: shownExits(step, workflow) }))
  const first = entryOf(workflow)?.id
  const ends = steps.flatMap(({ step, exits }) =>
    exits.filter(({ to }) => to === null).map((exit) => ({ id: endOf(step.id, exit), step, exit })),
  )
  const lines = steps.flatMap(({ step: { id }, exits }) =>
    exits.map((exit) => ({ id: `${id} ${exit.branch ?? ''}`, source: id, target: exit.to ?? endOf(id, exit), exit })),
  )
  return {
    first,
    steps,
    ends,
    lines: first === undefined ? lines : [{ id: 'start', source: 'start', target: first, exit: null }, ...lines],
  }
}

const endOf = (id: string, { branch }: Exit): string => `end ${id} ${branch ?? ''}`

const left = 5 * grid

function automatic({ steps, ends, lines }: Parts): Layout {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'TB', nodesep: 32, edgesep: 24, ranksep: 32 })
  graph.setNode('start', { ...sizes.start })
  for (const { step } of steps) graph.setNode(step.id, { ...sizes.step })
  for (const { id } of ends) graph.setNode(id, { ...sizes.end })
  for (const { id, source, target, exit } of lines)
    graph.setEdge(source, target, { width: 32 + 7 * (exit?.label?.length ?? 0), height: 28, labelpos: 'c' }, id)
  layout(graph)
  const boxOf = (id: string) => graph.node(id) as Point & { width: number; height: number }
  // The steps stand on the grid, beside the column of those that nobody has placed: where they are stored when they are.
  const byX = left - Math.min(...steps.map(({ step: { id } }) => boxOf(id).x - sizes.step.width / 2))
  // Lines are shifted sideways like the steps, so that those straight down stay straight.
  const shifted = ({ x, y }: Point) => ({ x: toGrid(x + byX), y })
  const at = (id: string) => {
    const { x, y, width, height } = boxOf(id)
    return { x: toGrid(x + byX) - width / 2, y: toGrid(y - height / 2) }
  }
  const lineOf = (line: Parts['lines'][number]): Line => {
    const { points, x, y } = graph.edge(line.source, line.target, line.id) as Point & { points: Point[] }
    return { ...line, bends: points.slice(1, -1).map(shifted), label: shifted({ x, y }) }
  }
  const labelOf = (id: string, { branch }: Exit) => lines.find((one) => one.source === id && one.exit?.branch === branch)
  const xOf = (id: string, exit: Exit) => {
    const line = labelOf(id, exit)
    return line ? lineOf(line).label.x : 0
  }
  const ordered = ({ id }: WorkflowStepItemFragment, exits: Exit[]) => exits.toSorted((one, other) => xOf(id, one) - xOf(id, other))
  return { at, lineOf, ordered }
}

const toGrid = (length: number): number => Math.round(length / grid) * grid
