import { type ButtonHTMLAttributes, type MouseEvent, use, useEffect, useRef, useState } from 'react'
import { SendingContext, useOnce } from '../data/once.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'

/** `primary`: what the page is for, once per page; `danger`: what cannot be undone; `quiet`: without a frame. */
export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

interface Own {
  kind?: ButtonKind
  icon?: IconName
  /** What it does is under way: another press does nothing. */
  busy?: boolean
  /** It is not ready yet, and soon will be: a press is kept and done then, unless the focus has left it meanwhile. */
  waits?: boolean
  /** What it does; while a promise has not ended, or the form that it sends is being sent, it is busy. */
  onClick?: ((event: MouseEvent<HTMLButtonElement>) => unknown) | undefined
}

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick'> & Own

/** A button. While it is busy, waits or is disabled it keeps the focus. */
export function Button({ kind = 'plain', icon, busy = false, waits = false, disabled = false, className = '', children, ...rest }: Props) {
  const { onClick, onBlur, type = 'button', ...others } = rest
  const act = useOnce((event: MouseEvent<HTMLButtonElement>) => onClick?.(event))
  const isSending = use(SendingContext) && type === 'submit'
  const isUnderWay = busy || act.busy || isSending
  const isOff = isUnderWay || disabled
  const press = useLatePress(waits && !isOff)
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (!isOff && !press.keeps()) return void act.run(event)
    // Nor does it send its form, also when Enter was pressed in a field of it.
    event.preventDefault()
  }
  return (
    <button
      {...others}
      ref={press.button}
      type={type}
      className={`button ${kind} ${className}`}
      aria-disabled={isOff || waits || undefined}
      aria-busy={isUnderWay || waits || undefined}
      onClick={click}
      onBlur={(event) => {
        press.forget()
        onBlur?.(event)
      }}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

// A press that came too early is repeated once the button is ready.
function useLatePress(waits: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const [isKept, setIsKept] = useState(false)
  useEffect(() => {
    if (waits || !isKept) return
    setIsKept(false)
    button.current?.click()
  }, [waits, isKept])
  const keeps = () => {
    if (waits) setIsKept(true)
    return waits
  }
  return { button, keeps, forget: () => setIsKept(false) }
}

type IconButtonProps = Omit<Props, 'icon' | 'children'> & { icon: IconName; label: string }

/** A button that is only a drawing; `label` is its name, and shown as a tip. */
export function IconButton({ icon, label, kind = 'quiet', className = '', ...rest }: IconButtonProps) {
  return <Button {...rest} kind={kind} icon={icon} className={`only-icon ${className}`} aria-label={label} title={label} />
}
