import { JsonText } from './json-text.ts'

/**
 * The limits of a JSON text: levels of nesting; strings, numbers, literals and punctuation marks together; the characters of one number
 * or literal; and the bytes of white space outside of strings, which so many marks, four in a line, have when they are indented by 160.
 */
export const jsonLimits = { depth: 100, tokens: 200_000, word: 1_000, space: 8_000_000 }

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]
const space = 0x20

/**
 * Says why a JSON text may not be parsed, or returns undefined. It looks at the bytes alone and reads each a few times at most, nearly
 * all of long strings by native searches, because JSON.parse takes seconds for millions of brackets or keys. Whether the text is JSON at
 * all is for the parser to say.
 */
export function whyTooComplex(text: Uint8Array): string | undefined {
  const strings = createStringReader(text)
  let depth = 0
  let tokens = 0
  let spaces = 0
  let at = 0
  while (at < text.length) {
    const byte = text[at] ?? space
    if (byte <= space) {
      if (++spaces > jsonLimits.space) return `has more than ${jsonLimits.space} bytes of white space`
      at++
      continue
    }
    if (++tokens > jsonLimits.tokens) return `has more than ${jsonLimits.tokens} strings, numbers, literals and punctuation marks`
    if (byte === openBracket || byte === openBrace) {
      if (++depth > jsonLimits.depth) return `is nested deeper than ${jsonLimits.depth} levels`
    } else if (byte === closeBracket || byte === closeBrace) depth--
    if (byte === quote) at = strings.endOf(at)
    else if (isPunctuation(byte)) at++
    else {
      const end = endOfWord(text, at)
      if (end - at > jsonLimits.word) return `has a number or literal of more than ${jsonLimits.word} characters`
      at = end
    }
  }
  return undefined
}

function isPunctuation(byte: number): boolean {
  return byte === comma || byte === colon || byte === openBracket || byte === closeBracket || byte === openBrace || byte === closeBrace
}

// Of a number or a literal, unless it is longer than it may be.
function endOfWord(text: Uint8Array, from: number): number {
  let at = from + 1
  for (const end = Math.min(text.length, from + jsonLimits.word + 1); at < end; at++) {
    const byte = text[at] ?? space
    if (byte <= space || byte === quote || isPunctuation(byte)) break
  }
  return at
}

// Without a backslash for so many bytes, the next one is searched for: most strings have none or a few.
const quietBytes = 64

// Finds the end of a string.
function createStringReader(text: Uint8Array): { endOf(opening: number): number } {
  const find = (byte: number, from: number): number => {
    const found = text.indexOf(byte, from)
    return found === -1 ? text.length : found
  }
  // Where the next one is from where it was searched for: each byte is searched once for either.
  let nextQuote = -1
  let nextBackslash = -1
  return {
    endOf(opening) {
      let at = opening + 1
      for (;;) {
        if (nextQuote < at) nextQuote = find(quote, at)
        if (nextBackslash < at) nextBackslash = find(backslash, at)
        if (nextQuote <= nextBackslash) return nextQuote + 1
        at = afterEscapes(text, nextBackslash)
        if (text[at] === quote) return at + 1
      }
    },
  }
}

// Where a string ends, or has had no backslash for a while: one by one, because in some texts every other byte is one.
function afterEscapes(text: Uint8Array, from: number): number {
  let at = from
  let quiet = 0
  while (at < text.length && text[at] !== quote && quiet < quietBytes) {
    const isEscape = text[at] === backslash
    at += isEscape ? 2 : 1
    quiet = isEscape ? 0 : quiet + 1
  }
  return at
}

/** Whether a value has at most so many characters, about, and so many values. */
export function isWithin(value: unknown, max: Extent): boolean {
  return extentWithin(value, max) !== undefined
}

const bytesPerValue = 16

/** About how many characters the texts of a value have, and how many values there are in it. */
export function extentOf(value: unknown): Extent {
  return extentWithin(value, endless) ?? endless
}

/** About how many bytes a value takes in memory, of which its texts are most. */
export function bytesOf({ characters, values }: Extent): number {
  return characters + bytesPerValue * values
}

/** How large a value is. */
export interface Extent {
  characters: number
  values: number
}

const endless: Extent = { characters: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY }

// Undefined as soon as it has more than that.
function extentWithin(value: unknown, max: Extent): Extent | undefined {
  const waiting = [value]
  let characters = 0
  let values = 0
  while (waiting.length > 0) {
    const next = waiting.pop()
    values++
    if (typeof next === 'string') characters += next.length
    else if (next instanceof JsonText) characters += next.text.length
    else if (Array.isArray(next)) {
      if (next.length > max.values) return undefined
      for (const item of next) waiting.push(item)
    } else if (typeof next === 'object' && next !== null)
      for (const name in next) {
        characters += name.length
        waiting.push((next as Record<string, unknown>)[name])
      }
    if (characters > max.characters || values + waiting.length > max.values) return undefined
  }
  return { characters, values }
}
