import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from 'react'
import type { Moving } from './moving.ts'
import { grid, type Point } from './placement.ts'

interface Keys {
  moving: Moving
  selected: ReadonlySet<string>
  onSelect(selected: ReadonlySet<string>): void
  /** Says something to screen readers when there is time. */
  say(text: string): void
  /** Brings what was moved into view. */
  show(place: Point): void
}

const arrows: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}
const farther = 4
const pauseMs = 600

/**
 * The keys of a step that has the focus: arrows move it, with Shift farther, and with it the others that are selected; the space bar
 * selects it. Where it went is saved and said after a pause, or when the canvas is left.
 */
export function useKeys({ moving, selected, onSelect, say, show }: Keys): (event: KeyboardEvent<HTMLElement>) => void {
  const spotOf = (id: string) => moving.drawing.spots.find((spot) => spot.id === id)
  const save = async (id: string) => {
    const others = selected.has(id) ? selected.size - 1 : 0
    const [spot, isSaved] = [spotOf(id), await moving.save()]
    if (isSaved && spot?.kind === 'step')
      say(`“${spot.step.name}”${others > 0 ? ` and ${others} more` : ''} moved: ${spot.x} across, ${spot.y} down`)
  }
  const saveSoon = usePause(save, () => void moving.save())
  const move = (id: string, { x, y }: Point) => {
    const ids = selected.has(id) ? [...selected] : [id]
    const places = ids.flatMap((one) => spotOf(one) ?? []).map((spot): [string, Point] => [spot.id, { x: spot.x + x, y: spot.y + y }])
    moving.put(places)
    const own = places.find(([one]) => one === id)
    if (own) show(own[1])
    saveSoon(id)
  }
  const select = (id: string, name: string) => {
    const after = new Set(selected)
    if (!after.delete(id)) after.add(id)
    onSelect(after)
    say(
      `“${name}” ${after.has(id) ? 'selected' : 'no longer selected'}: ${after.size === 1 ? '1 step is' : `${after.size} steps are`} selected`,
    )
  }
  return (event) => {
    const spot = spotOf(stepOf(event.target) ?? '')
    const arrow = arrows[event.key]
    if (spot?.kind !== 'step' || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') return onSelect(new Set())
    if (!arrow && event.key !== ' ') return
    event.preventDefault()
    const by = event.shiftKey ? farther * grid : grid
    if (arrow) move(spot.id, { x: arrow.x * by, y: arrow.y * by })
    else select(spot.id, spot.step.name)
  }
}

// The step whose link has the focus.
function stepOf(target: EventTarget): string | undefined {
  return target instanceof HTMLAnchorElement ? target.closest<HTMLElement>('.react-flow__node-step')?.dataset.id : undefined
}

// Calls `run` once it has not been asked for a while; when what asks goes before, `leave` instead.
function usePause(run: (id: string) => Promise<void>, leave: () => void): (id: string) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const end = useEffectEvent((id: string) => {
    timer.current = undefined
    void run(id)
  })
  const stop = useEffectEvent(() => {
    clearTimeout(timer.current)
    if (timer.current !== undefined) leave()
  })
  useEffect(() => () => stop(), [])
  return (id) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => end(id), pauseMs)
  }
}
