import { LiquidError, type Template, TypeGuards, toValueSync, Value } from 'liquidjs'
import { shorten } from './cut.ts'

/** An error of a template: what is wrong, and where (line and column from 1). */
export interface TemplateProblem {
  message: string
  line: number
  column: number
}

// What V8 says when the stack or memory is not enough. Functions throw other RangeErrors for values that they do not take.
const exhausted =
  /^(Maximum (call stack|BigInt) size exceeded|(Set|Map) maximum size exceeded|Invalid (string|array|typed array|array buffer) length|Array buffer allocation failed|Out of memory)/
const wrongZone = /^Invalid time zone specified: (.*)$/s
const maxZone = 100

/** What an error says that was thrown while a template was parsed or rendered. */
export function problemOf(error: unknown): TemplateProblem {
  const cause = (LiquidError.is(error) && error.originalError) || error
  const said = cause instanceof Error ? cause.message : String(cause)
  if (cause instanceof RangeError && exhausted.test(said))
    return { message: 'it is nested too deeply or grows too large', line: 1, column: 1 }
  if (!LiquidError.is(error)) return { message: said, line: 1, column: 1 }
  const zone = cause instanceof RangeError ? wrongZone.exec(said)?.[1] : undefined
  const message = zone === undefined ? said.replace(/, line:\d+.*$/s, '').replace(/, file:.*$/s, '') : aboutZone(zone)
  return { message, ...placeOf(error as Placed) }
}

/** The first time zone in a template that does not exist and does not depend on variables; null when there is none. */
export function wrongZoneIn(parts: readonly Template[], right = new Set<string>()): TemplateProblem | null {
  for (const part of parts) {
    const zone = zonesOf(part).find((name) => !isZone(name, right))
    if (zone !== undefined) return { message: aboutZone(zone), ...placeOf(part) }
    const children = part.children ? (toValueSync(part.children(false, true)) as Template[]) : []
    const inside = wrongZoneIn(children, right)
    if (inside) return inside
  }
  return null
}

interface Placed {
  token?: { getPosition?(): number[] }
}

function placeOf({ token }: Placed): { line: number; column: number } {
  const [line = 1, column = 1] = token?.getPosition?.() ?? []
  return { line, column }
}

// Only this filter takes a zone.
function zonesOf(part: Template & { value?: unknown }): string[] {
  if (!(part.value instanceof Value)) return []
  return part.value.filters.flatMap(({ name, args: [, zone] }) => (name === 'date' && TypeGuards.isQuotedToken(zone) ? zone.content : []))
}

// Also an offset, such as +01:00, as liquidjs takes it.
function isZone(name: string, right: Set<string>): boolean {
  if (right.has(name)) return true
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    right.add(name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function aboutZone(name: string): string {
  return `the time zone "${shorten(name, maxZone)}" of the filter "date" is unknown: use a name such as Europe/Berlin`
}
