import type { Problem } from './failures.ts'

/** Reads a file as the API takes it: its bytes in base64. */
export async function contentOf(file: File): Promise<string> {
  return toBase64(new Uint8Array(await file.arrayBuffer()))
}

/** Fetches a file of the project with the session, and saves it under a name; what went wrong otherwise. */
export async function saveFile(
  path: string,
  { project, name, accept }: { project: string; name: string; accept: string },
): Promise<Problem | undefined> {
  const response = await fetch(path, { credentials: 'same-origin', headers: { 'X-Project-Id': project, Accept: accept } }).catch(() => null)
  if (!response) return unreachable
  if (!response.ok) return problemOf(await response.json().catch(() => null))
  save(await response.blob(), name)
  return undefined
}

/** Saves a text under a name, as a file of a type such as `text/csv`. */
export function saveText(content: string, { name, type }: { name: string; type: string }): void {
  save(new Blob([content], { type }), name)
}

function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

const unreachable: Problem = {
  code: 'UNREACHABLE',
  message: 'The file could not be fetched.',
  suggestion: 'Check your connection, then try again.',
  fields: [],
}

function problemOf(body: unknown): Problem {
  const { error = {} } = (body ?? {}) as { error?: { code?: string; message?: string; suggestion?: string } }
  return {
    code: error.code ?? 'INTERNAL_SERVER_ERROR',
    message: error.message ?? 'The file could not be fetched.',
    ...(error.suggestion && { suggestion: error.suggestion }),
    fields: [],
  }
}

const chunk = 0x8000

// In pieces: a call takes a limited number of arguments.
function toBase64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += chunk) parts.push(String.fromCharCode(...bytes.subarray(at, at + chunk)))
  return btoa(parts.join(''))
}
