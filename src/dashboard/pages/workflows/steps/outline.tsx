import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../../../parts/icon.tsx'
import type { Exit, Placed, Sequence } from '../graph.ts'

interface Named {
  id: string
  name: string
}

interface Props<S extends Named> {
  sequence: Sequence<S>
  line(step: S): ReactNode
  /** Whether steps can be added between those that are there. */
  isEdited?: boolean
}

/** Steps that follow each other; below one with several exits, what follows each of them. */
export function Outline<S extends Named>({ sequence: { items, jump }, line, isEdited = false }: Props<S>) {
  return (
    <ol className="flow">
      {items.map((item) => (
        <li key={item.step.id}>
          {line(item.step)}
          <Ways item={item} line={line} isEdited={isEdited} />
        </li>
      ))}
      {jump && (
        <li>
          <Jump to={jump} />
        </li>
      )}
    </ol>
  )
}

function Ways<S extends Named>({ item: { step, exits, ways }, line, isEdited }: { item: Placed<S> } & Omit<Props<S>, 'sequence'>) {
  const [only] = exits
  if (ways.length === 0) {
    if (!only || !isEdited) return null
    return <AddLink place={placeOf(step, only)} label={`Add a step after “${step.name}”`} isLast={only.to === null} />
  }
  return (
    <ul className="ways">
      {ways.map(({ exit, sequence }) => (
        <li key={exit?.branch ?? String(exit === null)}>
          <p className="way">{exit ? exit.label : 'Several of these come together'}</p>
          {exit && isEdited && (
            <AddLink place={placeOf(step, exit)} label={`Add a step after “${step.name}”, ${exit.label}`} isLast={exit.to === null} />
          )}
          {exit?.to === null && !isEdited && <p className="muted">Ends</p>}
          {exit?.to !== null && <Outline sequence={sequence} line={line} isEdited={isEdited} />}
        </li>
      ))}
    </ul>
  )
}

const placeOf = ({ id }: Named, { branch }: Exit): Place => ({ add: id, ...(branch !== null && { exit: branch }) })

// The one step that several ways come to stands elsewhere, once.
function Jump({ to: { id, name } }: { to: Named }) {
  return (
    <p className="jump">
      <Icon name="arrow-down" />
      Goes on with{' '}
      <a
        href={`#${id}`}
        onClick={(event) => {
          event.preventDefault()
          document.querySelector<HTMLElement>(`[data-step="${CSS.escape(id)}"]`)?.focus()
        }}
      >
        {name}
      </a>
    </p>
  )
}

interface Place {
  add: string
  exit?: string
}

interface AddProps {
  place: Place
  label: string
  /** Where the execution ends so far. */
  isLast?: boolean
  isButton?: boolean
}

/** Leads to the dialog that adds a step at a place. */
export function AddLink({ place: { add, exit }, label, isLast = false, isButton = false }: AddProps) {
  return (
    <Link
      to="."
      search={(before: object) => ({ ...before, add, exit })}
      className={isButton ? 'button' : isLast ? 'add-step last' : 'add-step'}
      aria-label={label}
      title={label}
      resetScroll={false}
    >
      <Icon name="plus" size={14} />
      {(isLast || isButton) && <span>{isButton ? label : 'Add a step'}</span>}
    </Link>
  )
}
