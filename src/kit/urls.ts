// RFC 1035, 2.3.4.
const maxHost = 253
// One that is percent-encoded is three to nine times as long.
const maxEncodedHost = 4 * maxHost

/**
 * Parses an absolute URL as browsers do (WHATWG URL); null for text that is none. Null also for one with a host that is longer than
 * any name can be: what name ten thousand letters of other scripts mean would take the thread a third of a second to find out.
 */
export function parseUrl(text: string): URL | null {
  return text.length > maxHost && hasLongHost(text) ? null : URL.parse(text)
}

// Line breaks and tabs are no part of a URL, wherever they stand in it.
function hasLongHost(text: string): boolean {
  const [, authority = ''] = /^[^:]*:[/\\]*([^/\\?#]*)/.exec(text.replaceAll(/[\t\r\n]/g, '')) ?? []
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '')
  return host.length > (host.includes('%') ? maxEncodedHost : maxHost) && !/^\s*mailto:/i.test(text)
}
