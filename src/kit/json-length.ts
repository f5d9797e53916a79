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

// Of a number with an exponent: Postgres stores it in some bytes, and prints it with hundreds, so that much of what is read by its stored
// size would be many times as much.
const maxDigits = 40
const longNumberBytes = 4 * 1024

/** What a number counts towards the bounds of data, in bytes: its digits in full, and 4 KB where these are more than 40. */
export function sizeOfNumber(value: number): number {
  const length = lengthOfNumber(value)
  return length > maxDigits ? longNumberBytes : length
}

/** What a value counts towards the bounds of JSON: its characters, but for white space, and its numbers by `sizeOfNumber`. */
export function sizeOfJson(value: unknown): number {
  return (JSON.stringify(value) ?? '').length + addedByNumbers(value)
}

function addedByNumbers(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? sizeOfNumber(value) - String(value).length : 0
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, each) => sum + addedByNumbers(each), 0)
}
