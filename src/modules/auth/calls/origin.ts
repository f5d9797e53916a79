import { Failure } from '../../../kit/errors.ts'
import { familyOf } from '../../../kit/networks.ts'
import type { World } from '../../../kit/world.ts'

/** The headers that say where a request comes from and where it goes. */
export interface Origin {
  origin?: string | undefined
  /** Sec-Fetch-Site. */
  fetchSite?: string | undefined
  host?: string | undefined
}

/** Whether pages of an origin may use the session cookie: those of the host that is called, of PUBLIC_URL and of DASHBOARD_ORIGINS. */
export function isOwnOrigin({ config, publicUrl }: Pick<World, 'config' | 'publicUrl'>, origin: string, host: string | undefined): boolean {
  if (origin === new URL(publicUrl).origin || config.DASHBOARD_ORIGINS.includes(origin)) return true
  return host !== undefined && isTrustedHost({ config, publicUrl }, host) && URL.canParse(origin) && new URL(origin).host === host
}

/**
 * Whether a Host header names this installation: the host of PUBLIC_URL or of DASHBOARD_ORIGINS, localhost, or an IP
 * address. Any other name may be resolved to this server by somebody else (DNS rebinding), so nothing is granted to its pages.
 */
export function isTrustedHost({ config, publicUrl }: Pick<World, 'config' | 'publicUrl'>, host: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  const own = [publicUrl, ...config.DASHBOARD_ORIGINS].map((url) => new URL(url).hostname)
  return own.includes(hostname) || /(^|\.)localhost$/.test(hostname) || familyOf(hostname.replace(/^\[|\]$/g, '')) !== null
}

/** Fails with FORBIDDEN for a Host header that does not name this installation (`isTrustedHost`). */
export function requireTrustedHost(world: Pick<World, 'config' | 'publicUrl'>, host: string | undefined): void {
  if (host !== undefined && isTrustedHost(world, host)) return
  throw new Failure('FORBIDDEN', 'This address is not one of the installation.', {
    suggestion: 'Open it by the host of PUBLIC_URL, by localhost, or by an IP address.',
  })
}

/**
 * Protects against cross-site request forgery: fails with FORBIDDEN for a foreign Origin header or, without that header, for
 * a foreign Sec-Fetch-Site. Programs that send neither header pass.
 */
export function requireOwnOrigin(world: Pick<World, 'config' | 'publicUrl'>, { origin, fetchSite, host }: Origin): void {
  const own =
    origin === undefined ? fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none' : isOwnOrigin(world, origin, host)
  if (own) return
  throw new Failure('FORBIDDEN', 'This request was sent by a page of another site.', {
    suggestion: 'Send it from the dashboard’s own origin, or add the origin to DASHBOARD_ORIGINS.',
  })
}
