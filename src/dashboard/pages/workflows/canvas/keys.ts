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
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const spotOf = (id: string) => moving.drawing.spots.find((spot) => spot.id === id)
  const nameOf = (id: string) => {
    const spot = spotOf(id)
    return spot?.kind === 'step' ? `“${spot.step.name}”` : ''
  }
  const end = useEffectEvent(async (id: string) => {
    timer.current = undefined
    const spot = spotOf(id)
    const others = selected.has(id) ? selected.size - 1 : 0
    const isSaved = await moving.save()
    if (spot && isSaved) say(`${nameOf(id)}${others > 0 ? ` and ${others} more` : ''} moved: ${spot.x} across, ${spot.y} down`)
  })
  const leave = useEffectEvent(() => {
    clearTimeout(timer.current)
    if (timer.current !== undefined) void moving.save()
  })
  useEffect(() => () => leave(), [])
  const move = (id: string, { x, y }: Point) => {
    const ids = selected.has(id) ? [...selected] : [id]
    const spots = ids.flatMap((one) => spotOf(one) ?? [])
    moving.put(spots.map((spot): [string, Point] => [spot.id, { x: spot.x + x, y: spot.y + y }]))
    const own = spotOf(id)
    if (own) show({ x: own.x + x, y: own.y + y })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void end(id), pauseMs)
  }
  const select = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
    say(
      `${nameOf(id)} ${next.has(id) ? 'selected' : 'no longer selected'}: ${next.size === 1 ? '1 step is' : `${next.size} steps are`} selected`,
    )
  }
  return (event) => {
    const { key, shiftKey, target } = event
    const id =
      target instanceof HTMLElement && target.matches('a') ? target.closest<HTMLElement>('.react-flow__node-step')?.dataset.id : undefined
    if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    if (key === 'Escape') return onSelect(new Set())
    const arrow = arrows[key]
    if (!arrow && key !== ' ') return
    event.preventDefault()
    const by = shiftKey ? farther * grid : grid
    if (arrow) move(id, { x: arrow.x * by, y: arrow.y * by })
    else select(id)
  }
}
