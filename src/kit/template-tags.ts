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
  const opening = /\{%-?\s*liquid\b/g
  for (let tag = opening.exec(source); tag !== null; tag = opening.exec(source)) {
    const end = source.indexOf('%}', tag.index)
    const text = source.slice(tag.index, end === -1 ? source.length : end)
    lines += text.split('\n').length
    opening.lastIndex = tag.index + text.length
  }
  return lines
}

/** How many characters of a template stand in tags and outputs: it takes 0.5 to 3 µs per character to parse them. */
export function taggedCharacters(source: string): number {
  let tagged = 0
  const opening = /\{[{%]/g
  for (let tag = opening.exec(source); tag !== null; tag = opening.exec(source)) {
    opening.lastIndex = endOfTag(source, tag.index + 2)
    tagged += opening.lastIndex - tag.index
  }
  return tagged
}

// A delimiter inside a string does not end the tag.
function endOfTag(source: string, start: number): number {
  for (let at = start; at < source.length; at++) {
    const sign = source[at]
    if ((sign === '}' || sign === '%') && source[at + 1] === '}') return at + 2
    if (sign === '"' || sign === "'") at = Math.max(at, source.indexOf(sign, at + 1))
  }
  return source.length
}
