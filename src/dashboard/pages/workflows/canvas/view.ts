import type { Edge, ReactFlowInstance } from '@xyflow/react'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Drawing, Spot } from './drawing.ts'
import type { LineData } from './line.tsx'
import type { AnyNode } from './nodes.tsx'
import { type Point, sizes } from './placement.ts'

type Flow = ReactFlowInstance<AnyNode, Edge<LineData>>

interface View {
  pane: RefObject<HTMLDivElement | null>
  /** To be called with the flow once it is there. */
  begin(flow: Flow): void
  /** Shows the drawing as at the beginning, once it is drawn anew. */
  beginAgain(): void
  /** Shows a step at a place, where it is not to be seen. */
  show(place: Point): void
}

/** Whether a finger points: it moves the drawing, and of the steps only those that it has selected before. */
export const isTouched = (): boolean => matchMedia('(pointer: coarse)').matches

const margin = 24
const legible = 0.8

/** Which part of the drawing is shown; with other steps it stays where it is. */
export function useView(drawing: Drawing): View {
  const pane = useRef<HTMLDivElement>(null)
  const [flow, setFlow] = useState<Flow>()
  const [begun, setBegun] = useState(0)
  const begin = useEffectEvent(() => flow && pane.current && showBeginning(flow, pane.current.getBoundingClientRect()))
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each wish, once what it is about is drawn
  useEffect(() => void begin(), [flow, begun])
  const drawn = useRef(drawing.spots)
  useLayoutEffect(() => {
    const by = shiftOf(drawn.current, drawing.spots)
    drawn.current = drawing.spots
    if (!flow || !by) return
    const { x, y, zoom } = flow.getViewport()
    void flow.setViewport({ x: x - by.x * zoom, y: y - by.y * zoom, zoom })
  }, [flow, drawing])
  const show = ({ x, y }: Point) => {
    const room = pane.current?.getBoundingClientRect()
    if (!flow || !room) return
    const { x: left, y: top, zoom } = flow.getViewport()
    const [from, to] = [
      { x: x * zoom + left, y: y * zoom + top },
      { x: (x + sizes.step.width) * zoom + left, y: (y + sizes.step.height) * zoom + top },
    ]
    if (from.x < 0 || from.y < 0 || to.x > room.width || to.y > room.height)
      void flow.setCenter(x + sizes.step.width / 2, y + sizes.step.height / 2, { zoom })
  }
  return { pane, begin: setFlow, beginAgain: () => setBegun((before) => before + 1), show }
}

// All of it where that can be read, and otherwise the beginning.
function showBeginning(flow: Flow, room: DOMRect): void {
  const start = flow.getNode('start')
  if (!start) return
  const { x, y, width, height } = flow.getNodesBounds(flow.getNodes())
  const zoom = Math.max(legible, Math.min(1, (room.width - 2 * margin) / width, (room.height - 2 * margin) / height))
  const middle = width * zoom <= room.width ? x + width / 2 : start.position.x + sizes.start.width / 2
  const top = height * zoom <= room.height - 2 * margin ? y : start.position.y
  void flow.setViewport({ x: room.width / 2 - middle * zoom, y: margin - top * zoom, zoom })
}

// A layout that is made anew with another step may move all of them: then what it begins with stays where it is seen.
function shiftOf(before: readonly Spot[], after: readonly Spot[]): Point | undefined {
  const steps = (spots: readonly Spot[]) => spots.filter(({ kind }) => kind === 'step')
  const [old, now] = [new Map(before.map((spot) => [spot.id, spot])), steps(after)]
  const isSame = now.length === steps(before).length && now.every(({ id }) => old.has(id))
  const [was, start] = [old.get('start'), after.find(({ id }) => id === 'start')]
  if (isSame || !was || !start) return undefined
  const isMoved = now.every(({ id, x, y }) => {
    const one = old.get(id)
    return !one || one.x !== x || one.y !== y
  })
  return isMoved ? { x: start.x - was.x, y: start.y - was.y } : undefined
}
