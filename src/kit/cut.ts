import { sizeOfJson } from './json-length.ts'
import { isWithin } from './json-limits.ts'

/** The first `max` characters of a text, cut between characters, never inside a surrogate pair. */
export function cutText(text: string, max: number): string {
  return text
    .slice(0, max)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
}

/** A text of at most `max` characters: what is longer is cut, and ends with `…`. */
export function shorten(text: string, max: number): string {
  return text.length > max ? `${cutText(text, max - 1)}…` : text
}

/** A value whose JSON has at most `max` characters, null for none; a note that it is longer in place of another one. */
export function brief(value: unknown, max: number): unknown {
  const isBrief = isWithin(value, { characters: max, values: max }) && sizeOfJson(value) <= max
  return isBrief ? (value ?? null) : `(longer than ${max} characters)`
}

const copySuffix = ' (Copy)'

/** The name of a copy of something: its name with ` (Copy)` added, at most `max` characters. */
export function copyName(name: string, max: number): string {
  return `${cutText(name, max - copySuffix.length)}${copySuffix}`
}
