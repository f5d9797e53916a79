const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const special = /[&<>"']/

/** Text escaped for HTML: what it shows is the text itself, also inside a quoted attribute. */
export function escapeHtml(text: string): string {
  // Most values have nothing to escape.
  return special.test(text) ? text.replace(/[&<>"']/g, (character) => entities[character] ?? '') : text
}
