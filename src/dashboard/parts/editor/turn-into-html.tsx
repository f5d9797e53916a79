import type { ReactNode } from 'react'
import type { Problem } from '../../data/failures.ts'
import { ConfirmDialog } from '../dialog.tsx'

interface Props {
  open: boolean
  onClose(): void
  problem: Problem | undefined
  onConfirm(): Promise<unknown>
  /** What becomes of the visual version. */
  children: ReactNode
}

/** Asks before something visual becomes HTML. */
export function TurnIntoHtml({ children, ...dialog }: Props) {
  return (
    <ConfirmDialog title="Turn it into HTML?" verb="Turn into HTML" {...dialog}>
      You write its HTML yourself from then on: it cannot be turned back. {children}
    </ConfirmDialog>
  )
}
