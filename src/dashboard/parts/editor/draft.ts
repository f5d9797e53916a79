import { useLayoutEffect, useRef, useState } from 'react'

/** What is edited, and what it was made from. */
interface Edit<T> {
  /** As it is edited. */
  draft: T
  /** As it was read or saved last, with when that was. */
  base: T
  version: string
}

/** Something that is edited here while it may be changed elsewhere. */
export interface Draft<T> {
  /** As it is edited, and drawn. */
  draft: T
  isDirty: boolean
  /** Whether it has been changed elsewhere while it was edited here. */
  isOutdated: boolean
  /** What is edited at this moment, also what was typed and is not drawn yet. */
  latest(): Edit<T> & { isDirty: boolean }
  change(part: Partial<T>): void
  /** Takes what is stored, and forgets what was edited. */
  take(): void
  /** What was sent has been stored; what was typed meanwhile stays. */
  saved(sent: T, stored: T, version: string): void
}

/** A draft of what is stored. `version` is when that last changed: as long as nothing was edited, the draft follows it. */
export function useDraft<T extends object>(stored: T, version: string): Draft<T> {
  const read: Edit<T> = { draft: stored, base: stored, version }
  const [drawn, setDrawn] = useState(read)
  const edited = useRef(drawn)
  const newest = useRef(read)
  useLayoutEffect(() => {
    newest.current = read
  })
  const put = (edit: Edit<T>) => {
    edited.current = edit
    setDrawn(edit)
  }
  const latest = () => {
    const edit = following(edited.current, newest.current)
    return { ...edit, isDirty: isDirty(edit) }
  }
  const shown = following(drawn, read)
  return {
    draft: shown.draft,
    isDirty: isDirty(shown),
    isOutdated: version > shown.version,
    latest,
    change(part) {
      const { base, version: at, draft } = latest()
      put({ base, version: at, draft: { ...draft, ...part } })
    },
    take: () => put(newest.current),
    saved: (sent, base, at) => put({ base, version: at, draft: { ...base, ...typedSince(sent, latest().draft) } }),
  }
}

function following<T extends object>(edit: Edit<T>, read: Edit<T>): Edit<T> {
  return read.version > edit.version && !isDirty(edit) ? read : edit
}

function isDirty<T extends object>({ base, draft }: Edit<T>): boolean {
  return Object.keys(typedSince(base, draft)).length > 0
}

/** The fields of `after` that differ from those of `before`. */
export function typedSince<T extends object>(before: T, after: T): Partial<T> {
  // The entries are those of `after`.
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name as keyof T])) as Partial<T>
}
