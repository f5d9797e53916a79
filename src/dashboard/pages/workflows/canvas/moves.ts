import type { Problem } from '../../../data/failures.ts'
import { type Point, placed } from './placement.ts'

/** A step that stands elsewhere than what was read last says. */
export interface Moved extends Point {
  /** Whether it is to be saved still. */
  isNew: boolean
  /** Since when it is saved: until what is read is as new, it stands here. */
  savedAt?: string
}

/** What came of saving places: when, or why not. */
export type Saved = { savedAt: string } | { problem: Problem }

/** Steps that are being moved. What is read meanwhile, such as changes by others, moves none of them. */
export interface Moves {
  shown(): ReadonlyMap<string, Moved>
  onChange(listener: () => void): () => void
  /** Shows steps at places, which are to be saved. */
  put(places: Iterable<[string, Point]>): void
  /** Saves what is not saved, after what was saved before; a refusal puts all of it back. Undefined where there was nothing to save. */
  save(): Promise<Saved | undefined>
  /** The workflow has been read as it was at a time. */
  read(updatedAt: string): void
}

/** Steps that are being moved; `store` saves places, all or none. */
export function createMoves(store: (places: [string, Point][]) => Promise<Saved>): Moves {
  const listeners = new Set<() => void>()
  let shown: ReadonlyMap<string, Moved> = new Map()
  let readAt = ''
  let before: Promise<unknown> = Promise.resolve()
  const become = (next: Iterable<[string, Moved]>) => {
    shown = new Map(next)
    for (const listener of listeners) listener()
  }
  // Those that have been moved again meanwhile are of the next call.
  const settle = (mine: ReadonlyMap<string, Moved>, saved: Saved) =>
    become(
      [...shown].flatMap(([id, moved]): [string, Moved][] => {
        if (mine.get(id) !== moved) return [[id, moved]]
        return 'problem' in saved || saved.savedAt <= readAt ? [] : [[id, { ...moved, savedAt: saved.savedAt }]]
      }),
    )
  const save = async (): Promise<Saved | undefined> => {
    const mine = new Map([...shown].filter(([, { isNew }]) => isNew).map(([id, moved]) => [id, { ...moved, isNew: false }]))
    if (mine.size === 0) return undefined
    become([...shown, ...mine])
    const call = before.then(() => store([...mine].map(([id, { x, y }]) => [id, { x, y }])))
    before = call
    const saved = await call
    settle(mine, saved)
    return saved
  }
  return {
    shown: () => shown,
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    put: (places) => become([...shown, ...[...places].map(([id, at]): [string, Moved] => [id, { ...placed(at), isNew: true }])]),
    save,
    read(updatedAt) {
      readAt = updatedAt
      if ([...shown.values()].some(({ savedAt }) => savedAt !== undefined && savedAt <= readAt))
        become([...shown].filter(([, { savedAt }]) => savedAt === undefined || savedAt > readAt))
    },
  }
}
