import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'

interface Props {
  /** The button that opens it; its text or label is its name. */
  trigger: ReactElement<Record<string, unknown>>
  align?: 'start' | 'end'
  children: ReactNode
}

/** Things to do or to choose, below a button. */
export function Menu({ trigger, align = 'start', children }: Props) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="menu-place" align={align} sideOffset={4}>
          <Base.Popup className="menu">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface ItemProps {
  icon?: IconName
  checked?: boolean
  onSelect(): void
  children: ReactNode
}

/** One thing to do or to choose. */
export function MenuItem({ icon, checked, onSelect, children }: ItemProps) {
  return (
    <Base.Item className="menu-item" onClick={onSelect}>
      {icon ? <Icon name={icon} /> : <span className="menu-tick">{checked && <Icon name="check" />}</span>}
      <span>{children}</span>
    </Base.Item>
  )
}

/** A line between groups of items. */
export function MenuLine() {
  return <Base.Separator className="menu-line" />
}

/** A heading of a group, or what the menu is about. */
export function MenuText({ children }: { children: ReactNode }) {
  return <div className="menu-text">{children}</div>
}
