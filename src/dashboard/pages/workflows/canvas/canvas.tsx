import '@xyflow/react/dist/base.css'
import './canvas.css'
import { Background, Controls, type Edge, MarkerType, type NodeChange, ReactFlow, ReactFlowProvider } from '@xyflow/react'
import { type MouseEvent, useId, useState } from 'react'
import type { EditedWorkflowFragment } from '../../../graphql/graphql.ts'
import { ProblemNote } from '../../../parts/state.tsx'
import { reachedFrom } from '../graph.ts'
import type { WorkflowProgress } from '../progress.ts'
import type { Undo } from '../undo.ts'
import { useConnecting } from './connecting.ts'
import type { Drawing } from './drawing.ts'
import { useKeys } from './keys.ts'
import { type LineData, LineOf } from './line.tsx'
import { useMoving } from './moving.ts'
import { type AnyNode, EndNode, StartNode, StepNode } from './nodes.tsx'
import { grid, type Point, sizes } from './placement.ts'
import { Tools } from './tools.tsx'
import { isTouched, useView } from './view.ts'

interface Props {
  workflow: EditedWorkflowFragment
  progress: WorkflowProgress | undefined
  undo: Undo
  summary(step: EditedWorkflowFragment['steps'][number]): string
}

const nodeTypes = { step: StepNode, start: StartNode, end: EndNode }
const edgeTypes = { line: LineOf }
const snap: [number, number] = [grid, grid]
// Jitter of the hand is not a drag.
const dragThreshold = 4

/** The steps of a workflow as a drawing: what the outline shows and does, each step where somebody has placed it. */
export function Canvas(props: Props) {
  const { workflow, undo } = props
  const hint = useId()
  const { refused, draw } = useConnecting(workflow, undo)
  const moving = useMoving(workflow)
  const problem = refused ?? undo.problem ?? moving.problem
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [said, say] = useState('')
  const { pane, begin, beginAgain, show } = useView(moving.drawing)
  const onKeyDown = useKeys({ moving, selected, onSelect: setSelected, say, show })
  const change = (changes: NodeChange<AnyNode>[]) => {
    const places = changes.flatMap((one): [string, Point][] => (one.type === 'position' && one.position ? [[one.id, one.position]] : []))
    if (places.length > 0) moving.put(places)
    const selections = changes.filter((one) => one.type === 'select')
    if (selections.length > 0) setSelected((before) => selectedAfter(before, selections))
  }
  return (
    <section className="card canvas" aria-label="Canvas">
      <Tools arrange={moving.arrange} undo={undo.run ?? moving.undo} hint={hint} onArranged={beginAgain} />
      {problem && <ProblemNote problem={problem} />}
      <p role="status" className="sr-only">
        {said}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the links of the steps in it */}
      <div className="canvas-pane" ref={pane} onKeyDown={onKeyDown}>
        <ReactFlowProvider>
          <ReactFlow
            nodes={nodesOf(props, moving.drawing, { selected, hint })}
            edges={edgesOf(workflow, moving.drawing)}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            onNodesChange={change}
            onNodeClick={focusStep}
            onNodeDragStop={() => void moving.save()}
            onSelectionDragStop={() => void moving.save()}
            onConnect={(connection) => void draw(connection)}
            isValidConnection={({ source, target }) => isPossible(workflow, { source, target })}
            snapToGrid
            snapGrid={snap}
            nodeDragThreshold={dragThreshold}
            nodesFocusable={false}
            edgesFocusable={false}
            deleteKeyCode={null}
            panActivationKeyCode={null}
            disableKeyboardA11y
            preventScrolling={false}
            zoomOnScroll={false}
            panOnScroll={false}
            onInit={begin}
            minZoom={0.2}
            maxZoom={1.5}
          >
            <Background gap={2 * grid} />
            <Controls showInteractive={false} />
          </ReactFlow>
        </ReactFlowProvider>
      </div>
    </section>
  )
}

interface Shown {
  selected: ReadonlySet<string>
  hint: string
}

function nodesOf({ workflow, progress, summary }: Props, { spots }: Drawing, { selected, hint }: Shown): AnyNode[] {
  const isFree = !isTouched()
  return spots.map((spot): AnyNode => {
    const base = { id: spot.id, position: { x: spot.x, y: spot.y }, ...sizes[spot.kind], measured: sizes[spot.kind] }
    const fixed = { ...base, draggable: false, selectable: false }
    if (spot.kind === 'start') return { ...fixed, type: 'start', data: { workflow } }
    if (spot.kind === 'end') return { ...fixed, type: 'end', data: { step: spot.step, exit: spot.exit } }
    const { step, exits } = spot
    const issues = workflow.issues.filter(({ stepId }) => stepId === step.id)
    const counts = progress?.steps.find(({ id }) => id === step.id)
    const isSelected = selected.has(step.id)
    const data = { step, exits, summary: summary(step), issues, counts, hint }
    return { ...base, type: 'step', selected: isSelected, draggable: isSelected || isFree, data }
  })
}

function edgesOf({ steps }: EditedWorkflowFragment, { lines }: Drawing): Edge<LineData>[] {
  return lines.map(({ id, source, target, exit, bends, label }) => ({
    id,
    source,
    target,
    type: 'line',
    selectable: false,
    ...(exit && { sourceHandle: exit.branch ?? 'plain' }),
    markerEnd: { type: MarkerType.ArrowClosed },
    data: { exit, bends, label, step: steps.find((one) => one.id === source) },
  }))
}

function selectedAfter(before: ReadonlySet<string>, changes: { id: string; selected: boolean }[]): ReadonlySet<string> {
  const after = new Set(before)
  for (const { id, selected } of changes) {
    if (selected) after.add(id)
    else after.delete(id)
  }
  return after
}

// The arrow keys move what was clicked.
function focusStep({ currentTarget }: MouseEvent): void {
  currentTarget.querySelector<HTMLElement>('.canvas-text a')?.focus({ preventScroll: true })
}

// A step never leads to itself, or back to one that leads to it.
function isPossible({ transitions }: EditedWorkflowFragment, { source, target }: { source: string; target: string }): boolean {
  const nextOf = (id: string) => transitions.filter(({ fromStepId }) => fromStepId === id).map(({ toStepId }) => toStepId)
  return target.startsWith('stp_') && source.startsWith('stp_') && !reachedFrom(target, nextOf).has(source)
}
