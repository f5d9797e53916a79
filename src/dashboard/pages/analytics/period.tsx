import { words } from '../../data/format.ts'
import { Segmented } from '../../parts/segmented.tsx'
import { Select } from '../../parts/select.tsx'
import { intervalsOf, type Range, today } from './range.ts'
import type { AnalyticsSearch, PeriodName } from './search.ts'
import { periods } from './search.ts'

interface Props {
  search: AnalyticsSearch
  range: Range
  onChange(next: AnalyticsSearch): void
}

/** Which days are shown, and how long the parts of the charts are. */
export function Period({ search: { period = '30d' }, range, onChange }: Props) {
  const { startDate, endDate, interval, timezone } = range
  // The days that are shown now are where one begins to change them.
  const choose = (next: PeriodName) =>
    onChange(
      next === 'custom'
        ? { period: next, from: startDate, to: endDate }
        : { period: next, from: undefined, to: undefined, interval: undefined },
    )
  const options = intervalsOf(range).map((value) => ({ value, label: words(value) }))
  return (
    <div className="filters">
      <Select label="Period" value={period} options={periods} onChange={choose} />
      {period === 'custom' && (
        <>
          <Day label="First day" value={startDate} onChange={(from) => onChange({ from, to: endDate })} />
          <Day label="Last day" value={endDate} onChange={(to) => onChange({ from: startDate, to })} />
        </>
      )}
      {options.length > 1 && (
        <Segmented label="Interval" options={options} value={interval} onChange={(next) => onChange({ interval: next })} />
      )}
      <span className="muted zone">Time zone: {timezone.replaceAll('_', ' ')}</span>
    </div>
  )
}

function Day({ label, value, onChange }: { label: string; value: string; onChange(day: string): void }) {
  return (
    <input
      type="date"
      className="input inline"
      aria-label={label}
      value={value}
      max={today()}
      onChange={(event) => event.target.value && onChange(event.target.value)}
    />
  )
}
