import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { Menu, MenuCheck, MenuItem, MenuLine } from './menu.tsx'

interface Props<T extends string> {
  /** What is chosen, such as Status. */
  label: string
  options: readonly { value: T; label: string }[]
  chosen: readonly T[]
  onChange(chosen: T[] | undefined): void
}

/** A filter of which several values may be chosen; none means all. */
export function Choices<T extends string>({ label, options, chosen, onChange }: Props<T>) {
  const names = options.filter(({ value }) => chosen.includes(value)).map((one) => one.label)
  const summary = names.length === 0 ? 'all' : names.length > 2 ? `${names.length} chosen` : names.join(', ')
  const toggle = (value: T, isChosen: boolean) => {
    const next = options.map((one) => one.value).filter((one) => (one === value ? isChosen : chosen.includes(one)))
    onChange(next.length > 0 ? next : undefined)
  }
  return (
    <Menu
      trigger={
        <Button className={chosen.length > 0 ? 'chosen' : ''}>
          <span className="muted">{label}</span> {summary} <Icon name="chevron-down" />
        </Button>
      }
    >
      {options.map((one) => (
        <MenuCheck key={one.value} checked={chosen.includes(one.value)} onChange={(isChosen) => toggle(one.value, isChosen)}>
          {one.label}
        </MenuCheck>
      ))}
      {chosen.length > 0 && (
        <>
          <MenuLine />
          <MenuItem icon="close" onSelect={() => onChange(undefined)}>
            All
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
