import { isHeld } from '../../kit/html/etag.ts'
import type { PageAnswer } from '../../kit/html/page.ts'
import type { StoredPicture } from './serve.ts'

const security = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Content-Disposition': 'inline',
  // Mail programs show it on any origin.
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** A picture, or its headers alone. It never changes and may be cached for a year. */
export function pictureAnswer(picture: StoredPicture, body: PageAnswer['body']): PageAnswer {
  const { contentType, size } = picture
  return { status: 200, headers: { ...cached(picture), 'Content-Type': contentType, 'Content-Length': String(size) }, body }
}

/** The answer to a browser that has the picture already. */
export function unchangedAnswer(picture: StoredPicture): PageAnswer {
  return { status: 304, headers: cached(picture), body: '' }
}

/** Whether a browser has the picture already, by its header If-None-Match. */
export function hasPicture(ifNoneMatch: string | undefined, picture: StoredPicture): boolean {
  return isHeld(etagOf(picture), ifNoneMatch)
}

/** The answer for a picture that does not exist. */
export function pictureNotFound(): PageAnswer {
  const headers = { ...security, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }
  return { status: 404, headers, body: 'This picture does not exist.' }
}

function cached(picture: StoredPicture): Record<string, string> {
  return { ...security, ETag: etagOf(picture), 'Cache-Control': 'public, max-age=31536000, immutable' }
}

function etagOf({ id }: StoredPicture): string {
  return `"${id}"`
}
