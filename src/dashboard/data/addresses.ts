/** The addresses of a text, separated by commas, semicolons, spaces or new lines, each once. */
export function addressesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((one) => one !== ''))]
}
