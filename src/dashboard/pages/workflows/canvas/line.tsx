import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react'
import type { WorkflowStepItemFragment } from '../../../graphql/graphql.ts'
import type { Exit } from '../graph.ts'
import { AddLink } from '../steps/outline.tsx'
import type { Point } from './placement.ts'
import { curveOf } from './routes.ts'

/** What a line leads from; `step` is missing for the one from the start. */
export interface LineData extends Record<string, unknown> {
  exit: Exit | null
  step: WorkflowStepItemFragment | undefined
  bends: Point[] | null
  label: Point
}

/** A line from a step to the next, with the name of the exit, and a way to add a step between the two. */
export function LineOf({ sourceX, sourceY, targetX, targetY, markerEnd, data }: EdgeProps<Edge<LineData>>) {
  if (!data) return null
  const { exit, step, bends, label: middle } = data
  const [from, to] = [
    { x: sourceX, y: sourceY },
    { x: targetX, y: targetY },
  ]
  const path = bends ? bent([from, ...bends, to]) : curved(from, to)
  const place = step ? { add: step.id, ...(exit !== null && exit.branch !== null && { exit: exit.branch }) } : { add: 'start' }
  const label = step ? `Add a step after “${step.name}”${exit?.label ? `, ${exit.label}` : ''}` : 'Add a step before the first one'
  return (
    <>
      <BaseEdge path={path} {...(markerEnd && { markerEnd })} />
      <EdgeLabelRenderer>
        <div className="canvas-label nodrag nopan" style={{ transform: `translate(-50%, -50%) translate(${middle.x}px, ${middle.y}px)` }}>
          {exit?.label && <span>{exit.label}</span>}
          {(exit === null || exit.to !== null) && <AddLink place={place} label={label} />}
        </div>
      </EdgeLabelRenderer>
    </>
  )
}

// From bend to bend, with round corners; straight down at the end, where the arrow is.
function bent(points: Point[]): string {
  const [from, ...others] = points
  const parts = others.map((point, at) => {
    const next = others[at + 1]
    return next ? `Q ${point.x} ${point.y} ${(point.x + next.x) / 2} ${(point.y + next.y) / 2}` : `L ${point.x} ${point.y}`
  })
  return [`M ${from?.x} ${from?.y}`, ...parts].join(' ')
}

function curved(from: Point, to: Point): string {
  const [start, ...others] = curveOf(from, to).map(({ x, y }) => `${x} ${y}`)
  return `M ${start} C ${others.join(', ')}`
}
