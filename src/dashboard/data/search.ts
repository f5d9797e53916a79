/** A text of an address, or undefined where there is none. */
export function text(given: unknown): string | undefined {
  if (typeof given === 'number' || typeof given === 'boolean') return String(given)
  return typeof given === 'string' && given !== '' ? given.slice(0, 500) : undefined
}
