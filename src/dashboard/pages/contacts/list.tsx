import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { fieldLabel, valueText } from '../../data/fields.ts'
import { useProject } from '../../data/project.tsx'
import type { ContactsQuery } from '../../graphql/graphql.ts'
import { Address } from '../../parts/address.tsx'
import { Time } from '../../parts/facts.tsx'
import { Badge } from '../../parts/state.tsx'
import type { ContactsSearch } from './search.ts'
import type { useSelection } from './selection.ts'

type Row = ContactsQuery['contacts']['nodes'][number]

interface Props {
  contacts: readonly Row[]
  /** The custom fields that are shown. */
  columns: readonly string[]
  order: ContactsSearch['order']
  selection: ReturnType<typeof useSelection>
}

/** The contacts of a page as a table, each with a box to select it. */
export function List({ contacts, columns, order = 'created', selection }: Props) {
  const ids = contacts.map(({ id }) => id)
  const { id: project } = useProject()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-box" tabIndex={0} aria-label="List of contacts">
      <table className="table" aria-label="Contacts">
        <thead>
          <tr>
            <th scope="col" className="tick">
              <TickAll ids={ids} selection={selection} />
            </th>
            <th scope="col" aria-sort={order === 'email' ? 'ascending' : order === 'email-desc' ? 'descending' : undefined}>
              Address
            </th>
            <th scope="col">Marketing</th>
            {columns.map((field) => (
              <th scope="col" key={field}>
                {fieldLabel(field)}
              </th>
            ))}
            <th
              scope="col"
              className="wide-only"
              aria-sort={order === 'created' ? 'descending' : order === 'created-asc' ? 'ascending' : undefined}
            >
              Created
            </th>
          </tr>
        </thead>
        <tbody>
          {contacts.map((contact) => (
            <tr key={contact.id} className={selection.has(contact.id) ? 'selected' : undefined}>
              <td className="tick">
                <input
                  type="checkbox"
                  aria-label={`Select ${contact.email}`}
                  checked={selection.has(contact.id)}
                  onChange={(event) => selection.set([contact.id], event.target.checked)}
                />
              </td>
              <td>
                <Link to="/$project/contacts/$contact" params={{ project, contact: contact.id }} className="cell-link">
                  <strong>
                    <Address of={contact.email} />
                  </strong>
                </Link>
              </td>
              <td>
                <State contact={contact} />
              </td>
              {columns.map((field) => (
                <td key={field} className="value">
                  {valueText(dataOf(contact)[field.replace(/^data\./, '')])}
                </td>
              ))}
              <td className="wide-only">
                <Time at={contact.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const dataOf = ({ data }: Row): Record<string, unknown> => (data ?? {}) as Record<string, unknown>

function State({ contact: { subscribed, suppression } }: { contact: Row }) {
  if (suppression && suppression.reason !== 'UNSUBSCRIBED') return <Badge tone="bad">Suppressed</Badge>
  return subscribed ? <Badge tone="good">Subscribed</Badge> : <Badge tone="warn">Unsubscribed</Badge>
}

function TickAll({ ids, selection }: { ids: readonly string[]; selection: Props['selection'] }) {
  const box = useRef<HTMLInputElement>(null)
  const selected = ids.filter((id) => selection.has(id)).length
  const isAll = selected === ids.length && ids.length > 0
  useEffect(() => {
    if (box.current) box.current.indeterminate = selected > 0 && !isAll
  }, [selected, isAll])
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label="Select all on this page"
      checked={isAll}
      onChange={(event) => selection.set(ids, event.target.checked)}
    />
  )
}
