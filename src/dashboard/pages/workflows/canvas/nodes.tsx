import { Link } from '@tanstack/react-router'
import { Handle, type Node, type NodeProps, Position, useReactFlow, useUpdateNodeInternals } from '@xyflow/react'
import { type FocusEvent, type ReactNode, useEffect } from 'react'
import { number } from '../../../data/format.ts'
import type { EditedWorkflowFragment, WorkflowIssueItemFragment, WorkflowStepItemFragment } from '../../../graphql/graphql.ts'
import { Icon } from '../../../parts/icon.tsx'
import { Badge } from '../../../parts/state.tsx'
import type { Exit } from '../graph.ts'
import { kinds } from '../kinds.ts'
import type { WorkflowProgress } from '../progress.ts'
import { AddLink } from '../steps/outline.tsx'

/** A step on the canvas. */
export type StepNodeType = Node<
  {
    step: WorkflowStepItemFragment
    exits: Exit[]
    summary: string
    issues: WorkflowIssueItemFragment[]
    counts: WorkflowProgress['steps'][number] | undefined
    /** The id of the text that says how steps are moved. */
    hint: string
  },
  'step'
>
/** What starts the executions. */
export type StartNodeType = Node<{ workflow: EditedWorkflowFragment }, 'start'>
/** Where an exit leads nowhere so far. */
export type EndNodeType = Node<{ step: WorkflowStepItemFragment; exit: Exit }, 'end'>
/** Whatever a canvas shows. */
export type AnyNode = StepNodeType | StartNodeType | EndNodeType

// What gets the focus comes into view where it is not; the browser would scroll what must not be scrolled.
function InView({ id, className, children }: { id: string; className: string; children: ReactNode }) {
  const { getNode, setCenter, getZoom } = useReactFlow()
  const show = (event: FocusEvent<HTMLElement>) => {
    if (!event.target.matches(':focus-visible')) return
    const node = getNode(id)
    const pane = event.target.closest('.react-flow')
    if (pane) pane.scrollTo(0, 0)
    if (node && !isInside(event.currentTarget, pane))
      void setCenter(node.position.x + (node.width ?? 0) / 2, node.position.y + (node.height ?? 0) / 2, { zoom: getZoom() })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only follows the focus of the links in it
    <div className={className} onFocus={show}>
      {children}
    </div>
  )
}

function isInside(element: Element, pane: Element | null): boolean {
  const [box, room] = [element.getBoundingClientRect(), pane?.getBoundingClientRect()]
  return room !== undefined && box.left >= room.left && box.top >= room.top && box.right <= room.right && box.bottom <= room.bottom
}

/** A step: its name leads to its form, its exits can be drawn to other steps. */
export function StepNode({ id, data: { step, exits, summary, issues, counts, hint } }: NodeProps<StepNodeType>) {
  const errors = issues.filter(({ severity }) => severity === 'ERROR').length
  const [handles, active] = [exits, counts?.active ?? 0]
  const order = exits.map(({ branch }) => branch ?? 'plain').join(' ')
  const measure = useUpdateNodeInternals()
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines begin where the exits were measured, which others or another order move
  useEffect(() => measure(id), [measure, id, order])
  return (
    <InView id={id} className={errors > 0 ? 'canvas-step bad' : 'canvas-step'}>
      <Handle type="target" position={Position.Top} />
      <Icon name={kinds[step.type].icon} />
      <div className="canvas-text">
        <Link
          to="."
          search={(before: object) => ({ ...before, step: id })}
          resetScroll={false}
          className="nopan"
          draggable={false}
          aria-describedby={hint}
        >
          {step.name}
        </Link>
        <span className="muted cut">{summary}</span>
        <span className="badges">
          {active > 0 && <Badge tone="info">{number(active)} here</Badge>}
          {errors > 0 && <Badge tone="bad">{errors === 1 ? '1 error' : `${errors} errors`}</Badge>}
          {issues.length > errors && (
            <Badge tone="warn">{issues.length - errors === 1 ? '1 warning' : `${issues.length - errors} warnings`}</Badge>
          )}
        </span>
      </div>
      {handles.map(({ branch }, at) => (
        <Handle
          key={branch ?? 'plain'}
          id={branch ?? 'plain'}
          type="source"
          position={Position.Bottom}
          style={{ left: `${((at + 1) * 100) / (handles.length + 1)}%` }}
        />
      ))}
    </InView>
  )
}

/** What starts the workflow. */
export function StartNode({
  data: {
    workflow: { triggerType, triggerConfig },
  },
}: NodeProps<StartNodeType>) {
  return (
    <div className="canvas-start">
      <strong>Start</strong>
      <span className="muted cut">{triggerType === 'MANUAL' ? 'by hand' : (triggerConfig?.eventName ?? 'no event yet')}</span>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  )
}

/** An exit that leads nowhere: a step can be added there. */
export function EndNode({ id, data: { step, exit } }: NodeProps<EndNodeType>) {
  const place = { add: step.id, ...(exit.branch !== null && { exit: exit.branch }) }
  return (
    <InView id={id} className="canvas-end nodrag nopan">
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <AddLink place={place} label={`Add a step after “${step.name}”${exit.label ? `, ${exit.label}` : ''}`} isLast />
    </InView>
  )
}
