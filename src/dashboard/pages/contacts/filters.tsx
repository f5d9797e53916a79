import { useSegmentNames } from '../../data/fields.ts'
import { Button } from '../../parts/button.tsx'
import { SearchField } from '../../parts/search.tsx'
import { Select } from '../../parts/select.tsx'
import type { ContactsSearch } from './search.ts'

const orders = [
  { value: 'created', label: 'Newest first' },
  { value: 'created-asc', label: 'Oldest first' },
  { value: 'email', label: 'Address, A to Z' },
  { value: 'email-desc', label: 'Address, Z to A' },
] as const

/** What the list of contacts is narrowed to, and how it is sorted. */
export function Filters({ search, onChange }: { search: ContactsSearch; onChange(change: ContactsSearch): void }) {
  const segments = useSegmentNames()
  const names = segments?.map(({ id, name }) => ({ value: id, label: name })) ?? []
  const isMissing = search.segment !== undefined && !names.some(({ value }) => value === search.segment)
  return (
    <div className="filters">
      <SearchField label="Search addresses" value={search.q} onSearch={(q) => onChange({ q })} />
      <Select
        label="Segment"
        value={search.segment ?? ''}
        options={[
          { value: '', label: 'All segments' },
          ...(isMissing ? [{ value: search.segment ?? '', label: segments ? 'A segment that does not exist' : '…' }] : []),
          ...names,
        ]}
        onChange={(segment) => onChange({ segment: segment || undefined })}
      />
      <Select
        label="Subscription"
        value={search.state ?? ''}
        options={[
          { value: '', label: 'Subscribed or not' },
          { value: 'subscribed', label: 'Subscribed' },
          { value: 'unsubscribed', label: 'Unsubscribed' },
        ]}
        onChange={(state) => onChange({ state: (state || undefined) as ContactsSearch['state'] })}
      />
      <Select
        label="Order"
        value={search.order ?? 'created'}
        options={orders}
        onChange={(order) => onChange({ order: (order === 'created' ? undefined : order) as ContactsSearch['order'] })}
      />
      <Button icon="settings" onClick={() => onChange({ open: 'columns' })}>
        Columns{search.columns ? ` (${search.columns.length})` : ''}
      </Button>
    </div>
  )
}
