import { Graph, layout } from '@dagrejs/dagre'
import type { EditedWorkflowFragment, WorkflowStepItemFragment } from '../../../graphql/graphql.ts'
import type { Exit } from '../graph.ts'
import { shownExits } from '../kinds.ts'

/** The sizes of what a canvas shows, in pixels. */
export const sizes = { step: { width: 240, height: 72 }, start: { width: 240, height: 48 }, end: { width: 128, height: 32 } }

/** Something at its place on a canvas; `end` is where an exit leads nowhere so far. */
export type Spot = { id: string; x: number; y: number } & (
  | { kind: 'start' }
  | { kind: 'step'; step: WorkflowStepItemFragment; exits: Exit[] }
  | { kind: 'end'; step: WorkflowStepItemFragment; exit: Exit }
)

/** A line of a canvas, from a step by one of its exits; the first one has none. */
export interface Line {
  id: string
  source: string
  target: string
  exit: Exit | null
  /** Where it bends, so that it passes no step. */
  bends: Point[]
  /** The middle of its label. */
  label: Point
}

/** A place, in pixels. */
export interface Point {
  x: number
  y: number
}

/** Where a canvas shows the steps of a workflow: from top to bottom, without any that overlap. */
export function laidOut(workflow: EditedWorkflowFragment): { spots: Spot[]; lines: Line[] } {
  const { steps, transitions } = workflow
  const targets = new Set(transitions.map(({ toStepId }) => toStepId))
  const first = steps.find(({ id }) => !targets.has(id))
  const bare = steps.map((step) => ({ step, exits: shownExits(step, workflow) }))
  const ends = bare.flatMap(({ step, exits }) =>
    exits.filter(({ to }) => to === null).map((exit) => ({ id: endOf(step.id, exit), step, exit })),
  )
  const bareLines = [
    ...(first ? [{ id: 'start', source: 'start', target: first.id, exit: null }] : []),
    ...bare.flatMap(({ step, exits }) =>
      exits.map((exit) => ({ id: `${step.id} ${exit.branch ?? ''}`, source: step.id, target: exit.to ?? endOf(step.id, exit), exit })),
    ),
  ]
  const { at, lineOf } = arranged(
    [{ id: 'start', ...sizes.start }, ...steps.map(({ id }) => ({ id, ...sizes.step })), ...ends.map(({ id }) => ({ id, ...sizes.end }))],
    bareLines,
  )
  const lines = bareLines.map(lineOf)
  // The exits of a step are in the order of their lines, so that these do not cross.
  const xOf = (id: string, { branch }: Exit) => lines.find((one) => one.source === id && one.exit?.branch === branch)?.label.x ?? 0
  const spots: Spot[] = [
    { ...at('start'), kind: 'start' },
    ...bare.map(
      ({ step, exits }): Spot => ({
        ...at(step.id),
        kind: 'step',
        step,
        exits: exits.toSorted((one, other) => xOf(step.id, one) - xOf(step.id, other)),
      }),
    ),
    ...ends.map(({ id, step, exit }): Spot => ({ ...at(id), kind: 'end', step, exit })),
  ]
  // The order of the keyboard is that of the eyes.
  return { spots: spots.toSorted((one, other) => one.y - other.y || one.x - other.x), lines }
}

type BareLine = Pick<Line, 'id' | 'source' | 'target' | 'exit'>

function arranged(boxes: { id: string; width: number; height: number }[], lines: BareLine[]) {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'TB', nodesep: 32, edgesep: 24, ranksep: 32 })
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height })
  for (const { id, source, target, exit } of lines)
    graph.setEdge(source, target, { width: 32 + 7 * (exit?.label?.length ?? 0), height: 28, labelpos: 'c' }, id)
  layout(graph)
  const at = (id: string) => {
    const { x, y, width, height } = graph.node(id) as Point & { width: number; height: number }
    return { id, x: x - width / 2, y: y - height / 2 }
  }
  const lineOf = (line: BareLine): Line => {
    const { points, x, y } = graph.edge(line.source, line.target, line.id) as Point & { points: Point[] }
    return { ...line, bends: points.slice(1, -1), label: { x, y } }
  }
  return { at, lineOf }
}

const endOf = (id: string, { branch }: Exit): string => `end ${id} ${branch ?? ''}`
