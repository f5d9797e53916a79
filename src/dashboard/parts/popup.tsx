import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useRef } from 'react'
import { IconButton } from './button.tsx'

export interface PopupProps {
  open: boolean
  /** Escape, the backdrop and the cross close it; the focus then returns to where it was. */
  onClose(): void
  title: string
  /** `drawer`: at the side, for details of a row; `nav`: at the other side, for the navigation of narrow screens. */
  kind?: 'dialog' | 'drawer' | 'nav'
  children: ReactNode
  /** What stands over it. */
  over?: ReactNode
}

/** What dialogs look like, and how the focus enters and leaves them. */
export function Popup({ open, onClose, title, kind = 'dialog', children, over }: PopupProps) {
  const body = useRef<HTMLDivElement>(null)
  // A question without fields begins with the button that changes nothing.
  const first = () =>
    body.current?.querySelector<HTMLElement>('input, select, textarea') ??
    body.current?.querySelector<HTMLElement>('.actions.end button') ??
    true
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={`popup ${kind}`} initialFocus={first}>
          <header className="popup-head">
            <Base.Title className="popup-title">{title}</Base.Title>
            <Base.Close render={<IconButton icon="close" label="Close" />} />
          </header>
          <div className="popup-body" ref={body}>
            {children}
          </div>
          {over}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
