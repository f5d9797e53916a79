import { useState } from 'react'
import type { ContactFilter } from '../../graphql/graphql.ts'

/** Which contacts are selected: some of them, or all that match but some. */
export type Selection = { kind: 'some'; ids: ReadonlySet<string> } | { kind: 'all'; excluded: ReadonlySet<string> }

const nothing: Selection = { kind: 'some', ids: new Set() }

/** The selection of a list; with another filter it is empty again. */
export function useSelection(filter: ContactFilter): {
  selection: Selection
  has(id: string): boolean
  set(ids: readonly string[], isSelected: boolean): void
  all(): void
  clear(): void
} {
  const key = JSON.stringify(filter)
  const [{ selection, of }, setState] = useState({ selection: nothing, of: key })
  const current = of === key ? selection : nothing
  const become = (next: Selection) => setState({ selection: next, of: key })
  return {
    selection: current,
    has: (id) => (current.kind === 'some' ? current.ids.has(id) : !current.excluded.has(id)),
    set(ids, isSelected) {
      const isListed = current.kind === 'some' ? isSelected : !isSelected
      const listed = new Set(current.kind === 'some' ? current.ids : current.excluded)
      for (const id of ids) {
        if (isListed) listed.add(id)
        else listed.delete(id)
      }
      become(current.kind === 'some' ? { kind: 'some', ids: listed } : { kind: 'all', excluded: listed })
    },
    all: () => become({ kind: 'all', excluded: new Set() }),
    clear: () => become(nothing),
  }
}

/** How many contacts are selected, of so many that match; undefined while that is not known. */
export function sizeOf(selection: Selection, total: number | undefined): number | undefined {
  if (selection.kind === 'some') return selection.ids.size
  return total === undefined ? undefined : Math.max(0, total - selection.excluded.size)
}

/** The input of a bulk operation for a selection. */
export function inputOf(
  selection: Selection,
  filter: ContactFilter,
): { contactIds: string[] } | { filter: ContactFilter; excludedContactIds: string[] } {
  if (selection.kind === 'some') return { contactIds: [...selection.ids] }
  return { filter, excludedContactIds: [...selection.excluded] }
}
