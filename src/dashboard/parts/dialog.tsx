import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useRef, useState } from 'react'
import type { Problem } from '../data/failures.ts'
import { Button, IconButton } from './button.tsx'
import { TextField } from './field.tsx'
import { Form } from './form.tsx'

interface Props {
  open: boolean
  /** Escape, the backdrop and the cross close it; the focus then returns to where it was. */
  onClose(): void
  title: string
  /** `drawer`: at the side, for details of a row; `nav`: at the other side, for the navigation of narrow screens. */
  kind?: 'dialog' | 'drawer' | 'nav'
  children: ReactNode
}

/** A dialog over the page, or a drawer beside it. Nothing behind it can be reached while it is open. */
export function Dialog({ open, onClose, title, kind = 'dialog', children }: Props) {
  const body = useRef<HTMLDivElement>(null)
  const firstField = () => body.current?.querySelector<HTMLElement>('input, select, textarea') ?? true
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={`popup ${kind}`} initialFocus={firstField}>
          <header className="popup-head">
            <Base.Title className="popup-title">{title}</Base.Title>
            <Base.Close render={<IconButton icon="close" label="Close" />} />
          </header>
          <div className="popup-body" ref={body}>
            {children}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

interface ConfirmProps {
  open: boolean
  onClose(): void
  title: string
  /** What will happen, and that it cannot be undone. */
  children: ReactNode
  /** The word of the button, such as Delete. */
  verb: string
  /** The word of the button that does nothing. */
  refusal?: string
  /** Must be typed first, such as the name of what is deleted. */
  typed?: string
  busy: boolean
  problem: Problem | undefined
  onConfirm(): void
}

/** Asks before something that cannot be undone is done. */
export function ConfirmDialog({ open, onClose, title, children, verb, refusal = 'Keep', typed, busy, problem, onConfirm }: ConfirmProps) {
  const [text, setText] = useState('')
  const isTyped = typed === undefined || text.trim() === typed
  const close = () => {
    setText('')
    onClose()
  }
  return (
    <Dialog open={open} onClose={close} title={title}>
      <Form onSubmit={() => isTyped && onConfirm()} problem={problem}>
        <div>{children}</div>
        {typed !== undefined && (
          <TextField
            label={`Type “${typed}” to confirm`}
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
          />
        )}
        <div className="actions end">
          <Button onClick={close}>{refusal}</Button>
          <Button kind="danger" type="submit" busy={busy} disabled={!isTyped}>
            {verb}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
