import { createContext, useEffect, useState, useSyncExternalStore } from 'react'

/** What is lost together: a page, or an open dialog. */
export interface Scope {
  isPage: boolean
}

/** One form with changes that are not saved. */
interface Unsaved {
  scope: Scope
  /** Whether the page keeps them while it shows another tab. */
  isKeptOverTabs: boolean
}

/** Where somebody goes from, and to. */
export interface Move {
  current: { pathname: string; search: object }
  next: { pathname: string; search: object }
}

/** The page that is shown, with all that stands in it and in no dialog. */
export const page: Scope = { isPage: true }
/** The scope that a form stands in. */
export const ScopeContext = createContext<Scope>(page)

const unsaved = new Map<object, Unsaved>()
let scopes: readonly Scope[] = [page]
let answer: ((isDiscarded: boolean) => void) | undefined
const listeners = new Set<() => void>()

function changed(): void {
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Says whether `form` has changes that are not saved. */
export function note(form: object, changes: Unsaved | undefined): void {
  if (changes) unsaved.set(form, changes)
  else if (!unsaved.delete(form)) return
  changed()
}

function forget(isMeant: (one: Unsaved) => boolean): void {
  for (const [form, one] of unsaved) if (isMeant(one)) unsaved.delete(form)
  changed()
}

/** Forgets all that was typed, such as into the form of something that has been deleted. */
export const forgetAll = (): void => forget(() => true)

async function isDiscarded(isMeant: (one: Unsaved) => boolean): Promise<boolean> {
  if (![...unsaved.values()].some(isMeant)) return true
  // A question that nobody has answered is about the same.
  answer?.(false)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  answer = resolve
  changed()
  const isGone = await promise
  if (answer === resolve) answer = undefined
  if (isGone) forget(isMeant)
  changed()
  return isGone
}

/** Whether a dialog may be closed: asks where that would lose something. */
export const mayClose = (scope: Scope): Promise<boolean> => isDiscarded((one) => one.scope === scope)

/** Whether somebody may go elsewhere: asks where that would lose something. */
export const mayLeave = (move: Move): Promise<boolean> => isDiscarded((one) => isLostBy(one, move))

/** Whether somebody may leave the dashboard: asks where anything would be lost. */
export const mayLeaveAll = (): Promise<boolean> => isDiscarded(() => true)

// Dialogs are open at one address; forms of a page stand on one of its tabs.
function isLostBy({ scope, isKeptOverTabs }: Unsaved, { current, next }: Move): boolean {
  if (current.pathname !== next.pathname) return true
  if (!scope.isPage) return JSON.stringify(current.search) !== JSON.stringify(next.search)
  return !isKeptOverTabs && tabOf(current.search) !== tabOf(next.search)
}

// Only some pages have tabs.
const tabOf = (search: object): unknown => ('tab' in search ? search.tab : undefined)

/** Whether anything is not saved. */
export function useIsUnsaved(): boolean {
  return useSyncExternalStore(listen, () => unsaved.size > 0)
}

/** Answers the question whether changes are discarded, while it stands in this scope: that on top of all others. */
export function useQuestion(scope: Scope): ((isDiscarded: boolean) => void) | undefined {
  return useSyncExternalStore(listen, () => (scopes.at(-1) === scope ? answer : undefined))
}

/** The scope of a dialog, while it is open. */
export function useDialogScope(isOpen: boolean): Scope {
  const [scope] = useState<Scope>(() => ({ isPage: false }))
  useEffect(() => {
    if (!isOpen) return
    scopes = [...scopes, scope]
    changed()
    return () => {
      scopes = scopes.filter((one) => one !== scope)
      changed()
    }
  }, [isOpen, scope])
  return scope
}
