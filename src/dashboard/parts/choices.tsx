import { Menu as Base } from '@base-ui/react/menu'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

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
    <Base.Root>
      <Base.Trigger
        render={
          <Button className={chosen.length > 0 ? 'chosen' : ''}>
            <span className="muted">{label}</span> {summary} <Icon name="chevron-down" />
          </Button>
        }
      />
      <Base.Portal>
        <Base.Positioner className="menu-place" align="start" sideOffset={4}>
          <Base.Popup className="menu">
            {options.map((one) => (
              <Base.CheckboxItem
                key={one.value}
                className="menu-item"
                checked={chosen.includes(one.value)}
                closeOnClick={false}
                onCheckedChange={(isChosen) => toggle(one.value, isChosen)}
              >
                <span className="menu-tick">{chosen.includes(one.value) && <Icon name="check" />}</span>
                <span>{one.label}</span>
              </Base.CheckboxItem>
            ))}
            {chosen.length > 0 && (
              <>
                <Base.Separator className="menu-line" />
                <Base.Item className="menu-item" onClick={() => onChange(undefined)}>
                  <Icon name="close" />
                  <span>All</span>
                </Base.Item>
              </>
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
