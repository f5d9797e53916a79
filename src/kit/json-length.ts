/** How many characters a number has as JSON as Postgres prints it: in full, without an exponent, of which a double may have 309 digits. */
export function lengthOfNumber(value: number): number {
  const text = String(value)
  const [digits = '', exponent] = text.split('e')
  if (exponent === undefined) return text.length
  const sign = digits.startsWith('-') ? 1 : 0
  const decimals = digits.split('.')[1]?.length ?? 0
  // 1.5e-7 is 0.00000015, and a double above 1e21 has no decimals.
  return Number(exponent) < 0 ? sign + '0.'.length - Number(exponent) + decimals : sign + Number(exponent) + 1
}

/** How many characters a value has as JSON as Postgres prints it, but for white space. */
export function lengthOfJson(value: unknown): number {
  return (JSON.stringify(value) ?? '').length + addedByNumbers(value)
}

function addedByNumbers(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? lengthOfNumber(value) - String(value).length : 0
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, each) => sum + addedByNumbers(each), 0)
}
