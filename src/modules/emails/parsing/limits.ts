const [lf, equals] = [10, 61]

/** How much of a message is read: its first bytes, lines, and equals signs, each of which ends a unit of base64 that a parser keeps. */
export interface Beginning {
  bytes: number
  lines: number
  equals: number
}

/** The beginning of a message, up to the first of these limits. */
export function beginningOf(raw: Buffer, max: Beginning): Buffer {
  return cutAfter(cutAfter(raw.subarray(0, max.bytes), lf, max.lines), equals, max.equals)
}

// Up to the one that is too much.
function cutAfter(raw: Buffer, byte: number, max: number): Buffer {
  let found = 0
  for (let at = raw.indexOf(byte); at !== -1; at = raw.indexOf(byte, at + 1)) if (++found > max) return raw.subarray(0, at)
  return raw
}

/**
 * A message with what its header says of its content (RFC 2045, 3) and without the other fields, which a parser takes long for, such as
 * addresses in very many groups.
 */
export function withoutFields(raw: Buffer): Buffer {
  const end = endOfHeader(raw)
  const fields = raw
    .subarray(0, end)
    .toString('latin1')
    .split(/\r?\n(?![ \t])/)
  const kept = fields.filter((field) => /^content-[\w-]+[ \t]*:/i.test(field)).map((field) => `${field}\r\n`)
  return Buffer.concat([Buffer.from(kept.join(''), 'latin1'), raw.subarray(end)])
}

/** Where the empty line behind the header of a message or part begins. */
export function endOfHeader(raw: Buffer): number {
  if (/^\r?\n/.test(raw.toString('latin1', 0, 2))) return 0
  const ends = ['\n\r\n', '\n\n'].map((text) => raw.indexOf(text)).filter((at) => at !== -1)
  return ends.length > 0 ? Math.min(...ends) + 1 : raw.length
}
