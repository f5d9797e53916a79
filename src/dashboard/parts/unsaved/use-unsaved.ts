import { type RefObject, use, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { note, ScopeContext } from './unsaved.ts'

/** Has somebody asked before unsaved changes of a page are lost, which its tabs share. */
export function useUnsaved(isChanged: boolean, isKeptOverTabs = false): void {
  const scope = use(ScopeContext)
  const [key] = useState(() => ({}))
  useEffect(() => {
    note(key, isChanged ? { scope, isKeptOverTabs } : undefined)
    return () => note(key, undefined)
  }, [key, isChanged, scope, isKeptOverTabs])
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

interface Typing {
  /** To be called before a control can be changed: some have come since the form was drawn. */
  meet(): void
  /** To be called when one was changed. */
  look(target: EventTarget): void
  /** What is typed is being sent: it is not lost by going on. The answer is to be called with whether it was refused. */
  send(): (isRefused: boolean) => void
}

/** Sees whether something in a form differs from what stood there before somebody typed, and has them asked before it is lost. */
export function useTyping(form: RefObject<HTMLFormElement | null>, isWatched: boolean): Typing {
  const scope = use(ScopeContext)
  // Of each control what stood in it before it was changed; the others follow what the page shows.
  const [before] = useState(() => new Map<Control, string>())
  const typed = useRef(new Set<Control>())
  const controls = () => (isWatched ? controlsOf(form.current) : [])
  const remember = () => {
    for (const control of controls()) if (!typed.current.has(control)) before.set(control, textOf(control))
  }
  const isChanged = () => [...typed.current].some((one) => one.isConnected && before.get(one) !== textOf(one))
  const compare = () => note(before, isChanged() ? { scope, isKeptOverTabs: false } : undefined)
  useLayoutEffect(() => {
    remember()
    // What the page has put back is saved; what was discarded stays so until somebody types again.
    if (!isChanged()) note(before, undefined)
  })
  useLayoutEffect(() => () => note(before, undefined), [before])
  return {
    meet() {
      for (const control of controls()) if (!before.has(control)) before.set(control, textOf(control))
    },
    look(target) {
      if (!isWatched || !isControl(target) || target.form !== form.current) return
      typed.current.add(target)
      compare()
    },
    send() {
      const was = [...typed.current].map((one) => [one, before.get(one)] as const)
      typed.current = new Set()
      remember()
      compare()
      return (isRefused) => {
        if (!isRefused) return
        for (const [control, value = ''] of was) {
          typed.current.add(control)
          before.set(control, value)
        }
        compare()
      }
    },
  }
}

function isControl(target: EventTarget): target is Control {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
  // A file is chosen, not typed, and its field is emptied at once.
  return isField && target.type !== 'file'
}

const controlsOf = (form: HTMLFormElement | null): Control[] => [...(form?.elements ?? [])].filter(isControl)

function textOf(control: Control): string {
  const isTicked = control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type)
  return isTicked ? String(control.checked) : control.value
}
