interface Props<T extends string> {
  /** What is chosen, such as Segment: read out, and not shown. */
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange(value: T): void
}

/** One of a few values where there is no room for a label, such as a filter above a list. */
export function Select<T extends string>({ label, value, options, onChange }: Props<T>) {
  return (
    <select className="input select" aria-label={label} value={value} onChange={(event) => onChange(event.target.value as T)}>
      {options.map((one) => (
        <option key={one.value} value={one.value}>
          {one.label}
        </option>
      ))}
    </select>
  )
}
