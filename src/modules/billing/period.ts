/** A calendar month in UTC, the period of caps and invoices. */
export interface Period {
  start: Date
  /** The first moment after the month. */
  end: Date
}

/** The month (UTC) that contains a moment. */
export function periodOf(at: Date): Period {
  const year = at.getUTCFullYear()
  const month = at.getUTCMonth()
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) }
}
