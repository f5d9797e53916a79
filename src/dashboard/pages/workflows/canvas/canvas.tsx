import '@xyflow/react/dist/base.css'
import './canvas.css'
import {
  Background,
  type Connection,
  Controls,
  type Edge,
  MarkerType,
  ReactFlow,
  type ReactFlowInstance,
  ReactFlowProvider,
} from '@xyflow/react'
import { useMemo, useState } from 'react'
import { useClient } from 'urql'
import { type Problem, problemOf } from '../../../data/failures.ts'
import { ConnectDocument, type EditedWorkflowFragment } from '../../../graphql/graphql.ts'
import { ProblemNote } from '../../../parts/state.tsx'
import { toast } from '../../../parts/toast.tsx'
import { reachedFrom } from '../graph.ts'
import type { WorkflowProgress } from '../progress.ts'
import { laidOut, sizes } from './layout.ts'
import { type LineData, LineOf } from './line.tsx'
import { EndNode, type EndNodeType, StartNode, type StartNodeType, StepNode, type StepNodeType } from './nodes.tsx'

interface Props {
  workflow: EditedWorkflowFragment
  progress: WorkflowProgress | undefined
  summary(step: EditedWorkflowFragment['steps'][number]): string
}

const nodeTypes = { step: StepNode, start: StartNode, end: EndNode }
const edgeTypes = { line: LineOf }

/** The steps of a workflow as a drawing: what the outline shows and does, laid out by itself. */
export function Canvas(props: Props) {
  const { problem, connect } = useConnecting()
  const nodes = useNodes(props)
  const edges = useEdges(props.workflow)
  return (
    <section className="card canvas" aria-label="Canvas">
      {problem && <ProblemNote problem={problem} />}
      <div className="canvas-pane">
        <ReactFlowProvider>
          <ReactFlow
            nodes={nodes}
            edges={edges}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            onConnect={(connection) => void connect(connection)}
            isValidConnection={({ source, target }) => isPossible(props.workflow, { source, target })}
            nodesDraggable={false}
            nodesFocusable={false}
            edgesFocusable={false}
            elementsSelectable={false}
            deleteKeyCode={null}
            disableKeyboardA11y
            preventScrolling={false}
            zoomOnScroll={false}
            panOnScroll={false}
            onInit={begin}
            minZoom={0.2}
            maxZoom={1.5}
          >
            <Background gap={16} />
            <Controls showInteractive={false} />
          </ReactFlow>
        </ReactFlowProvider>
      </div>
    </section>
  )
}

const margin = 24
const legible = 0.8

// All of it where that can be read, and otherwise the beginning.
function begin(flow: ReactFlowInstance<AnyNode, Edge<LineData>>): void {
  const pane = document.querySelector('.canvas-pane')?.getBoundingClientRect()
  const start = flow.getNode('start')
  if (!pane || !start) return
  const { x, width, height } = flow.getNodesBounds(flow.getNodes())
  const zoom = Math.max(legible, Math.min(1, (pane.width - 2 * margin) / width, (pane.height - 2 * margin) / height))
  const isWhole = width * zoom <= pane.width
  const middle = isWhole ? x + width / 2 : start.position.x + sizes.start.width / 2
  void flow.setViewport({ x: pane.width / 2 - middle * zoom, y: margin, zoom })
}

type AnyNode = StepNodeType | StartNodeType | EndNodeType

function useNodes({ workflow, progress, summary }: Props): AnyNode[] {
  const spots = useMemo(() => laidOut(workflow).spots, [workflow])
  return spots.map((spot): AnyNode => {
    const base = { id: spot.id, position: { x: spot.x, y: spot.y }, ...sizes[spot.kind], measured: sizes[spot.kind] }
    if (spot.kind === 'start') return { ...base, type: 'start', data: { workflow } }
    if (spot.kind === 'end') return { ...base, type: 'end', data: { step: spot.step, exit: spot.exit } }
    const { step, exits } = spot
    const issues = workflow.issues.filter(({ stepId }) => stepId === step.id)
    const counts = progress?.steps.find(({ id }) => id === step.id)
    return { ...base, type: 'step', data: { step, exits, summary: summary(step), issues, counts } }
  })
}

function useEdges(workflow: EditedWorkflowFragment): Edge<LineData>[] {
  return useMemo(
    () =>
      laidOut(workflow).lines.map(({ id, source, target, exit, bends, label }) => ({
        id,
        source,
        target,
        type: 'line',
        ...(exit && { sourceHandle: exit.branch ?? 'plain' }),
        markerEnd: { type: MarkerType.ArrowClosed },
        data: { exit, bends, label, step: workflow.steps.find((one) => one.id === source) },
      })),
    [workflow],
  )
}

// A step never leads to itself, or back to one that leads to it.
function isPossible({ transitions }: EditedWorkflowFragment, { source, target }: { source: string; target: string }): boolean {
  const nextOf = (id: string) => transitions.filter(({ fromStepId }) => fromStepId === id).map(({ toStepId }) => toStepId)
  return target.startsWith('stp_') && source.startsWith('stp_') && !reachedFrom(target, nextOf).has(source)
}

function useConnecting() {
  const client = useClient()
  const [problem, setProblem] = useState<Problem>()
  const connect = async ({ source, target, sourceHandle }: Connection) => {
    const branch = sourceHandle === 'plain' ? null : sourceHandle
    const { error } = await client.mutation(ConnectDocument, { input: { fromStepId: source, toStepId: target, branch, replace: true } })
    setProblem(error && problemOf(error))
    if (!error) toast('Connection changed')
  }
  return { problem, connect }
}
