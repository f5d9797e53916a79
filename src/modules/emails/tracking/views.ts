import type { PageAnswer, PageRequest } from '../../../kit/html/page.ts'
import { foreignLinkPage, unknownLinkPage } from '../subscription/views.ts'

// A transparent GIF of one pixel.
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** The open pixel: a picture that is never cached, so that every opening asks for it. */
export function pixelAnswer(): PageAnswer {
  return {
    status: 200,
    headers: { 'Content-Type': 'image/gif', 'Cache-Control': 'no-store, private', 'Cross-Origin-Resource-Policy': 'cross-origin' },
    body: pixel,
  }
}

/**
 * The answer to a tracked link: leads to the target that is signed into it, or where it may not, shows it; 404 without one, because the
 * link is forged.
 */
export function clickAnswer(
  target: string | null,
  { headers, leadsOn }: { headers: PageRequest['headers']; leadsOn: boolean },
): PageAnswer {
  if (target === null) return unknownLinkPage(headers)
  if (!leadsOn) return foreignLinkPage(target, headers)
  return { status: 302, headers: { Location: new URL(target).href, 'Cache-Control': 'no-store, private' }, body: '' }
}
