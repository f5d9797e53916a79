/** Where the first opening delimiter after `max` of them stands; null when there are fewer. */
export function tagBeyond(source: string, max: number): { line: number; column: number } | null {
  let count = 0
  const opening = /\{[{%]/g
  for (let tag = opening.exec(source); tag !== null; tag = opening.exec(source)) {
    if (++count <= max) continue
    const before = source.slice(0, tag.index)
    return { line: before.split('\n').length, column: tag.index - before.lastIndexOf('\n') }
  }
  return null
}

/** How many lines the `liquid` tags of a template have. */
export function liquidLines(source: string): number {
  let lines = 0
  // What liquidjs takes for white space, and more.
  const opening = /\{%-?[\s\u180e]*liquid\b/g
  for (let tag = opening.exec(source); tag !== null; tag = opening.exec(source)) {
    const end = source.indexOf('%}', tag.index)
    const text = source.slice(tag.index, end === -1 ? source.length : end)
    lines += text.split('\n').length
    opening.lastIndex = tag.index + text.length
  }
  return lines
}

/**
 * How many characters of a template stand in tags and outputs, counted up to about `upTo`: it takes 0.5 to 3 µs per character to parse
 * them.
 */
export function taggedCharacters(source: string, upTo = Number.POSITIVE_INFINITY): number {
  let tagged = 0
  const opening = /\{[{%]/g
  for (let tag = opening.exec(source); tag !== null && tagged < upTo; tag = opening.exec(source)) {
    opening.lastIndex = endOfTag(source, tag.index, tag.index + upTo)
    tagged += opening.lastIndex - tag.index
  }
  return tagged
}

// As liquidjs looks for it: a tag ends at the first `%}`, and an output at the first `}}` outside of strings, in which a backslash escapes.
function endOfTag(source: string, opening: number, upTo: number): number {
  const end = Math.min(source.length, upTo)
  if (source[opening + 1] === '%') {
    const closing = source.indexOf('%}', opening + 1)
    return closing === -1 ? end : Math.min(end, closing + 2)
  }
  for (let at = opening + 2; at < end; at++) {
    const sign = source[at]
    if (sign === '}' && source[at + 1] === '}') return at + 2
    if (sign === '"' || sign === "'") at = endOfString(source, at, end)
  }
  return end
}

function endOfString(source: string, opening: number, end: number): number {
  const quote = source[opening]
  let at = opening + 1
  while (at < end && source[at] !== quote) at += source[at] === '\\' ? 2 : 1
  return at
}
