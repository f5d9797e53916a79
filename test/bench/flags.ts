import { parseArgs } from 'node:util'

/** A size of a benchmark: `--name=number` on the command line, or the given default. */
export function size(name: string, fallback: number): number {
  const { values } = parseArgs({ options: { [name]: { type: 'string' } }, strict: false })
  const given = values[name]
  if (given === undefined) return fallback
  const number = Number(given)
  if (!Number.isFinite(number) || number <= 0) throw new Error(`--${name} must be a number above 0`)
  return number
}
