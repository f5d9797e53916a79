import type { WorkflowStepItemFragment } from '../../../graphql/graphql.ts'
import type { Exit } from '../graph.ts'
import type { Point } from './placement.ts'

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
  /** Where it bends, so that it passes no step; null for a curve between two steps that people have placed. */
  bends: Point[] | null
  /** The middle of its label. */
  label: Point
}

/** A workflow as a canvas shows it. */
export interface Drawing {
  spots: Spot[]
  lines: Line[]
}

/** What a canvas shows of a workflow, without places. */
export interface Parts {
  first: string | undefined
  steps: { step: WorkflowStepItemFragment; exits: Exit[] }[]
  ends: { id: string; step: WorkflowStepItemFragment; exit: Exit }[]
  lines: Pick<Line, 'id' | 'source' | 'target' | 'exit'>[]
}

/** Where a canvas shows the parts of a workflow. */
export interface Layout {
  at(id: string): Point
  lineOf(line: Parts['lines'][number]): Line
  /** The exits of a step from left to right, so that their lines do not cross. */
  ordered(step: WorkflowStepItemFragment, exits: Exit[]): Exit[]
}
