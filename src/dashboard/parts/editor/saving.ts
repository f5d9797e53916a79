import { useEffect, useEffectEvent, useRef } from 'react'
import { changesOf } from './content.ts'
import { type Draft, useDraft } from './draft.ts'

type Changes<T> = Partial<{ [K in keyof T]: T[K] | null }>

/** What is stored, with when it last changed. */
export interface Stored<T> {
  value: T
  version: string
}

interface Options<T> {
  stored: Stored<T>
  /** Stores what has changed: what is stored then, or undefined when it was refused. Without `ifUpdatedAt` whatever others have stored is replaced. */
  store(changes: Changes<T>, ifUpdatedAt: string | undefined): Promise<Stored<T> | undefined>
}

/** Something that is being edited. */
export interface Saving<T> extends Omit<Draft<T>, 'latest' | 'saved'> {
  /** Stores what has changed; `replace` also what somebody else has changed meanwhile. Whether nothing is left to store. */
  save(mode?: 'replace'): Promise<boolean>
}

/** Edits what is stored; Ctrl-S saves. What somebody else has stored meanwhile is not replaced unless that is asked for. */
export function useSaving<T extends object>({ stored, store }: Options<T>): Saving<T> {
  const { latest, saved, ...draft } = useDraft(stored.value, stored.version)
  const before = useRef<Promise<unknown>>(Promise.resolve())
  const storeEdited = async (mode: 'replace' | undefined) => {
    const edit = latest()
    if (!edit.isDirty) return true
    const answer = await store(changesOf(edit.base, edit.draft), mode === 'replace' ? undefined : edit.version)
    if (answer) saved(edit.draft, answer.value, answer.version)
    return answer !== undefined
  }
  const save = (mode?: 'replace') => {
    // One after the other: what is typed while one is under way is compared with what that has stored.
    const saved = before.current.then(() => storeEdited(mode))
    before.current = saved.catch(() => {})
    return saved
  }
  useSaveKey(save)
  return { ...draft, save }
}

function useSaveKey(save: () => Promise<boolean>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    void save()
  })
  useEffect(() => {
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
