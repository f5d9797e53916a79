import { useEffect, useState } from 'react'
import { useLiveState, useProject } from '../data/project.tsx'
import { useIsOutdated } from '../data/read.ts'
import { Note } from '../parts/state.tsx'

/** What concerns all pages of a project: it is suspended, or the live connection is lost. */
export function Banners() {
  const { disabled } = useProject()
  const isLost = useLostForAWhile()
  const isOutdated = useIsOutdated()
  return (
    <div className="banners" role="status">
      {(isLost || isOutdated) && (
        <Note kind="warn">The connection is lost. What you see may be out of date; it is tried again until it works.</Note>
      )}
      {disabled && <Note kind="warn">This project is suspended: it can be read but not changed, and sends nothing.</Note>}
    </div>
  )
}

// A connection that is back at once, as during a deploy, is not worth a word.
const patienceMs = 2_000

function useLostForAWhile(): boolean {
  const state = useLiveState()
  const [isLost, setIsLost] = useState(false)
  useEffect(() => {
    if (state !== 'lost') return setIsLost(false)
    const timer = setTimeout(() => setIsLost(true), patienceMs)
    return () => clearTimeout(timer)
  }, [state])
  return isLost
}
