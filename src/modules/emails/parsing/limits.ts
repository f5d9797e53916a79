// A message of 30 MB with attachments has as many lines of the length that mail programs write.
const maxLines = 400_000
const lf = 10

/**
 * Whether a message that somebody sent has few enough lines to be read, at most 400,000 unless given: a parser takes hundreds of bytes
 * for each, so that a megabyte of empty lines would fill the memory of its thread.
 */
export function isReadable(raw: Uint8Array, max = maxLines): boolean {
  let lines = 0
  for (let at = raw.indexOf(lf); at !== -1; at = raw.indexOf(lf, at + 1)) if (++lines > max) return false
  return true
}

const equals = 61

/** The beginning of a message: so many bytes, and up to so many equals signs, each of which ends a unit of base64 that a parser keeps. */
export function beginningOf(raw: Buffer, max: { bytes: number; equals: number }): Buffer {
  const beginning = raw.subarray(0, max.bytes)
  let signs = 0
  for (let at = beginning.indexOf(equals); at !== -1; at = beginning.indexOf(equals, at + 1)) {
    if (++signs > max.equals) return beginning.subarray(0, at)
  }
  return beginning
}
