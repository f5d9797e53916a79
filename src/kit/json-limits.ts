/** The limits of a JSON text: levels of nesting, and strings, numbers, literals and punctuation marks together. */
export const jsonLimits = { depth: 100, tokens: 200_000 }

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]
const space = 0x20

/**
 * Says why a JSON text may not be parsed, or returns undefined. It looks at the bytes alone and reads each at most twice,
 * because JSON.parse takes seconds for millions of brackets or keys. Whether the text is JSON at all is for the parser to say.
 */
export function whyTooComplex(text: Uint8Array): string | undefined {
  const strings = createStringReader(text)
  let depth = 0
  let tokens = 0
  let at = 0
  while (at < text.length) {
    const byte = text[at] ?? space
    if (byte <= space) {
      at++
      continue
    }
    if (++tokens > jsonLimits.tokens) return `has more than ${jsonLimits.tokens} strings, numbers, literals and punctuation marks`
    if (byte === openBracket || byte === openBrace) {
      if (++depth > jsonLimits.depth) return `is nested deeper than ${jsonLimits.depth} levels`
    } else if (byte === closeBracket || byte === closeBrace) depth--
    if (byte === quote) at = strings.endOf(at)
    else if (isPunctuation(byte)) at++
    else at = endOfWord(text, at)
  }
  return undefined
}

function isPunctuation(byte: number): boolean {
  return byte === comma || byte === colon || byte === openBracket || byte === closeBracket || byte === openBrace || byte === closeBrace
}

// A number or a literal.
function endOfWord(text: Uint8Array, from: number): number {
  let at = from + 1
  for (; at < text.length; at++) {
    const byte = text[at] ?? space
    if (byte <= space || byte === quote || isPunctuation(byte)) break
  }
  return at
}

// Finds the end of a string. Most have no backslash, and large ones, such as attachments, are skipped by a native search.
function createStringReader(text: Uint8Array): { endOf(opening: number): number } {
  const find = (byte: number, from: number): number => {
    const found = text.indexOf(byte, from)
    return found === -1 ? text.length : found
  }
  let nextBackslash = -1
  return {
    endOf(opening) {
      let at = opening + 1
      const nextQuote = find(quote, at)
      if (nextBackslash < at) nextBackslash = find(backslash, at)
      if (nextQuote < nextBackslash) return nextQuote + 1
      for (at = nextBackslash; at < text.length && text[at] !== quote; at++) if (text[at] === backslash) at++
      return at + 1
    },
  }
}

/** Whether a value has at most so many characters, about, and so many values. */
export function isWithin(value: unknown, max: { characters: number; values: number }): boolean {
  const waiting = [value]
  let characters = 0
  let values = 0
  while (waiting.length > 0) {
    const next = waiting.pop()
    values++
    if (typeof next === 'string') characters += next.length
    else if (Array.isArray(next)) {
      if (next.length > max.values) return false
      for (const item of next) waiting.push(item)
    } else if (typeof next === 'object' && next !== null)
      for (const name in next) {
        characters += name.length
        waiting.push((next as Record<string, unknown>)[name])
      }
    if (characters > max.characters || values + waiting.length > max.values) return false
  }
  return true
}
