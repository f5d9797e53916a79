/** Escapes `%`, `_` and `\` for a LIKE pattern. Prisma's `contains` needs this too: it does not escape them. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
