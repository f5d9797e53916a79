import { createContext, useRef, useState } from 'react'

/** Whether the form that something stands in is being sent: its button does not send it again. */
export const SendingContext = createContext(false)

/** Something that is not begun again before it has ended. */
export interface Once<Input extends unknown[]> {
  /** Whether it is under way. */
  busy: boolean
  /** Begins it, and ends with it. While it is under way nothing happens. */
  run(...input: Input): Promise<unknown>
}

/** Lets what a press begins be begun once, however often and fast somebody presses. */
export function useOnce<Input extends unknown[]>(act: (...input: Input) => unknown): Once<Input> {
  const isUnderWay = useRef(false)
  const [busy, setBusy] = useState(false)
  const run = async (...input: Input) => {
    if (isUnderWay.current) return
    const result = act(...input)
    // What is done at once is over already.
    if (!(result instanceof Promise)) return result
    isUnderWay.current = true
    setBusy(true)
    try {
      return await result
    } finally {
      isUnderWay.current = false
      setBusy(false)
    }
  }
  return { busy, run }
}

/** Loads another page of the site; never ends, as this page is over then. */
export function leaveTo(path: string): Promise<never> {
  location.assign(path)
  return new Promise(() => {})
}
