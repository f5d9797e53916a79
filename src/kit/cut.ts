import { sizeOfJson } from './json-length.ts'
import { isWithin } from './json-limits.ts'

// Characters are code points, as JSON Schema counts them: those beyond U+FFFF are two units of a string.
function endOf(text: string, max: number): number {
  if (text.length <= max) return text.length
  let end = 0
  for (let count = 0; count < max && end < text.length; count++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return end
}

/** Whether a text has more than `max` characters. */
export function isLonger(text: string, max: number): boolean {
  return endOf(text, max) < text.length
}

/** The first `max` characters of a text. */
export function cutText(text: string, max: number): string {
  return text.slice(0, endOf(text, max)).toWellFormed()
}

/** A text of at most `max` characters: what is longer is cut, and ends with `…`. */
export function shorten(text: string, max: number): string {
  return isLonger(text, max) ? `${cutText(text, max - 1)}…` : text
}

/** A value whose JSON has at most `max` characters, null for none; a note that it is longer in place of another one. */
export function brief(value: unknown, max: number): unknown {
  const isBrief = isWithin(value, { characters: max, values: max }) && sizeOfJson(value) <= max
  return isBrief ? (value ?? null) : `(longer than ${max} characters)`
}

const copySuffix = ' (Copy)'

/** The name of a copy of something: its name with ` (Copy)` added, at most `max` characters, for which a long one is cut. */
export function copyName(name: string, max: number): string {
  return `${cutText(name, max - copySuffix.length)}${copySuffix}`
}
