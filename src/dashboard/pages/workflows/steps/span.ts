/** The units of spans of time. */
export const units = [
  { value: 'MINUTES', label: 'minutes', seconds: 60 },
  { value: 'HOURS', label: 'hours', seconds: 3_600 },
  { value: 'DAYS', label: 'days', seconds: 86_400 },
] as const

/** A unit of a span of time. */
export type Unit = (typeof units)[number]['value'] | 'SECONDS'

/** The units of waits, which are stored in seconds. */
export const allUnits = [{ value: 'SECONDS', label: 'seconds', seconds: 1 }, ...units] as const

/** A number of seconds in the largest unit of which it is a whole number. */
export function spanOf(seconds: number): { amount: number; unit: Unit } {
  const unit = allUnits.findLast((one) => seconds % one.seconds === 0) ?? allUnits[0]
  return { amount: seconds / unit.seconds, unit: unit.value }
}

/** The seconds of a span. */
export function secondsOf({ amount, unit }: { amount: number; unit: Unit }): number {
  return amount * (allUnits.find(({ value }) => value === unit)?.seconds ?? 1)
}
