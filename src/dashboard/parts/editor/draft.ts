import { useState } from 'react'

/** Something that is edited here while it may be changed elsewhere. */
export interface Draft<T> {
  /** As it is edited. */
  draft: T
  /** As it was read or saved last, with when that was. */
  base: T
  version: string
  isDirty: boolean
  /** Whether it has been changed elsewhere while it was edited here. */
  isOutdated: boolean
  change(part: Partial<T>): void
  /** Takes what is stored, and forgets what was edited. */
  take(stored: T, version: string): void
  /** What was sent has been stored; what was typed meanwhile stays. */
  saved(sent: T, stored: T, version: string): void
}

/** A draft of what is stored. `version` is when that last changed: as long as nothing was edited, the draft follows it. */
export function useDraft<T extends object>(stored: T, version: string): Draft<T> {
  const [state, setState] = useState({ base: stored, version, draft: stored })
  const isDirty = isDifferent(state.base, state.draft)
  const isNewer = version > state.version
  if (isNewer && !isDirty) setState({ base: stored, version, draft: stored })
  return {
    draft: state.draft,
    base: state.base,
    version: state.version,
    isDirty,
    isOutdated: isNewer && isDirty,
    change: (part) => setState((before) => ({ ...before, draft: { ...before.draft, ...part } })),
    take: (base, at) => setState({ base, version: at, draft: base }),
    saved: (sent, base, at) => setState(({ draft }) => ({ base, version: at, draft: { ...base, ...typedSince(sent, draft) } })),
  }
}

function isDifferent<T extends object>(one: T, other: T): boolean {
  return Object.keys(typedSince(one, other)).length > 0
}

/** The fields of `after` that differ from those of `before`. */
export function typedSince<T extends object>(before: T, after: T): Partial<T> {
  // The entries are those of `after`.
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name as keyof T])) as Partial<T>
}
