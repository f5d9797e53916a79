import { Failure } from '../../../kit/errors.ts'
import { familyOf } from '../../../kit/networks.ts'
import { recent } from '../../../kit/recent.ts'
import { parseUrl } from '../../../kit/urls.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { linkHostOf } from '../../domains/links.ts'

/** The headers that say where a request comes from and where it goes. */
export interface Origin {
  origin?: string | undefined
  /** Sec-Fetch-Site. */
  fetchSite?: string | undefined
  host?: string | undefined
  /** The scheme that the host is called with. Default: http. */
  scheme?: 'http' | 'https'
}

type Installation = Pick<World, 'config' | 'publicUrl'>

/**
 * Whether pages of an origin may use the session cookie: those of PUBLIC_URL, of DASHBOARD_ORIGINS, and of the host that is
 * called, by scheme, name and port. A name that PUBLIC_URL or DASHBOARD_ORIGINS has is called with the scheme it has there.
 */
export function isOwnOrigin({ config, publicUrl }: Installation, { origin, host, scheme = 'http' }: Origin): boolean {
  const own = [publicUrl, ...config.DASHBOARD_ORIGINS].map((url) => new URL(url))
  if (own.some((url) => url.origin === origin)) return true
  if (origin === undefined || host === undefined || !isTrustedHost({ config, publicUrl }, host)) return false
  const { hostname } = new URL(`http://${host}`)
  const protocol = own.find((url) => url.hostname === hostname)?.protocol ?? `${scheme}:`
  return origin === new URL(`${protocol}//${host}`).origin
}

/**
 * Whether a Host header names this installation: the host of PUBLIC_URL, of DASHBOARD_ORIGINS or of ALLOWED_HOSTS, localhost,
 * or an IP address. Any other name may be resolved to this server by somebody else (DNS rebinding), so nothing is granted to
 * its pages.
 */
export function isTrustedHost({ config, publicUrl }: Installation, host: string): boolean {
  const hostname = hostnameOf(host)
  if (hostname === null) return false
  const own = [publicUrl, ...config.DASHBOARD_ORIGINS].map((url) => new URL(url).hostname)
  if (own.includes(hostname) || config.ALLOWED_HOSTS.includes(hostname)) return true
  return /(^|\.)localhost$/.test(hostname) || familyOf(hostname.replace(/^\[|\]$/g, '')) !== null
}

/** What is answered on a host: everything, only the pages of recipients and their tracked links, or nothing. */
export type Serving = 'everything' | 'recipients' | 'nothing'

/**
 * What is answered on a Host: on the link hosts of sender domains (`links.<domain>`, with TRACKING_HOST) only the pages of
 * recipients, because anyone may point a domain here. Outside production only hosts that name this installation are answered
 * besides: anyone who can reach it may read its mailbox. A request without the header is not from a browser.
 */
export function servingOn(world: World, host: string | undefined): Serving {
  return host === undefined ? 'everything' : servings(world).getOrMake(host, () => serving(world, host))
}

const servings = perWorld(() => recent<string, Serving>({ max: 100 }))

function serving({ config, publicUrl }: World, host: string): Serving {
  if (isTrustedHost({ config, publicUrl }, host)) return 'everything'
  if (config.TRACKING_HOST !== undefined && isLinkHost(host, config.TRACKING_HOST)) return 'recipients'
  return config.production ? 'everything' : 'nothing'
}

function isLinkHost(host: string, trackingHost: string): boolean {
  const name = nameOf(host)
  return name !== null && (name === trackingHost || name.startsWith(linkHostOf('')))
}

/** The domain whose link host a Host names; null for the other hosts of this installation, TRACKING_HOST included. */
export function linkDomainOf(world: World, host: string | undefined): string | null {
  if (host === undefined || servingOn(world, host) !== 'recipients') return null
  const name = nameOf(host)
  return name === null || name === world.config.TRACKING_HOST ? null : name.slice(linkHostOf('').length)
}

// DNS takes a name with a dot at its end for the same.
function nameOf(host: string): string | null {
  return hostnameOf(host)?.replace(/\.$/, '') ?? null
}

// A name or an address, and a port (RFC 9110, 7.2). What a URL may have besides, such as a user, is no part of it: whoever compares the
// text of the header, such as a cache, would see another host.
const hostField = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i

function hostnameOf(host: string): string | null {
  return hostField.test(host) ? (parseUrl(`http://${host}`)?.hostname ?? null) : null
}

/** The failure of a request to a host that is not one of the installation. */
export function foreignHost(): Failure {
  return new Failure('FORBIDDEN', 'This address is not one of the installation.', {
    suggestion: 'Open it by the host of PUBLIC_URL, by localhost or by an IP address, or add its name to ALLOWED_HOSTS.',
  })
}

/** Fails with FORBIDDEN for a Host header that does not name this installation (`isTrustedHost`). */
export function requireTrustedHost(world: Installation, host: string | undefined): void {
  if (host === undefined || !isTrustedHost(world, host)) throw foreignHost()
}

/**
 * Protects against cross-site request forgery: fails with FORBIDDEN for a foreign Origin header or, without that header, for
 * a foreign Sec-Fetch-Site. Programs that send neither header pass.
 */
export function requireOwnOrigin(world: Installation, from: Origin): void {
  const { origin, fetchSite } = from
  const own =
    origin === undefined ? fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none' : isOwnOrigin(world, from)
  if (own) return
  throw new Failure('FORBIDDEN', 'This request was sent by a page of another site.', {
    suggestion: 'Send it from the dashboard’s own origin, or add the origin to DASHBOARD_ORIGINS.',
  })
}
