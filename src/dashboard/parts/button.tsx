import type { ButtonHTMLAttributes } from 'react'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'

/** `primary`: what the page is for, once per page; `danger`: what cannot be undone; `quiet`: without a frame. */
export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { kind?: ButtonKind; icon?: IconName; busy?: boolean }

/** A button. While it is busy it keeps its focus and does nothing. */
export function Button({ kind = 'plain', icon, busy, className = '', children, onClick, type = 'button', ...rest }: Props) {
  return (
    <button
      {...rest}
      type={busy ? 'button' : type}
      className={`button ${kind} ${className}`}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? undefined : onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

type IconButtonProps = Omit<Props, 'icon' | 'children'> & { icon: IconName; label: string }

/** A button that is only a drawing; `label` is its name, and shown as a tip. */
export function IconButton({ icon, label, kind = 'quiet', className = '', ...rest }: IconButtonProps) {
  return <Button {...rest} kind={kind} icon={icon} className={`only-icon ${className}`} aria-label={label} title={label} />
}
