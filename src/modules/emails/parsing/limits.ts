// A message of 30 MB with attachments has as many lines of the length that mail programs write.
const maxLines = 400_000
const lf = 10

/**
 * Whether a message that somebody sent has few enough lines to be read, at most 400,000: a parser takes hundreds of bytes for each, so
 * that a megabyte of empty lines would fill the memory of its thread.
 */
export function isReadable(raw: Uint8Array): boolean {
  let lines = 0
  for (let at = raw.indexOf(lf); at !== -1; at = raw.indexOf(lf, at + 1)) if (++lines > maxLines) return false
  return true
}
