import { createHash } from 'node:crypto'

/** A strong entity tag of octets that are sent (RFC 9110, 8.8.3): equal for equal octets. */
export function etagOf(octets: Uint8Array): string {
  return `"${createHash('sha256').update(octets).digest('base64url').slice(0, 27)}"`
}

/** Whether a browser has what an entity tag stands for already, by its header If-None-Match (RFC 9110, 13.1.2). */
export function isHeld(etag: string, ifNoneMatch: string | undefined): boolean {
  return (ifNoneMatch ?? '').split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
}
