/** How a value of custom data is edited. */
export type Kind = 'text' | 'number' | 'boolean' | 'date' | 'json'

/** A value as it is being edited. */
export interface Draft {
  kind: Kind
  text: string
}

/** The kinds of values that a new field can have. */
export const kinds: readonly { value: Kind; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'True or false' },
  { value: 'date', label: 'Date' },
  { value: 'json', label: 'JSON' },
]

/** A stored value, to be edited. */
export function draftOf(value: unknown): Draft {
  if (typeof value === 'string') return { kind: 'text', text: value }
  if (typeof value === 'number') return { kind: 'number', text: String(value) }
  if (typeof value === 'boolean') return { kind: 'boolean', text: String(value) }
  return { kind: 'json', text: JSON.stringify(value, null, 2) }
}

/** The change that drafts mean, or the first field that is wrong. An empty text removes its field, as the API does not store any. */
export function patchOf(
  drafts: ReadonlyMap<string, Draft | null>,
): { patch: Record<string, unknown> } | { wrong: { field: string; message: string } } {
  const patch: Record<string, unknown> = {}
  for (const [field, draft] of drafts) {
    if (draft === null || draft.text.trim() === '') {
      patch[field] = null
      continue
    }
    const read = readDraft(draft)
    if (typeof read === 'string') return { wrong: { field, message: read } }
    patch[field] = read.value
  }
  return { patch }
}

// The value, or why there is none.
function readDraft({ kind, text }: Draft): { value: unknown } | string {
  if (kind === 'text') return { value: text }
  if (kind === 'boolean') return { value: text === 'true' }
  if (kind === 'number') return Number.isFinite(Number(text)) ? { value: Number(text) } : 'This is not a number.'
  if (kind === 'date') return /^\d{4}-\d\d-\d\d/.test(text.trim()) ? { value: text.trim() } : 'This is not a date: write it as 2026-01-31.'
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}
