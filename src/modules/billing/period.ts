/** A calendar month in UTC: what caps and invoices count by. */
export interface Period {
  start: Date
  /** The first moment that is not part of it. */
  end: Date
}

/** The month (UTC) a moment lies in. */
export function periodOf(at: Date): Period {
  const year = at.getUTCFullYear()
  const month = at.getUTCMonth()
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) }
}
