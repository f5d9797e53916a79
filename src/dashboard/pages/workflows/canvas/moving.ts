import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { type Client, useClient } from 'urql'
import { type Problem, problemOf } from '../../../data/failures.ts'
import { type EditedWorkflowFragment, MoveStepsDocument } from '../../../graphql/graphql.ts'
import { toast } from '../../../parts/toast.tsx'
import type { Drawing } from './drawing.ts'
import { arrangementOf, laidOut } from './layout.ts'
import { createMoves, type Saved } from './moves.ts'
import type { Point } from './placement.ts'

/** The steps of a workflow at their places, and how they are moved. */
export interface Moving {
  drawing: Drawing
  /** Shows steps at places, until `save` saves them. */
  put(places: Iterable<[string, Point]>): void
  save(): Promise<boolean>
  /** Lays all steps out, and saves where they stand then. */
  arrange(): Promise<boolean>
  /** Puts all steps back to where they were before they were arranged; until anything else has changed, and nothing is being moved. */
  undo: (() => Promise<boolean>) | undefined
  /** Why places were not saved: the steps are back where they were. */
  problem: Problem | undefined
}

/** Shows the steps of a workflow where they are stored or being moved to, and saves where they were moved. */
export function useMoving(workflow: EditedWorkflowFragment): Moving {
  const { id, steps, updatedAt } = workflow
  const client = useClient()
  const [problem, setProblem] = useState<Problem>()
  const [arranged, setArranged] = useState<{ at: string; before: [string, Point][] }>()
  const [moves] = useState(() => createMoves((places) => store(client, id, places)))
  const moved = useSyncExternalStore(moves.onChange, moves.shown)
  useEffect(() => moves.read(updatedAt), [moves, updatedAt])
  const drawing = useMemo(() => laidOut(workflow, moved), [workflow, moved])
  const told = (saved: Saved | undefined): saved is { savedAt: string } => {
    setProblem(saved && 'problem' in saved ? saved.problem : undefined)
    return saved !== undefined && 'savedAt' in saved
  }
  const put: Moving['put'] = (places) => {
    // With the first that is placed all are: as they are shown, not in the column where nobody has placed them.
    const others = steps.filter(({ id, position }) => position.x === 0 && !moved.has(id)).map((step) => step.id)
    moves.put([
      ...drawing.spots.filter((spot) => others.includes(spot.id)).map(({ id, x, y }): [string, Point] => [id, { x, y }]),
      ...places,
    ])
  }
  const arrange = async () => {
    moves.put(arrangementOf(workflow))
    const saved = await moves.save()
    if (!told(saved)) return false
    setArranged({ at: saved.savedAt, before: steps.map(({ id, position: { x, y } }) => [id, { x, y }]) })
    return true
  }
  const takeBack = async () => {
    setArranged(undefined)
    const isBack = told(await store(client, id, arranged?.before ?? []))
    if (isBack) toast('Steps put back')
    return isBack
  }
  const isAtRest = [...moved.values()].every(({ savedAt }) => savedAt !== undefined)
  const canUndo = arranged !== undefined && isAtRest && updatedAt <= arranged.at
  return { drawing, put, save: async () => told(await moves.save()), arrange, undo: canUndo ? takeBack : undefined, problem }
}

async function store(client: Client, workflowId: string, places: [string, Point][]): Promise<Saved> {
  const positions = places.map(([stepId, { x, y }]) => ({ stepId, position: { x, y } }))
  const { data, error } = await client.mutation(MoveStepsDocument, { input: { workflowId, positions } })
  if (error) return { problem: problemOf(error) }
  return { savedAt: data?.moveWorkflowSteps.workflow.updatedAt ?? '' }
}
