import {
  cloneElement,
  createContext,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  use,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-names.ts'

interface Props {
  /** The button that opens it; its text or label is its name. */
  trigger: ReactElement<Record<string, unknown>>
  align?: 'start' | 'end'
  children: ReactNode
}

const CloseContext = createContext<() => void>(() => {})

/**
 * Things to do or to choose, below a button: a popover of the browser, which closes with Escape or a click elsewhere and gives the
 * focus back, with the keys of a menu (ARIA patterns: arrows, Home, End, the first letter). A library would be a sixth of all scripts.
 */
export function Menu({ trigger, align = 'start', children }: Props) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    if (!isOpen || !menu.current) return
    const button = document.querySelector<HTMLElement>(`[popovertarget="${CSS.escape(id)}"]`)
    if (button) place(menu.current, button.getBoundingClientRect(), align)
    itemsOf(menu.current)[0]?.focus()
  }, [isOpen, id, align])
  return (
    <>
      {cloneElement(trigger, { popoverTarget: id, 'aria-haspopup': 'menu', 'aria-expanded': isOpen })}
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        className="menu"
        tabIndex={-1}
        onToggle={(event) => setIsOpen(event.newState === 'open')}
        onKeyDown={move}
      >
        <CloseContext value={() => menu.current?.hidePopover()}>{isOpen && children}</CloseContext>
      </div>
    </>
  )
}

const margin = 8

// Below the button, as far as there is room; otherwise above it.
function place(menu: HTMLElement, button: DOMRect, align: 'start' | 'end'): void {
  const { width, height } = menu.getBoundingClientRect()
  const left = align === 'start' ? button.left : button.right - width
  const isRoomBelow = button.bottom + 4 + height <= innerHeight - margin
  const top = isRoomBelow ? button.bottom + 4 : Math.max(margin, button.top - 4 - height)
  menu.style.left = `${Math.max(margin, Math.min(left, innerWidth - width - margin))}px`
  menu.style.top = `${top}px`
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')]
}

function move(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget: menu } = event
  if (key === 'Tab') menu.hidePopover()
  const items = itemsOf(menu)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[key]
  if (next !== undefined) {
    event.preventDefault()
    items.at(next % items.length)?.focus()
  } else if (key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey) {
    const after = [...items.slice(at + 1), ...items.slice(0, at + 1)]
    after.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()))?.focus()
  }
}

interface ItemProps {
  icon?: IconName
  /** Set for those of which one is chosen. */
  checked?: boolean
  onSelect(): void
  children: ReactNode
}

/** One thing to do, or to choose. */
export function MenuItem({ icon, checked, onSelect, children }: ItemProps) {
  const close = use(CloseContext)
  const choose = () => {
    close()
    onSelect()
  }
  const choice = checked === undefined ? ({ role: 'menuitem' } as const) : ({ role: 'menuitemradio', 'aria-checked': checked } as const)
  return (
    <button type="button" className="menu-item" tabIndex={-1} onClick={choose} {...choice}>
      {icon ? <Icon name={icon} /> : <span className="menu-tick">{checked && <Icon name="check" />}</span>}
      <span>{children}</span>
    </button>
  )
}

/** One of several that may be chosen together; the menu stays open. */
export function MenuCheck({ checked, onChange, children }: { checked: boolean; onChange(checked: boolean): void; children: ReactNode }) {
  return (
    <button
      type="button"
      role="menuitemcheckbox"
      aria-checked={checked}
      className="menu-item"
      tabIndex={-1}
      onClick={() => onChange(!checked)}
    >
      <span className="menu-tick">{checked && <Icon name="check" />}</span>
      <span>{children}</span>
    </button>
  )
}

/** A line between groups of items. */
export function MenuLine() {
  return <hr className="menu-line" />
}

/** A heading of a group, or what the menu is about. */
export function MenuText({ children }: { children: ReactNode }) {
  return (
    <div className="menu-text" role="presentation">
      {children}
    </div>
  )
}
