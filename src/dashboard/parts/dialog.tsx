import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useState } from 'react'
import type { Problem } from '../data/failures.ts'
import { useOnce } from '../data/once.ts'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { Form } from './form.tsx'
import { Popup, type PopupProps } from './popup.tsx'
import { Question } from './unsaved/question.tsx'
import { mayClose, ScopeContext, useDialogScope } from './unsaved/unsaved.ts'

/**
 * A dialog over the page, or a drawer beside it. Nothing behind it can be reached while it is open. Somebody who closes it is asked first
 * where a form in it has changes; the page that closes it, such as when they are saved, closes it at once.
 */
export function Dialog({ onClose, children, ...popup }: Omit<PopupProps, 'over'>) {
  const scope = useDialogScope(popup.open)
  const close = async () => {
    if (await mayClose(scope)) onClose()
  }
  return (
    <Popup {...popup} onClose={() => void close()} over={<Question scope={scope} />}>
      <ScopeContext value={scope}>{children}</ScopeContext>
    </Popup>
  )
}

/** Closes the dialog that it stands in, as its cross does. */
export function CloseButton({ children = 'Cancel' }: { children?: ReactNode }) {
  return <Base.Close render={<Button>{children}</Button>} />
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
  problem: Problem | undefined
  /** Does it, and ends when all has been done: until then another press does nothing, also when the dialog was closed meanwhile. */
  onConfirm(): Promise<unknown>
}

/** Asks before something that cannot be undone is done. */
export function ConfirmDialog({ open, onClose, title, children, verb, refusal = 'Keep', typed, problem, onConfirm }: ConfirmProps) {
  const [text, setText] = useState('')
  const { busy, run } = useOnce(onConfirm)
  const isTyped = typed === undefined || text.trim() === typed
  const close = () => {
    setText('')
    onClose()
  }
  return (
    <Dialog open={open} onClose={close} title={title}>
      <Form onSubmit={() => isTyped && run()} problem={problem} isDisposable>
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
          <CloseButton>{refusal}</CloseButton>
          <Button kind="danger" type="submit" busy={busy} disabled={!isTyped}>
            {verb}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
