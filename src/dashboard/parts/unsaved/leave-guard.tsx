import { useBlocker } from '@tanstack/react-router'
import { Question } from './question.tsx'
import { type Move, mayLeave, page, useIsUnsaved } from './unsaved.ts'

const isStaying = async (move: Move): Promise<boolean> => !(await mayLeave(move))

/** Asks before a page with unsaved changes is left, also by closing the tab; once, in the frame of all pages. */
export function LeaveGuard() {
  const isUnsaved = useIsUnsaved()
  useBlocker({ shouldBlockFn: isStaying, disabled: !isUnsaved, enableBeforeUnload: isUnsaved })
  return <Question scope={page} />
}
