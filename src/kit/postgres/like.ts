/** Text that stands for itself in a LIKE pattern: `%`, `_` and `\` mean nothing else. Prisma passes them through too. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
