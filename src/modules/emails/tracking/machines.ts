import { isbot } from 'isbot'

/** A request for the pixel or for a link of an email. */
export interface EngagementRequest {
  kind: 'open' | 'click'
  method: string
  userAgent: string | undefined
  /** Its headers, names in lower case; none where a provider reports it. */
  headers?: Readonly<Record<string, string | undefined>>
}

/**
 * Why a request looks like that of a machine; null when a person is behind it. What depends on other requests and on the time is
 * decided where it is recorded (`recordEngagement`). The first row that fits decides:
 *
 * | Who asks | Known by | Counts as | Why |
 * |---|---|---|---|
 * | Link checkers | HEAD | machine | Programs that show an email or a page send GET. |
 * | Browsers and programs that fetch ahead | `Sec-Purpose` with `prefetch` or `prerender`, `Purpose: prefetch`, `X-Purpose: preview` or `prefetch`, `X-Moz: prefetch` | machine | Nobody has followed the link yet, and perhaps nobody will (wicg.github.io/nav-speculation/prefetch.html; developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Sec-Purpose). |
 * | Gmail | `GoogleImageProxy` | person | It fetches a picture when the email is opened, for its reader (support.google.com/a/answer/3299041). |
 * | Yahoo, AOL | `YahooMailProxy` | person | The same (help.yahoo.com/kb/SLN28749.html). |
 * | Apple Mail Privacy Protection | an open whose user agent is `Mozilla/5.0` and nothing else | machine | It fetches the pictures of all email in the background, read or not, and shows its copies to the reader: the two cannot be told apart (support.apple.com/guide/mail/mlhl03be2866/mac; help.socketlabs.com/docs/identifying-apple-mpp-opens-in-notification-api-events). As people they would make every email of these recipients an opened one. |
 * | Scanners, crawlers, scripts | no user agent, or one in the lists of isbot | machine | They say so. |
 * | Gateways that pose as browsers | before a mail server has accepted it, and within 2 s of sending | machine | An email is not read while it is being delivered. |
 * | Gateways that pose as browsers | several links of an email within a second, from the second one on | machine | People follow one after the other (nation.marketo.com, "Understanding a spike in click activity"). The first is only known as one of several if they arrive together. |
 * | Anybody else | | person | |
 */
export function machineOf({ kind, method, userAgent, headers = {} }: EngagementRequest): string | null {
  if (method === 'HEAD') return 'HEAD request'
  if (purposeHeaders.some((name) => fetchedAhead.test(headers[name] ?? ''))) return 'prefetch'
  if (userAgent && kind === 'open' && readerProxies.test(userAgent)) return null
  if (userAgent === 'Mozilla/5.0' && kind === 'open') return 'Apple Mail Privacy Protection'
  return isbot(userAgent) || !userAgent ? 'user agent' : null
}

// The standard header, and what browsers sent before it.
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']
const fetchedAhead = /\b(?:prefetch|prerender|preview)\b/i
const readerProxies = /GoogleImageProxy|YahooMailProxy/
