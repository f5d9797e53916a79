import type { PageAnswer } from '../../kit/html/page.ts'

// An envelope on the accent colour, readable at 16 pixels.
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d4ed8"/><path d="M7 10h18v13H7z M7 10l9 8 9-8" fill="none" stroke="#fff" stroke-width="2.5" stroke-linejoin="round"/></svg>`

/** The icon browsers show beside the title of every page. */
export async function showIcon(): Promise<PageAnswer> {
  return { status: 200, headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' }, body: icon }
}
