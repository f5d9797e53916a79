import { Link } from '@tanstack/react-router'
import { number } from '../data/format.ts'
import { Icon } from './icon.tsx'

interface Props {
  info: { startCursor: string | null; endCursor: string | null; hasNextPage: boolean; hasPreviousPage: boolean }
  total?: number | undefined
}

/** The ways to the pages before and after that of a list; its place is in the address (see placeOf). */
export function Pager({ info: { startCursor, endCursor, hasNextPage, hasPreviousPage }, total }: Props) {
  if (!hasNextPage && !hasPreviousPage) return total === undefined ? null : <p className="pager muted">{number(total)} in all</p>
  return (
    <nav className="pager" aria-label="Pages of the list">
      <span className="muted">{total !== undefined && `${number(total)} in all`}</span>
      <Step label="Newer" icon="chevron-left" place={hasPreviousPage ? { before: startCursor ?? undefined, after: undefined } : null} />
      <Step label="Older" icon="chevron-right" place={hasNextPage ? { after: endCursor ?? undefined, before: undefined } : null} />
    </nav>
  )
}

interface StepProps {
  label: string
  icon: 'chevron-left' | 'chevron-right'
  place: { after: string | undefined; before: string | undefined } | null
}

function Step({ label, icon, place }: StepProps) {
  if (!place)
    return (
      <span className="button" aria-disabled="true">
        <Icon name={icon} />
        {label}
      </span>
    )
  return (
    <Link to="." search={(before: object) => ({ ...before, ...place })} className="button">
      <Icon name={icon} />
      {label}
    </Link>
  )
}
